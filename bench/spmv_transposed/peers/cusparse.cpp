// SPDX-License-Identifier: Apache-2.0
/// On NVIDIA GPUs: every CSR algorithm of cuSPARSE, told to transpose.
#include "support/cusparse.hpp"

#include <memory>
#include <string>

#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

namespace {

template <class V>
auto prepared(problem<V>& p, cusparseSpMVAlg_t algorithm) {
  return std::make_shared<cusparse::matrix_times_vector<V>>(p.exec, CUSPARSE_OPERATION_TRANSPOSE,
                                                            p.a, p.x, p.y, algorithm);
}

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  std::vector<contender<V>> out;
  for (const auto& one : cusparse::algorithms)
    out.push_back({one.name, [a = one.algorithm](problem<V>& p) -> std::function<void()> {
                     return [product = prepared(p, a)] { (*product)(); };
                   }});
  return out;
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
