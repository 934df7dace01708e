// SPDX-License-Identifier: Apache-2.0
/// Views of transposed matrices: the same arrays, read the other way.
#pragma once

#include "loops/format/dense.hpp"
#include "loops/format/formats.hpp"

namespace loops {

/// The rows of A are the columns of its transpose.
template <class V, class I, class O>
constexpr csc_view<V, I, O> transposed(const csr_view<V, I, O>& a) {
  return {a.cols, a.rows, a.nonzeros, a.offsets, a.indices, a.values};
}

/// The columns of A are the rows of its transpose.
template <class V, class I, class O>
constexpr csr_view<V, I, O> transposed(const csc_view<V, I, O>& a) {
  return {a.cols, a.rows, a.nonzeros, a.offsets, a.indices, a.values};
}

/// What lay by rows lies by columns.
template <class T>
constexpr dense_view<T> transposed(const dense_view<T>& a) {
  return {a.data, a.cols, a.rows, a.stride, flipped(a.order)};
}

}  // namespace loops
