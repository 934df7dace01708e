// SPDX-License-Identifier: Apache-2.0
/// Conversions on the host between compressed rows and diagonals.
#pragma once

#include "loops/format/convert_compressed.hpp"
#include "loops/format/convert_ell.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <vector>

namespace loops {

/// `a` by diagonals, ascending, with `stride` = rows. Duplicates are added up.
/// Requires: `a` in host memory. Throws: as `validate`; `errc::invalid_argument` if the stored
/// entries pass `limit`; `errc::overflow` if a position does not fit `Offset`.
template <class Value, class Index, class Offset>
[[nodiscard]] dia<Value, Index, Offset> to_dia(const csr_view<Value, Index, Offset>& a,
                                               padding_limit limit = {},
                                               source_place where = source_place::here()) {
  validate(a, where);
  const auto rows = static_cast<std::size_t>(a.rows);
  std::unordered_set<Index> seen;
  for (Index r = 0; r < a.rows; ++r)
    for (Offset k = a.offsets[r]; k < a.offsets[r + 1]; ++k)
      if (seen.insert(static_cast<Index>(a.indices[k] - r)).second)
        detail::check_padding("DIA with a number of diagonals of at least", seen.size(), rows,
                              static_cast<std::size_t>(a.nonzeros), limit, where);
  std::vector<Index> diagonals(seen.begin(), seen.end());
  std::sort(diagonals.begin(), diagonals.end());

  const auto entries = static_cast<std::size_t>(
      detail::narrow_product<Offset>(diagonals.size(), rows, "the size of a DIA matrix", where));
  dia<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.stride = detail::narrow<Offset>(a.rows, "the stride of a DIA matrix", where);
  static_cast<void>(
      detail::narrow<Index>(diagonals.size(), "the number of diagonals of a DIA matrix", where));
  out.diagonals = array<Index>(diagonals);
  out.values = array<Value>(entries);
  std::fill(out.values.begin(), out.values.end(), Value{});
  for (Index r = 0; r < a.rows; ++r)
    for (Offset k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const auto d = std::lower_bound(diagonals.begin(), diagonals.end(),
                                      static_cast<Index>(a.indices[k] - r));
      Value& v = out.values[static_cast<std::size_t>(d - diagonals.begin()) * rows +
                            static_cast<std::size_t>(r)];
      v = static_cast<Value>(v + a.values[k]);
    }
  return out;
}

/// `a` by rows, columns ascending. What equals zero is taken for padding, so zeros that were
/// stored in the original matrix do not come back. Requires: `a` in host memory.
/// Throws: as `validate`; `errc::overflow` if the number of nonzeros does not fit `Offset`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const dia_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  return detail::csr_of_rows<Value, Index, Offset>(
      a.rows, a.cols,
      [&](std::size_t row, auto visit) {
        const Index r = static_cast<Index>(row);
        for (Index d = 0; d < a.count; ++d) {
          const Index diagonal = a.diagonals[d];
          // Compared without adding first: r + diagonal may pass the largest Index.
          if (diagonal < -r || (diagonal > 0 && r >= a.cols - diagonal)) continue;
          const Index column = static_cast<Index>(r + diagonal);
          if (column >= a.cols) continue;
          const Value& v =
              a.values[static_cast<std::size_t>(d) * static_cast<std::size_t>(a.stride) + row];
          if (!(v == Value{})) visit(column, v);
        }
      },
      where);
}

/// The same from owners.
template <class Value, class Index, class Offset>
[[nodiscard]] dia<Value, Index, Offset> to_dia(const csr<Value, Index, Offset>& a,
                                               padding_limit limit = {},
                                               source_place where = source_place::here()) {
  return to_dia(detail::host_view(a, where), limit, where);
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const dia<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csr(detail::host_view(a, where), where);
}

}  // namespace loops
