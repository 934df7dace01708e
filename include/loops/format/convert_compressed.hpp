// SPDX-License-Identifier: Apache-2.0
/// Conversions on the host between compressed rows, compressed columns and coordinates.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace loops {

namespace detail {

/// Compresses along the other dimension; a stable counting sort, so within a new segment the
/// old segments ascend and duplicates keep their order.
template <class Value, class Index, class Offset>
void exchange_dimensions(Index majors, Index minors, Offset nonzeros, const Offset* offsets,
                         const Index* indices, const Value* values, array<Offset>& new_offsets,
                         array<Index>& new_indices, array<Value>& new_values) {
  const std::size_t segments = static_cast<std::size_t>(minors);
  new_offsets = array<Offset>(segments + 1);
  new_indices = array<Index>(static_cast<std::size_t>(nonzeros));
  new_values = array<Value>(static_cast<std::size_t>(nonzeros));
  std::fill(new_offsets.begin(), new_offsets.end(), Offset(0));
  for (Offset k = 0; k < nonzeros; ++k) ++new_offsets[static_cast<std::size_t>(indices[k]) + 1];
  for (std::size_t s = 0; s < segments; ++s)
    new_offsets[s + 1] = static_cast<Offset>(new_offsets[s + 1] + new_offsets[s]);
  std::vector<Offset> next(new_offsets.begin(), new_offsets.end());
  for (Index m = 0; m < majors; ++m)
    for (Offset k = offsets[m]; k < offsets[m + 1]; ++k) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(indices[k])]++);
      new_indices[place] = m;
      new_values[place] = values[k];
    }
}

}  // namespace detail

/// Sorts the columns within each row, duplicates staying in their order.
/// Cost: one pass if they are sorted already. Requires: a valid matrix in host memory.
template <class Value, class Index, class Offset>
void sort_columns(csr<Value, Index, Offset>& a) {
  static_cast<void>(detail::host_view(a));
  std::vector<std::pair<Index, Value>> row;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
    Index* const first = a.indices.data() + a.offsets[r];
    Index* const last = a.indices.data() + a.offsets[r + 1];
    if (std::is_sorted(first, last)) continue;
    Value* const values = a.values.data() + a.offsets[r];
    const auto length = static_cast<std::size_t>(last - first);
    row.clear();
    for (std::size_t k = 0; k < length; ++k) row.emplace_back(first[k], values[k]);
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t k = 0; k < length; ++k) {
      first[k] = row[k].first;
      values[k] = row[k].second;
    }
  }
}

/// The coordinates of `a`, in its order. Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] coo<Value, Index, Offset> to_coo(const csr_view<Value, Index, Offset>& a) {
  validate(a);
  const auto nonzeros = static_cast<std::size_t>(a.nonzeros);
  coo<Value, Index, Offset> out{a.rows, a.cols, array<Index>(nonzeros), array<Index>(nonzeros),
                                array<Value>(nonzeros)};
  for (Index r = 0; r < a.rows; ++r)
    std::fill(out.row_indices.data() + a.offsets[r], out.row_indices.data() + a.offsets[r + 1], r);
  std::copy_n(a.indices, nonzeros, out.col_indices.data());
  std::copy_n(a.values, nonzeros, out.values.data());
  return out;
}

/// `a` by columns, rows ascending within each. Requires: `a` in host memory.
/// Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csc<Value, Index, Offset> to_csc(const csr_view<Value, Index, Offset>& a) {
  validate(a);
  csc<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  detail::exchange_dimensions(a.rows, a.cols, a.nonzeros, a.offsets, a.indices, a.values,
                              out.offsets, out.indices, out.values);
  return out;
}

/// `a` by rows, columns ascending within each. Requires: `a` in host memory.
/// Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const csc_view<Value, Index, Offset>& a) {
  validate(a);
  csr<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  detail::exchange_dimensions(a.cols, a.rows, a.nonzeros, a.offsets, a.indices, a.values,
                              out.offsets, out.indices, out.values);
  return out;
}

/// `a` by rows, columns ascending within each and duplicates kept in their order. The
/// coordinates may come in any order. Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const coo_view<Value, Index, Offset>& a) {
  validate(a);
  const auto rows = static_cast<std::size_t>(a.rows);
  const auto nonzeros = static_cast<std::size_t>(a.nonzeros);
  csr<Value, Index, Offset> out{a.rows, a.cols, array<Offset>(rows + 1), array<Index>(nonzeros),
                                array<Value>(nonzeros)};
  std::fill(out.offsets.begin(), out.offsets.end(), Offset(0));
  for (std::size_t k = 0; k < nonzeros; ++k)
    ++out.offsets[static_cast<std::size_t>(a.row_indices[k]) + 1];
  for (std::size_t r = 0; r < rows; ++r)
    out.offsets[r + 1] = static_cast<Offset>(out.offsets[r + 1] + out.offsets[r]);
  std::vector<Offset> next(out.offsets.begin(), out.offsets.end());
  for (std::size_t k = 0; k < nonzeros; ++k) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(a.row_indices[k])]++);
    out.indices[place] = a.col_indices[k];
    out.values[place] = a.values[k];
  }
  sort_columns(out);
  return out;
}

/// The same from owners.
template <class Value, class Index, class Offset>
[[nodiscard]] coo<Value, Index, Offset> to_coo(const csr<Value, Index, Offset>& a) {
  return to_coo(detail::host_view(a));
}
template <class Value, class Index, class Offset>
[[nodiscard]] csc<Value, Index, Offset> to_csc(const csr<Value, Index, Offset>& a) {
  return to_csc(detail::host_view(a));
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const csc<Value, Index, Offset>& a) {
  return to_csr(detail::host_view(a));
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const coo<Value, Index, Offset>& a) {
  return to_csr(detail::host_view(a));
}

}  // namespace loops
