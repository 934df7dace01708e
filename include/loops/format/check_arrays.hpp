// SPDX-License-Identifier: Apache-2.0
/// Checks what can be told of a sparse matrix without reading its arrays, wherever they lie.
#pragma once

#include "loops/core/error.hpp"
#include "loops/format/formats.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace loops {

namespace detail {

[[noreturn]] inline void invalid(const std::string& message, source_place where) {
  throw error(errc::invalid_argument, message, where);
}

/// A size as the library counts; of 64 bits without a sign those are negative that it cannot count.
template <class Size>
constexpr std::int64_t counted(Size size) {
  return static_cast<std::int64_t>(size);
}

template <class Index>
void check_shape(Index rows, Index cols, source_place where) {
  if (counted(rows) < 0 || counted(cols) < 0)
    invalid("a matrix has " + std::to_string(counted(rows)) + " rows and " +
                std::to_string(counted(cols)) + " columns; neither may be negative",
            where);
}

template <class Offset>
void check_count(Offset nonzeros, source_place where) {
  if (counted(nonzeros) < 0) invalid("the number of nonzeros is negative", where);
}

inline void check_pointer(const void* array, bool read, const char* what, source_place where) {
  if (!array && read) invalid(std::string(what) + " are a null pointer", where);
}

/// The arrays of a compressed format.
template <class Index, class Offset>
void check_compressed(Index majors, Offset nonzeros, const Offset* offsets, const Index* indices,
                      const void* values, bool values_read, source_place where) {
  check_count(nonzeros, where);
  check_pointer(offsets, majors != 0 || nonzeros != 0, "the offsets", where);
  check_pointer(indices, nonzeros != 0, "the indices", where);
  check_pointer(values, values_read && nonzeros != 0, "the values", where);
}

}  // namespace detail

/// What an algorithm reads of a matrix.
enum class reads { pattern, values };

/// Checks what can be told of a matrix, in whatever memory, without reading its arrays: sizes, and
/// that no array that is read is missing. Throws: `errc::invalid_argument`.
template <class Value, class Index, class Offset>
void check_arrays(const csr_view<Value, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  detail::check_compressed(a.rows, a.nonzeros, a.offsets, a.indices, a.values,
                           what == reads::values, where);
}

/// The same of the other formats.
template <class Value, class Index, class Offset>
void check_arrays(const csc_view<Value, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  detail::check_compressed(a.cols, a.nonzeros, a.offsets, a.indices, a.values,
                           what == reads::values, where);
}
template <class Value, int R, int C, class Index, class Offset>
void check_arrays(const bcsr_view<Value, R, C, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  detail::check_compressed(detail::blocks_in(a.rows, R), a.blocks, a.offsets, a.indices, a.values,
                           what == reads::values, where);
}
template <class Value, class Index, class Offset>
void check_arrays(const coo_view<Value, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  detail::check_count(a.nonzeros, where);
  detail::check_pointer(a.row_indices, a.nonzeros != 0, "the row indices", where);
  detail::check_pointer(a.col_indices, a.nonzeros != 0, "the column indices", where);
  detail::check_pointer(a.values, what == reads::values && a.nonzeros != 0, "the values", where);
}
template <class Value, class Index, class Offset>
void check_arrays(const ell_view<Value, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  if (detail::counted(a.width) < 0 || std::cmp_less(a.stride, a.rows))
    detail::invalid("an ELL matrix of " + std::to_string(a.rows) + " rows has width " +
                        std::to_string(detail::counted(a.width)) + " and stride " +
                        std::to_string(a.stride) +
                        "; the width may not be negative and the stride not less than the rows",
                    where);
  const bool some = a.width != 0 && a.rows != 0;
  detail::check_pointer(a.indices, some, "the indices", where);
  detail::check_pointer(a.values, what == reads::values && some, "the values", where);
}
template <class Value, class Index, class Offset>
void check_arrays(const dia_view<Value, Index, Offset>& a, reads what = reads::values,
                  source_place where = source_place::here()) {
  detail::check_shape(a.rows, a.cols, where);
  if (detail::counted(a.count) < 0 || std::cmp_less(a.stride, a.rows))
    detail::invalid("a DIA matrix of " + std::to_string(a.rows) + " rows has " +
                        std::to_string(detail::counted(a.count)) + " diagonals and stride " +
                        std::to_string(a.stride) +
                        "; the count may not be negative and the stride not less than the rows",
                    where);
  detail::check_pointer(a.diagonals, a.count != 0, "the diagonals", where);
  detail::check_pointer(a.values, what == reads::values && a.count != 0 && a.rows != 0,
                        "the values", where);
}

/// The same matrix, checked: for members that are made of it.
template <class View>
const View& checked(const View& a, reads what = reads::values,
                    source_place where = source_place::here()) {
  check_arrays(a, what, where);
  return a;
}

}  // namespace loops
