// SPDX-License-Identifier: Apache-2.0
/// Eigen, which multiplies sparse matrices on one thread, pattern and values together.
#pragma once

#if __has_include(<Eigen/SparseCore>)
#include <Eigen/SparseCore>
#endif

#include <cstdint>
#include <memory>
#include <vector>

#include "spgemm/contenders.hpp"

namespace loops::bench {

#if __has_include(<Eigen/SparseCore>)

namespace detail {

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

}  // namespace detail

/// Eigen, where it is installed.
template <class V>
std::vector<contender<V>> eigen_peers() {
  return {{"eigen,once", true, [](const problem<V>& p) { return detail::eigen_product(p); }}};
}

#else

template <class V>
std::vector<contender<V>> eigen_peers() {
  return {};
}

#endif

}  // namespace loops::bench
