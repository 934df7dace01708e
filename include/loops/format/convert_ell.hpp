// SPDX-License-Identifier: Apache-2.0
/// Conversions on the host between compressed rows and ELLPACK.
#pragma once

#include "loops/format/convert_compressed.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace loops {

/// How much larger a padded format may be than the matrix it holds.
struct padding_limit {
  double growth = 16;            ///< stored entries, padding included, per nonzero
  std::size_t always = 1 << 16;  ///< stored entries that are never refused
};

namespace detail {

/// Throws: `errc::invalid_argument` if `width * rows` entries are too many for `nonzeros`.
inline void check_padding(const char* what, std::size_t width, std::size_t rows,
                          std::size_t nonzeros, const padding_limit& limit, source_place where) {
  const double entries = static_cast<double>(width) * static_cast<double>(rows);
  const double allowed =
      std::max(static_cast<double>(limit.always), limit.growth * static_cast<double>(nonzeros));
  if (!(entries > allowed)) return;
  char numbers[128];
  std::snprintf(numbers, sizeof numbers,
                " needs %.0f entries for %zu nonzeros; raise padding_limit::growth (now %.6g)",
                entries, nonzeros, limit.growth);
  throw error(errc::invalid_argument,
              std::string(what) + " " + std::to_string(width) + " on " + std::to_string(rows) +
                  " rows" + numbers + " or use CSR",
              where);
}

}  // namespace detail

/// `a` as ELLPACK with `width` = longest row and `stride` = rows; padding is column -1, value 0.
/// Requires: `a` in host memory. Throws: as `validate`; `errc::invalid_argument` if the padding
/// passes `limit`; `errc::overflow` if the width or a position does not fit.
template <class Value, class Index, class Offset>
[[nodiscard]] ell<Value, Index, Offset> to_ell(const csr_view<Value, Index, Offset>& a,
                                               padding_limit limit = {},
                                               source_place where = source_place::here()) {
  validate(a, where);
  Offset longest = 0;
  for (Index r = 0; r < a.rows; ++r)
    longest = std::max(longest, static_cast<Offset>(a.offsets[r + 1] - a.offsets[r]));
  const auto rows = static_cast<std::size_t>(a.rows);
  const auto width = static_cast<std::size_t>(longest);
  detail::check_padding("ELL width", width, rows, static_cast<std::size_t>(a.nonzeros), limit,
                        where);
  const auto entries = static_cast<std::size_t>(
      detail::narrow_product<Offset>(width, rows, "the size of an ELL matrix", where));
  ell<Value, Index, Offset> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.width = detail::narrow<Index>(longest, "the width of an ELL matrix", where);
  out.stride = detail::narrow<Offset>(a.rows, "the stride of an ELL matrix", where);
  out.indices = array<Index>(entries);
  out.values = array<Value>(entries);
  std::fill(out.indices.begin(), out.indices.end(), ell_view<Value, Index, Offset>::padding);
  std::fill(out.values.begin(), out.values.end(), Value{});
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t place = r;
    for (Offset k = a.offsets[r]; k < a.offsets[r + 1]; ++k, place += rows) {
      out.indices[place] = a.indices[k];
      out.values[place] = a.values[k];
    }
  }
  return out;
}

/// `a` by rows, in its order, without what has column -1; stored zeros stay.
/// Requires: `a` in host memory. Throws: as `validate`.
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const ell_view<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  validate(a, where);
  const auto width = static_cast<std::size_t>(a.width);
  const auto stride = static_cast<std::size_t>(a.stride);
  return detail::csr_of_rows<Value, Index, Offset>(
      a.rows, a.cols,
      [&](std::size_t r, auto visit) {
        for (std::size_t k = 0; k < width; ++k)
          if (const Index column = a.indices[k * stride + r]; column != a.padding)
            visit(column, a.values[k * stride + r]);
      },
      where);
}

/// The same from owners.
template <class Value, class Index, class Offset>
[[nodiscard]] ell<Value, Index, Offset> to_ell(const csr<Value, Index, Offset>& a,
                                               padding_limit limit = {},
                                               source_place where = source_place::here()) {
  return to_ell(detail::host_view(a, where), limit, where);
}
template <class Value, class Index, class Offset>
[[nodiscard]] csr<Value, Index, Offset> to_csr(const ell<Value, Index, Offset>& a,
                                               source_place where = source_place::here()) {
  return to_csr(detail::host_view(a, where), where);
}

}  // namespace loops
