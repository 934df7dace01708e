// SPDX-License-Identifier: Apache-2.0
/// Conversions on the host between compressed rows and compressed rows of blocks.
#pragma once

#include "loops/format/convert_compressed.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loops {

/// `a` in blocks of R x C, block columns ascending within each block row. Duplicates are added up.
/// Cost: the block columns of each block row are sorted. Requires: `a` in host memory.
/// Throws: as `validate`; `errc::overflow` if the number of stored values does not fit `Offset`.
template <int R, int C, class Value, class Index, class Offset>
[[nodiscard]] bcsr<Value, R, C, Index, Offset> to_bcsr(const csr_view<Value, Index, Offset>& a,
                                                       source_place where = source_place::here()) {
  static_assert(R > 0 && C > 0, "a block has at least one row and one column");
  validate(a, where);
  constexpr std::size_t area = std::size_t(R) * std::size_t(C);
  const auto rows = static_cast<std::size_t>(a.rows);
  const std::size_t block_rows = (rows + R - 1) / R;
  const auto first_of = [&](std::size_t b) {
    return static_cast<std::size_t>(a.offsets[std::min(rows, b * R)]);
  };

  bcsr<Value, R, C, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.offsets = array<Offset>(block_rows + 1);
  out.offsets[0] = 0;
  std::vector<Index> columns;
  for (std::size_t b = 0; b < block_rows; ++b) {
    const std::size_t begin = columns.size();
    for (std::size_t k = first_of(b); k < first_of(b + 1); ++k) {
      const Index column = static_cast<Index>(a.indices[k] / C);
      if (columns.size() == begin || columns.back() != column) columns.push_back(column);
    }
    const auto first = columns.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, columns.end());
    columns.erase(std::unique(first, columns.end()), columns.end());
    out.offsets[b + 1] = static_cast<Offset>(columns.size());
  }

  const auto stored = static_cast<std::size_t>(detail::narrow_product<Offset>(
      columns.size(), area, "the number of values in blocks", where));
  out.indices = array<Index>(columns);
  out.values = array<Value>(stored);
  std::fill(out.values.begin(), out.values.end(), Value{});
  for (std::size_t r = 0; r < rows; ++r) {
    const Index* const first = out.indices.data() + out.offsets[r / R];
    const Index* const last = out.indices.data() + out.offsets[r / R + 1];
    for (Offset k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const Index column = a.indices[k];
      const Index* const block = std::lower_bound(first, last, static_cast<Index>(column / C));
      const auto number = static_cast<std::size_t>(block - out.indices.data());
      Value& v = out.values[number * area + r % R * C + static_cast<std::size_t>(column % C)];
      v = static_cast<Value>(v + a.values[k]);
    }
  }
  return out;
}

/// `a` by rows, columns ascending. What equals zero is taken for padding, so zeros that were
/// stored in the original matrix do not come back. Requires: `a` in host memory.
/// Throws: as `validate`; `errc::overflow` if the number of nonzeros does not fit `Offset`.
template <class Value, int R, int C, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const bcsr_view<Value, R, C, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  const auto cols = static_cast<std::size_t>(a.cols);
  const auto for_each_in_row = [&](std::size_t r, auto&& visit) {
    for (Offset b = a.offsets[r / R]; b < a.offsets[r / R + 1]; ++b)
      for (std::size_t c = 0; c < C; ++c) {
        const std::size_t column = static_cast<std::size_t>(a.indices[b]) * C + c;
        const Value& v = a.values[(static_cast<std::size_t>(b) * R + r % R) * C + c];
        if (column < cols && !(v == Value{})) visit(static_cast<Index>(column), v);
      }
  };
  auto out = detail::csr_of_rows<Value, Index, Offset>(a.rows, a.cols, for_each_in_row, where);
  detail::sort_valid_columns(out);  // blocks may be stored in any order
  return out;
}

/// The same from owners.
template <int R, int C, class Value, class Index, class Offset>
[[nodiscard]] bcsr<Value, R, C, Index, Offset> to_bcsr(const csr<Value, Index, Offset>& a,
                                                       source_place where = source_place::here()) {
  return to_bcsr<R, C>(detail::host_view(a, where), where);
}
template <class Value, int R, int C, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const bcsr<Value, R, C, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csr(detail::host_view(a, where), where);
}

}  // namespace loops
