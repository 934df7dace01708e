// SPDX-License-Identifier: Apache-2.0
/// On the host: Eigen, which multiplies by a transposed matrix on one thread.
#include <Eigen/SparseCore>

#include <cstdint>

#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

template <class V>
std::vector<contender<V>> peers() {
  return {{"eigen", [](problem<V>& p) -> std::function<void()> {
             return [&p] {
               using matrix = Eigen::SparseMatrix<V, Eigen::RowMajor, std::int32_t>;
               using vector = Eigen::Matrix<V, Eigen::Dynamic, 1>;
               const Eigen::Map<const matrix> a(p.a.rows, p.a.cols, p.a.nonzeros(),
                                                p.a.offsets.data(), p.a.indices.data(),
                                                p.a.values.data());
               const Eigen::Map<const vector> x(p.x.data(), p.a.rows);
               Eigen::Map<vector> y(p.y.data(), p.a.cols);
               y.noalias() = a.transpose() * x;
             };
           }}};
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
