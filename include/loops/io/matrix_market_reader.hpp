// SPDX-License-Identifier: Apache-2.0
/// Reads Matrix Market files, plain or gzipped, as stored or expanded into CSR.
#pragma once

#include "loops/core/complex.hpp"
#include "loops/core/error.hpp"
#include "loops/core/float16.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/convert_compressed.hpp"
#include "loops/format/formats.hpp"
#include "loops/format/validate.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

/// What a Matrix Market file says, before anything is made of it.
namespace matrix_market {

/// The words of a banner, one kind each.
enum class layout { coordinate, array };
enum class field { real, integer, complex, pattern };
enum class symmetry { general, symmetric, skew_symmetric, hermitian };

/// The banner and the size line.
struct header {
  matrix_market::layout layout = layout::coordinate;
  matrix_market::field field = field::real;
  matrix_market::symmetry symmetry = symmetry::general;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;    ///< as stored: one triangle unless the matrix is general
  std::int64_t size_line = 0;  ///< where the sizes were found, counted from 1
};

/// The entries as stored, in the order of the file, indices counted from 0. Symmetric files hold
/// their lower triangle, skew-symmetric ones without the diagonal. `re` is empty for patterns,
/// `im` for all but complex files. The entries of array files go down the columns.
struct coordinates {
  matrix_market::header header;
  array<std::int64_t> rows;
  array<std::int64_t> cols;
  array<double> re;
  array<double> im;
};

/// How far a file is believed. The defaults accept every matrix anyone works with and refuse
/// what would only exhaust the machine.
struct limits {
  double inflation = 256;                     ///< text bytes per gzipped byte …
  std::uint64_t inflation_always = 64 << 20;  ///< … once there are more text bytes than these
  double rows_per_entry = 64;                 ///< rows of a CSR per stored entry …
  std::int64_t rows_always = 64 << 20;        ///< … once there are more rows than these

  /// Whether so many rows are believed to belong to so many entries.
  [[nodiscard]] bool believe(std::int64_t rows, std::int64_t entries) const {
    return rows <= rows_always ||
           static_cast<double>(rows) <= rows_per_entry * static_cast<double>(entries);
  }
};

/// What the reader of a file can take; anything else is an error that names the line.
struct demands {
  bool complex = true;  ///< whether complex values are taken
  /// The magnitude of every real and imaginary part must be less.
  double bound = std::numeric_limits<double>::infinity();
  std::int64_t largest_index = std::numeric_limits<std::int64_t>::max();   ///< for rows and columns
  std::int64_t largest_offset = std::numeric_limits<std::int64_t>::max();  ///< for entries
};

/// Reads a file as it is stored. Whether it is gzipped is seen from its first bytes.
/// Cost: one pass over the file in pieces; 16 bytes per entry and 8 more per part of a value.
/// Throws: `errc::io` if it cannot be read; `errc::parse` naming file and line if it is malformed
/// or `limits` forbid it; `errc::overflow` if its sizes are too large for `demands`.
[[nodiscard]] coordinates read_coordinates(const std::string& path, const limits& limits = {},
                                           const demands& demands = {});

/// The same from the bytes of a file, gzipped or not; `name` stands for the path in messages.
[[nodiscard]] coordinates parse(std::string_view bytes, const std::string& name = "memory",
                                const limits& limits = {}, const demands& demands = {});

}  // namespace matrix_market

namespace detail {

/// Numbers of a file as elements of a matrix: which are accepted, and how they are rounded.
template <class Value>
struct matrix_market_value;

template <>
struct matrix_market_value<double> {
  static constexpr bool complex = false;
  static constexpr double bound = std::numeric_limits<double>::infinity();
  static double make(double re, double) { return re; }
};
template <>
struct matrix_market_value<float> {
  static constexpr bool complex = false;
  static constexpr double bound = 0x1.ffffffp127;  // halfway from the largest float to the next
  static float make(double re, double) { return static_cast<float>(re); }
};

/// A float that lies on the same side as `d` of everything with fewer bits, so that rounding it
/// once more gives what rounding `d` itself would have given.
inline float round_to_odd(double d) {
  const float f = static_cast<float>(d);
  if (static_cast<double>(f) == d || (std::bit_cast<std::uint32_t>(f) & 1U)) return f;
  return std::nextafterf(f, d > static_cast<double>(f) ? std::numeric_limits<float>::infinity()
                                                       : -std::numeric_limits<float>::infinity());
}

template <>
struct matrix_market_value<half> {
  static constexpr bool complex = false;
  static constexpr double bound = 65520;
  static half make(double re, double) { return half(round_to_odd(re)); }
};
template <>
struct matrix_market_value<bfloat16> {
  static constexpr bool complex = false;
  static constexpr double bound = 0x1.ffp127;
  static bfloat16 make(double re, double) { return bfloat16(round_to_odd(re)); }
};
template <class Part>
struct matrix_market_value<loops::complex<Part>> {
  static constexpr bool complex = true;
  static constexpr double bound = matrix_market_value<Part>::bound;
  static loops::complex<Part> make(double re, double im) {
    return {static_cast<Part>(re), static_cast<Part>(im)};
  }
};

/// The largest number of things that a `Count` can say, as far as a file can.
template <class Count>
inline constexpr std::int64_t most_counted =
    std::in_range<std::int64_t>(std::numeric_limits<Count>::max())
        ? static_cast<std::int64_t>(std::numeric_limits<Count>::max())
        : std::numeric_limits<std::int64_t>::max();

/// What a CSR of these types can take.
template <class Value, class Index, class Offset>
matrix_market::demands matrix_market_demands() {
  return {matrix_market_value<Value>::complex, matrix_market_value<Value>::bound,
          most_counted<Index>, most_counted<Offset>};
}

/// Expands what a file stores to all of the matrix, sorted by row and column.
template <class Value, class Index, class Offset>
csr<Value, Index, Offset> expand(const matrix_market::coordinates& stored, const std::string& name,
                                 const matrix_market::limits& limits) {
  const matrix_market::header& h = stored.header;
  if (!limits.believe(h.rows, h.entries))
    throw error(errc::parse, name + ":" + std::to_string(h.size_line) + ": " +
                                 std::to_string(h.rows) + " rows for " + std::to_string(h.entries) +
                                 " entries: too empty to be believed; a program that means "
                                 "it raises limits::rows_per_entry");
  const auto rows = static_cast<std::size_t>(narrow<Index>(h.rows, "the number of rows"));
  const auto entries = static_cast<std::size_t>(h.entries);
  const bool mirrored = h.symmetry != matrix_market::symmetry::general;
  const bool has_re = h.field != matrix_market::field::pattern;
  const bool has_im = h.field == matrix_market::field::complex;
  const double re_sign = h.symmetry == matrix_market::symmetry::skew_symmetric ? -1 : 1;
  const double im_sign = h.symmetry == matrix_market::symmetry::symmetric ? 1 : -1;
  const auto make = &matrix_market_value<Value>::make;

  csr<Value, Index, Offset> out;
  out.rows = static_cast<Index>(h.rows);
  out.cols = narrow<Index>(h.cols, "the number of columns");
  std::size_t nonzeros = entries;
  if (mirrored)
    for (std::size_t k = 0; k < entries; ++k) nonzeros += stored.rows[k] != stored.cols[k];
  static_cast<void>(narrow<Offset>(nonzeros, "the number of nonzeros, both triangles counted,"));
  compress(rows, nonzeros, out.offsets, out.indices, out.values, [&](auto put) {
    for (std::size_t k = 0; k < entries; ++k) {
      const double re = has_re ? stored.re[k] : 1;
      const double im = has_im ? stored.im[k] : 0;
      put(stored.rows[k], stored.cols[k], make(re, im));
      // Without an imaginary part there is none to negate: 0, not -0.
      if (mirrored && stored.rows[k] != stored.cols[k])
        put(stored.cols[k], stored.rows[k], make(re_sign * re, has_im ? im_sign * im : 0));
    }
  });
  sort_valid_columns(out);
  return out;
}

}  // namespace detail

/// Reads a Matrix Market file (`.mtx`, `.mtx.gz`) into CSR. Both triangles of symmetric,
/// skew-symmetric and Hermitian files are there; patterns have the value 1; columns ascend within
/// each row. Entries given twice stay two nonzeros, in the order of the file: their sum is what
/// the format means by them. Zeros that are stored stay, also those of array files. Numbers,
/// integers included, are read as `double` and rounded to `Value` to nearest even.
/// `Value` is float, double, half, bfloat16, complex<float> or complex<double>.
/// Cost: one core, a pass over the file and a counting sort; 24 bytes of scratch per real entry.
/// Throws: `errc::io` if it cannot be read; `errc::parse` naming file and line if it is malformed,
/// is complex and `Value` is not, or a number is too large for `Value`; `errc::overflow` if sizes
/// do not fit `Index` or `Offset`.
template <class Value, class Index = std::int32_t, class Offset = Index>
[[nodiscard]] csr<Value, Index, Offset> read_matrix_market(
    const std::string& path, const std::shared_ptr<memory>& where = default_host_memory(),
    const matrix_market::limits& limits = {}) {
  auto out = detail::expand<Value, Index, Offset>(
      matrix_market::read_coordinates(path, limits,
                                      detail::matrix_market_demands<Value, Index, Offset>()),
      path, limits);
  return !where || where == default_host_memory() ? std::move(out) : out.to(where);
}

/// The same from the bytes of a file, gzipped or not; `name` stands for the path in messages.
template <class Value, class Index = std::int32_t, class Offset = Index>
[[nodiscard]] csr<Value, Index, Offset> parse_matrix_market(
    std::string_view bytes, const std::string& name = "memory",
    const matrix_market::limits& limits = {}) {
  return detail::expand<Value, Index, Offset>(
      matrix_market::parse(bytes, name, limits,
                           detail::matrix_market_demands<Value, Index, Offset>()),
      name, limits);
}

}  // namespace loops
