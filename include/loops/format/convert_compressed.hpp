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

/// A stable counting sort by segment: fills the arrays with what `for_each(put)` puts, which calls
/// `put(segment, index, value)` for each nonzero. It runs twice and must put the same both times.
template <class Index, class Value, class Offset, class ForEach>
void compress(std::size_t segments, std::size_t nonzeros, array<Offset>& offsets,
              array<Index>& indices, array<Value>& values, ForEach for_each) {
  offsets = array<Offset>(segments + 1);
  indices = array<Index>(nonzeros);
  values = array<Value>(nonzeros);
  std::fill(offsets.begin(), offsets.end(), Offset(0));
  for_each(
      [&](auto segment, auto, const auto&) { ++offsets[static_cast<std::size_t>(segment) + 1]; });
  for (std::size_t s = 0; s < segments; ++s)
    offsets[s + 1] = static_cast<Offset>(offsets[s + 1] + offsets[s]);
  std::vector<Offset> next(offsets.begin(), offsets.end());
  for_each([&](auto segment, auto index, const auto& value) {
    const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(segment)]++);
    indices[place] = static_cast<Index>(index);
    values[place] = value;
  });
}

/// Compresses along the other dimension: within a new segment the old ones ascend, and duplicates
/// keep their order. `from` has `majors` segments, `to` has `minors`.
template <class To, class From, class Index>
void exchange_dimensions(const From& from, Index majors, Index minors, To& to) {
  compress(static_cast<std::size_t>(minors), static_cast<std::size_t>(from.nonzeros), to.offsets,
           to.indices, to.values, [&](auto put) {
             for (Index m = 0; m < majors; ++m)
               for (auto k = from.offsets[m]; k < from.offsets[m + 1]; ++k)
                 put(from.indices[k], m, from.values[k]);
           });
}

/// The matrix whose row r holds, in its order, what `for_each_in_row(r, visit)` visits: it calls
/// `visit(column, value)`, and is called twice per row. Throws: `errc::overflow` if the number of
/// nonzeros does not fit `Offset`.
template <class Value, class Index, class Offset, class ForEach>
csr<Value, Index, Offset> csr_of_rows(Index rows, Index cols, ForEach for_each_in_row,
                                      source_place where) {
  csr<Value, Index, Offset> out;
  out.rows = rows;
  out.cols = cols;
  out.offsets = array<Offset>(static_cast<std::size_t>(rows) + 1);
  out.offsets[0] = 0;
  std::size_t nonzeros = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    for_each_in_row(r, [&](Index, const Value&) { ++nonzeros; });
    out.offsets[r + 1] = narrow<Offset>(nonzeros, "the number of nonzeros", where);
  }
  out.indices = array<Index>(nonzeros);
  out.values = array<Value>(nonzeros);
  std::size_t place = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
    for_each_in_row(r, [&](Index column, const Value& v) {
      out.indices[place] = column;
      out.values[place++] = v;
    });
  return out;
}

/// Sorts the columns within each row of a valid matrix, duplicates staying in their order.
template <class Value, class Index, class Offset>
void sort_valid_columns(csr<Value, Index, Offset>& a) {
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

}  // namespace detail

/// Sorts the columns within each row, duplicates staying in their order. Cost: two passes if they
/// are sorted already. Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
void sort_columns(csr<Value, Index, Offset>& a, source_place where = source_place::here()) {
  validate(detail::host_view(a, where), where);
  detail::sort_valid_columns(a);
}

/// The coordinates of `a`, in its order. Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] coo<Value, Index, Offset> to_coo(const csr_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
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
[[nodiscard]] csc<Value, Index, Offset> to_csc(const csr_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  csc<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  detail::exchange_dimensions(a, a.rows, a.cols, out);
  return out;
}

/// `a` by rows, columns ascending within each. Requires: `a` in host memory.
/// Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const csc_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  csr<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  detail::exchange_dimensions(a, a.cols, a.rows, out);
  return out;
}

/// `a` by rows, columns ascending within each and duplicates kept in their order. The
/// coordinates may come in any order. Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const coo_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  csr<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  const auto nonzeros = static_cast<std::size_t>(a.nonzeros);
  detail::compress(static_cast<std::size_t>(a.rows), nonzeros, out.offsets, out.indices, out.values,
                   [&](auto put) {
                     for (std::size_t k = 0; k < nonzeros; ++k)
                       put(a.row_indices[k], a.col_indices[k], a.values[k]);
                   });
  detail::sort_valid_columns(out);
  return out;
}

/// The same from owners.
template <class Value, class Index, class Offset>
[[nodiscard]] coo<Value, Index, Offset> to_coo(const csr<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_coo(detail::host_view(a, where), where);
}
template <class Value, class Index, class Offset>
[[nodiscard]] csc<Value, Index, Offset> to_csc(const csr<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csc(detail::host_view(a, where), where);
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const csc<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csr(detail::host_view(a, where), where);
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const coo<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csr(detail::host_view(a, where), where);
}

}  // namespace loops
