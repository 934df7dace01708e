// SPDX-License-Identifier: Apache-2.0
/// Checks that the arrays of a sparse matrix mean a matrix, and says where they do not.
#pragma once

#include "loops/core/error.hpp"
#include "loops/format/check_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace loops {

namespace detail {

/// The view of an owner, for code that reads it on the CPU.
/// Throws: `errc::invalid_argument` if its arrays are not in host memory or do not fit each other.
template <class Owner>
typename Owner::view_type host_view(const Owner& a, source_place where = source_place::here()) {
  const auto& home = a.values.where();
  if (home && !home->on_host())
    throw error(errc::invalid_argument,
                "the matrix is in device memory; copy it with .to(default_host_memory()) first",
                where);
  const typename Owner::view_type view = a.view(where);
  check_arrays(view, reads::values, where);
  return view;
}

/// Offsets and indices of a compressed format; `major` is what a segment is called: "row".
template <class Index, class Offset>
void validate_compressed(const char* major, const char* minor, Index majors, Index minors,
                         Offset nonzeros, const Offset* offsets, const Index* indices,
                         source_place where) {
  const std::string segment = major;
  if (!offsets) return;
  if (offsets[0] != 0)
    invalid("offsets[0] is " + std::to_string(offsets[0]) + "; it must be 0", where);
  for (Index m = 0; m < majors; ++m) {
    if (offsets[m + 1] < offsets[m] || offsets[m + 1] > nonzeros)
      invalid(segment + " " + std::to_string(m) + " spans [" + std::to_string(offsets[m]) + ", " +
                  std::to_string(offsets[m + 1]) + ") of " + std::to_string(nonzeros) +
                  "; offsets must not decrease or pass the end",
              where);
  }
  if (offsets[majors] != nonzeros)
    invalid("the last offset is " + std::to_string(offsets[majors]) + ", not " +
                std::to_string(nonzeros) + ", the number of indices",
            where);
  for (Index m = 0; m < majors; ++m)
    for (Offset k = offsets[m]; k < offsets[m + 1]; ++k)
      if (indices[k] < 0 || indices[k] >= minors)
        invalid(segment + " " + std::to_string(m) + " has " + minor + " " +
                    std::to_string(indices[k]) + " at position " + std::to_string(k) +
                    "; it must be in [0, " + std::to_string(minors) + ")",
                where);
}

}  // namespace detail

/// Checks sizes, offsets and column indices of a CSR matrix in host memory. Columns need be
/// neither sorted nor distinct. Cost: one pass over offsets and indices.
/// Throws: `errc::invalid_argument` naming the row.
template <class Value, class Index, class Offset>
void validate(const csr_view<Value, Index, Offset>& a, source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  detail::validate_compressed("row", "column", a.rows, a.cols, a.nonzeros, a.offsets, a.indices,
                              where);
}

/// As for CSR, with rows and columns exchanged.
template <class Value, class Index, class Offset>
void validate(const csc_view<Value, Index, Offset>& a, source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  detail::validate_compressed("column", "row", a.cols, a.rows, a.nonzeros, a.offsets, a.indices,
                              where);
}

/// Checks that every coordinate lies in the matrix; the order is not checked.
/// Throws: `errc::invalid_argument` naming the entry.
template <class Value, class Index, class Offset>
void validate(const coo_view<Value, Index, Offset>& a, source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  for (Offset k = 0; k < a.nonzeros; ++k)
    if (a.row_indices[k] < 0 || a.row_indices[k] >= a.rows || a.col_indices[k] < 0 ||
        a.col_indices[k] >= a.cols)
      detail::invalid("entry " + std::to_string(k) + " is at (" + std::to_string(a.row_indices[k]) +
                          ", " + std::to_string(a.col_indices[k]) + "), outside a matrix of " +
                          std::to_string(a.rows) + " x " + std::to_string(a.cols),
                      where);
}

/// Checks width, stride and that every column is padding or in the matrix.
/// Throws: `errc::invalid_argument` naming the row.
template <class Value, class Index, class Offset>
void validate(const ell_view<Value, Index, Offset>& a, source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  for (Index k = 0; k < a.width; ++k)
    for (Index r = 0; r < a.rows; ++r) {
      const Index column = a.indices[std::size_t(k) * std::size_t(a.stride) + std::size_t(r)];
      if (column != a.padding && (column < 0 || column >= a.cols))
        detail::invalid("row " + std::to_string(r) + " has column " + std::to_string(column) +
                            " in place " + std::to_string(k) + "; it must be -1 or in [0, " +
                            std::to_string(a.cols) + ")",
                        where);
    }
}

/// Checks the block offsets and block columns as for CSR.
/// Throws: `errc::invalid_argument` naming the block row.
template <class Value, int R, int C, class Index, class Offset>
void validate(const bcsr_view<Value, R, C, Index, Offset>& a,
              source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  detail::validate_compressed("block row", "block column", detail::blocks_in(a.rows, R),
                              detail::blocks_in(a.cols, C), a.blocks, a.offsets, a.indices, where);
}

/// Checks that the diagonals ascend and touch the matrix.
/// Throws: `errc::invalid_argument` naming the diagonal.
template <class Value, class Index, class Offset>
void validate(const dia_view<Value, Index, Offset>& a, source_place where = source_place::here()) {
  check_arrays(a, reads::values, where);
  for (Index k = 0; k < a.count; ++k) {
    const Index d = a.diagonals[k];
    if (d <= -a.rows || d >= a.cols)
      detail::invalid("diagonal " + std::to_string(d) + " does not touch a matrix of " +
                          std::to_string(a.rows) + " x " + std::to_string(a.cols),
                      where);
    if (k != 0 && d <= a.diagonals[k - 1])
      detail::invalid("diagonal " + std::to_string(d) + " follows " +
                          std::to_string(a.diagonals[k - 1]) + "; diagonals must ascend",
                      where);
  }
}

}  // namespace loops
