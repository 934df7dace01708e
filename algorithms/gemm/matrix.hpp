// SPDX-License-Identifier: Apache-2.0
/// Dense matrices as GEMM takes them: views with a layout, a leading dimension and a batch stride.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/float8.hpp"
#include "loops/core/layout.hpp"

#include <cstdint>
#include <type_traits>

namespace loops {

/// A dense matrix, or a batch of them, that somebody else owns. Element (i, j) of matrix b is
/// `data[b * batch_stride + i * leading + j]`, with i and j exchanged when column-major.
template <class T, layout Layout = layout::row_major>
struct matrix {
  using value_type = std::remove_const_t<T>;
  using element = T;
  static constexpr layout order = Layout;

  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t leading = 0;       ///< elements from one row (column) to the next
  std::int64_t batch = 1;         ///< matrices; one serves every product of a batch
  std::int64_t batch_stride = 0;  ///< elements from one matrix to the next

  matrix() = default;
  /// A matrix without gaps.
  LOOPS_HD constexpr matrix(T* d, std::int64_t r, std::int64_t c)
      : matrix(d, r, c, Layout == layout::row_major ? c : r) {}
  LOOPS_HD constexpr matrix(T* d, std::int64_t r, std::int64_t c, std::int64_t ld,
                            std::int64_t count = 1, std::int64_t stride = 0)
      : data(d), rows(r), cols(c), leading(ld), batch(count), batch_stride(stride) {}
  /// Views of what may be written are views of what may be read.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
      LOOPS_HD constexpr matrix(const matrix<U, Layout>& o)
      : matrix(o.data, o.rows, o.cols, o.leading, o.batch, o.batch_stride) {}

  /// Elements that are adjacent in memory.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t inner() const {
    return Layout == layout::row_major ? cols : rows;
  }
  /// Stretches of `inner()` elements, `leading` apart.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t outer() const {
    return Layout == layout::row_major ? rows : cols;
  }
  /// Where element (row, col) is, counted from `data`.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t row, std::int64_t col) const {
    return Layout == layout::row_major ? row * leading + col : col * leading + row;
  }
  /// Matrix b of the batch.
  [[nodiscard]] LOOPS_HD constexpr matrix of_batch(std::int64_t b) const {
    return {batch > 1 ? data + b * batch_stride : data, rows, cols, leading};
  }
};

/// The transposed matrix: the same memory, seen in the other layout.
template <class T, layout L>
LOOPS_HD constexpr matrix<T, flipped(L)> transposed(const matrix<T, L>& a) {
  return {a.data, a.cols, a.rows, a.leading, a.batch, a.batch_stride};
}

/// The same memory, its products to be taken in tf32 arithmetic.
template <layout L>
constexpr matrix<const tfloat32, L> as_tf32(const matrix<const float, L>& a) {
  static_assert(sizeof(tfloat32) == sizeof(float));
  return {reinterpret_cast<const tfloat32*>(a.data),
          a.rows,
          a.cols,
          a.leading,
          a.batch,
          a.batch_stride};
}
template <layout L>
constexpr matrix<const tfloat32, L> as_tf32(const matrix<float, L>& a) {
  return as_tf32(matrix<const float, L>(a));
}

/// The largest power of two, up to `most`, of elements that can be moved at once anywhere in the
/// matrix: its start, leading dimension and batch stride are multiples of it.
template <class T, layout L>
constexpr int widest_access(const matrix<T, L>& a, int most) {
  const std::uint64_t places = reinterpret_cast<std::uintptr_t>(a.data) / sizeof(T) |
                               static_cast<std::uint64_t>(a.leading) |
                               static_cast<std::uint64_t>(a.batch > 1 ? a.batch_stride : 0);
  while (most > 1 && (places % static_cast<std::uint64_t>(most)) != 0) most /= 2;
  return reinterpret_cast<std::uintptr_t>(a.data) % sizeof(T) == 0 ? most : 1;
}

/// Whether 16 bytes can be moved at once anywhere in the matrix.
template <class T, layout L>
bool by_16_bytes(const matrix<T, L>& a) {
  constexpr int elements = 16 / int(sizeof(T));
  return widest_access(a, elements) == elements &&
         reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
}

/// Whether its rows (columns) are some times 16 bytes long.
template <class T, layout L>
constexpr bool ends_with_16_bytes(const matrix<T, L>& a) {
  return a.inner() % (16 / int(sizeof(T))) == 0;
}

}  // namespace loops
