// SPDX-License-Identifier: Apache-2.0
/// On the host: Eigen, which multiplies sparse matrices on one thread, pattern and values together.
#include <Eigen/SparseCore>

#include <cstdint>
#include <memory>

#include "spgemm/contenders.hpp"

namespace loops::bench {

namespace {

template <class V>
attempt<V> eigen_product(const problem<V>& p) {
  using matrix = Eigen::SparseMatrix<V, Eigen::RowMajor, std::int32_t>;
  auto c = std::make_shared<matrix>();
  const auto map = [](const csr<V>& m) {
    return Eigen::Map<const matrix>(m.rows, m.cols, m.nonzeros(), m.offsets.data(),
                                    m.indices.data(), m.values.data());
  };
  return {[&p, c, map] { *c = map(p.a) * map(p.b); },
          [c] {
            c->makeCompressed();
            return csr_view<V>{static_cast<std::int32_t>(c->rows()),
                               static_cast<std::int32_t>(c->cols()),
                               static_cast<std::int32_t>(c->nonZeros()),
                               c->outerIndexPtr(),
                               c->innerIndexPtr(),
                               c->valuePtr()};
          }};
}

}  // namespace

template <class V>
std::vector<contender<V>> peers() {
  return {{"eigen,once", true, [](const problem<V>& p) { return eigen_product(p); }}};
}

template std::vector<contender<float>> peers<float>();
template std::vector<contender<double>> peers<double>();

}  // namespace loops::bench
