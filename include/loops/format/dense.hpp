// SPDX-License-Identifier: Apache-2.0
/// Dense matrices: a view, by rows or by columns.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"
#include "loops/core/layout.hpp"
#include "loops/core/wide.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

namespace loops {

/// A dense matrix of somebody else's elements. `stride` is the distance between neighbouring rows,
/// or columns: element (r, c) is at r * stride + c, or at c * stride + r.
template <class T>
struct dense_view {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;
  layout order = layout::row_major;

  [[nodiscard]] LOOPS_HD std::int64_t at(std::int64_t r, std::int64_t c) const {
    return order == layout::row_major ? r * stride + c : c * stride + r;
  }
  LOOPS_HD T& operator()(std::int64_t r, std::int64_t c) const { return data[at(r, c)]; }
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) operator dense_view<U>() const {
    return {data, rows, cols, stride, order};
  }
};

/// Rows one after another.
template <class T>
dense_view<T> by_rows(T* data, std::int64_t rows, std::int64_t cols) {
  return {data, rows, cols, cols, layout::row_major};
}

/// Columns one after another.
template <class T>
dense_view<T> by_columns(T* data, std::int64_t rows, std::int64_t cols) {
  return {data, rows, cols, rows, layout::column_major};
}

/// Throws invalid_argument, naming the matrix and what is wrong, unless `m` is `rows` x `cols` with
/// elements and a stride that keeps rows, or columns, apart; overflow when these cannot be
/// addressed.
template <class T>
void check_dense(const dense_view<T>& m, std::int64_t rows, std::int64_t cols, const char* name,
                 source_place where = source_place::here()) {
  const auto refuse = [&](const std::string& what) {
    throw error(errc::invalid_argument, std::string(name) + what, where);
  };
  if (rows < 0 || cols < 0)
    refuse(" has " + std::to_string(rows) + " rows and " + std::to_string(cols) +
           " columns; neither may be negative");
  if (m.rows != rows || m.cols != cols)
    refuse(" is " + std::to_string(m.rows) + " x " + std::to_string(m.cols) + ", but " +
           std::to_string(rows) + " x " + std::to_string(cols) + " is needed");
  const std::int64_t least = m.order == layout::row_major ? cols : rows;
  if (m.stride < least)
    refuse(" has a stride of " + std::to_string(m.stride) + ", but its " +
           (m.order == layout::row_major ? "rows" : "columns") + " are " + std::to_string(least) +
           " elements long");
  // The last element's offset has to be a number.
  const std::int64_t lines = m.order == layout::row_major ? rows : cols;
  const auto far = static_cast<detail::wide_int>(lines - 1) * m.stride + least;
  if (far > static_cast<detail::wide_int>(INT64_MAX) / static_cast<int>(sizeof(T)))
    throw error(errc::overflow, std::string(name) + " spans more bytes than can be addressed",
                where);
  if (!m.data && rows > 0 && cols > 0) refuse(" is a null pointer");
}

}  // namespace loops
