// SPDX-License-Identifier: Apache-2.0
/// Reads the entries of Matrix Market files: a fast path for ordinary lines, a careful one that
/// decides about all others and says what is wrong.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#include "decimal.hpp"
#include "matrix_market_header.hpp"

namespace loops::detail {
namespace {

using matrix_market::field;
using matrix_market::layout;
using matrix_market::symmetry;

/// One entry, indices counted from 0.
struct entry {
  std::int64_t row = 0;
  std::int64_t col = 0;
  double re = 0;
  double im = 0;
};

const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

/// What follows the number at `p`, or `nullptr`. It may be infinite, or none: what is acceptable is
/// smaller than a bound.
template <field Field>
const char* fast_number(const char* p, const char* end, double& value) {
  p = skip_blanks(p);
  if constexpr (Field == field::integer) {
    const bool negative = *p == '-';
    std::int64_t v = 0;
    p = fast_integer(p + negative, v);
    value = static_cast<double>(negative ? -v : v);
    return p;
  } else {
    if (const char* const after = fast_decimal(p, value)) return after;
    const auto result = std::from_chars(p, end, value);
    return result.ec == std::errc() ? result.ptr : nullptr;
  }
}

class entries_reader {
 public:
  entries_reader(line_reader& reader, text_place& place, const matrix_market::demands& demands,
                 const matrix_market::header& header)
      : reader_(reader), place_(place), demands_(demands), header_(header) {
    next_.row = first_row(0);
  }

  template <field Field, layout Layout>
  matrix_market::coordinates read() {
    const auto total = static_cast<std::size_t>(header_.entries);
    std::size_t count = 0;
    auto [p, end] = reader_.rest_of_window();
    // A file may announce far more than it has: memory is only taken for what is likely there.
    grow<Field>(0,
                std::min<std::uint64_t>(total, 1024 + reader_.likely() / shortest_entry(header_)));
    while (count < total) {
      if (p == end) {
        std::tie(p, end) = reader_.next_window();
        if (p == end)
          place_.fail("the file ends after " + std::to_string(count) + " of " +
                      std::to_string(total) + " entries; it is truncated or the sizes are wrong");
      }
      while (p != end && count < total) {
        ++place_.line;
        entry e;
        const char* after = fast_entry<Field, Layout>(p, end, e);
        if (!after) {
          const auto* stop =
              static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
          after = stop + 1;
          if (stop != p && stop[-1] == '\r') --stop;
          if (!careful_entry(std::string_view(p, static_cast<std::size_t>(stop - p)), e)) {
            p = after;
            continue;
          }
        }
        p = after;
        if (count == capacity_) grow<Field>(count, std::min(total, 2 * count));
        out_.rows[count] = e.row;
        out_.cols[count] = e.col;
        if constexpr (Field != field::pattern) out_.re[count] = e.re;
        if constexpr (Field == field::complex) out_.im[count] = e.im;
        ++count;
        if constexpr (Layout == layout::array) advance();
      }
    }
    expect_end(p, end);
    out_.header = header_;
    return std::move(out_);
  }

 private:
  /// Where a column of an array starts.
  [[nodiscard]] std::int64_t first_row(std::int64_t col) const {
    if (header_.symmetry == symmetry::general) return 0;
    return header_.symmetry == symmetry::skew_symmetric ? col + 1 : col;
  }
  void advance() {
    if (++next_.row >= header_.rows) next_.row = first_row(++next_.col);
  }

  /// What only symmetric storage forbids.
  [[nodiscard]] bool stored_rightly(const entry& e) const {
    if (header_.symmetry == symmetry::general) return true;
    if (e.row != e.col) return e.row > e.col;
    if (header_.symmetry == symmetry::hermitian) return e.im == 0;
    return header_.symmetry == symmetry::symmetric || (e.re == 0 && e.im == 0);
  }

  [[nodiscard]] bool acceptable(const entry& e) const {
    return static_cast<std::uint64_t>(e.row) < static_cast<std::uint64_t>(header_.rows) &&
           static_cast<std::uint64_t>(e.col) < static_cast<std::uint64_t>(header_.cols) &&
           std::fabs(e.re) < demands_.bound && std::fabs(e.im) < demands_.bound &&
           stored_rightly(e);
  }

  /// Reads the line at `p` if there is nothing unusual about it: what follows it, or `nullptr`.
  template <field Field, layout Layout>
  const char* fast_entry(const char* p, const char* end, entry& e) const {
    if constexpr (Layout == layout::coordinate) {
      p = fast_integer(skip_blanks(p), e.row);
      if (!p || (*p != ' ' && *p != '\t')) return nullptr;
      p = fast_integer(skip_blanks(p), e.col);
      if (!p) return nullptr;
      --e.row;
      --e.col;
    } else {
      e.row = next_.row;
      e.col = next_.col;
    }
    if constexpr (Field != field::pattern) {
      if (Layout == layout::coordinate && *p != ' ' && *p != '\t') return nullptr;
      p = fast_number<Field>(p, end, e.re);
      if (!p) return nullptr;
    }
    if constexpr (Field == field::complex) {
      if (*p != ' ' && *p != '\t') return nullptr;
      p = fast_number<Field>(p, end, e.im);
      if (!p) return nullptr;
    }
    p = skip_blanks(p);
    if (*p == '\r') ++p;
    if (*p != '\n' || !acceptable(e)) return nullptr;
    return p + 1;
  }

  /// Reads any line: `false` if it is blank. Fails saying what is wrong with it.
  bool careful_entry(std::string_view line, entry& e) const {
    std::string_view rest = line;
    std::string_view word = next_word(rest);
    if (word.empty()) return false;
    if (word[0] == '%') place_.fail("a comment among the entries; move it in front of the sizes");
    if (header_.layout == layout::coordinate) {
      e.row = careful_index(word, "the row", header_.rows);
      e.col = careful_index(next_word(rest), "the column", header_.cols);
      if (header_.field != field::pattern) word = next_word(rest);
    } else {
      e.row = next_.row;
      e.col = next_.col;
    }
    e.re = e.im = 0;
    switch (header_.field) {
      case field::pattern:
        break;
      case field::integer:
        e.re = static_cast<double>(parse_integer(word, "the value", place_));
        break;
      case field::real:
        e.re = parse_real(word, "the value", place_);
        break;
      case field::complex:
        e.re = parse_real(word, "the real part", place_);
        e.im = parse_real(next_word(rest), "the imaginary part", place_);
        break;
    }
    if (const auto extra = next_word(rest); !extra.empty())
      place_.fail("found " + quoted(extra) + " after the entry; each entry has its own line");
    if (!(std::fabs(e.re) < demands_.bound && std::fabs(e.im) < demands_.bound))
      place_.fail("the entry " + quoted(line) +
                  " is too large for the value type asked for; read the matrix as double");
    if (!stored_rightly(e)) {
      if (e.row < e.col)
        place_.fail("the entry " + quoted(line) +
                    " is above the diagonal; symmetric files store the lower triangle only");
      place_.fail(header_.symmetry == symmetry::hermitian
                      ? "the diagonal of a Hermitian matrix is real, but here is " + quoted(line)
                      : "the diagonal of a skew-symmetric matrix is zero, but here is " +
                            quoted(line));
    }
    return true;
  }

  [[nodiscard]] std::int64_t careful_index(std::string_view word, const char* what,
                                           std::int64_t size) const {
    const std::int64_t index = parse_integer(word, what, place_);
    if (index < 1 || index > size)
      place_.fail(std::string(what) + " is " + std::to_string(index) + "; it must be in [1, " +
                  std::to_string(size) + "]");
    return index - 1;
  }

  /// Nothing but blank lines may follow, and a gzipped file shows its checksum only at its end.
  void expect_end(const char* p, const char* end) {
    for (;;) {
      for (; p != end; ++p) {
        place_.line += *p == '\n';
        if (*p == '\n' || *p == ' ' || *p == '\t' || *p == '\r') continue;
        ++place_.line;
        const auto* stop =
            static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
        place_.fail("found " + quoted(std::string_view(p, static_cast<std::size_t>(stop - p))) +
                    " after the last of " + std::to_string(header_.entries) +
                    " entries; the size line announces too few, or this does not belong here");
      }
      std::tie(p, end) = reader_.next_window();
      if (p == end) return;
    }
  }

  template <field Field>
  void grow(std::size_t count, std::size_t capacity) {
    const auto enlarge = [&](auto& a) {
      std::decay_t<decltype(a)> larger(capacity);
      std::copy_n(a.data(), count, larger.data());
      a = std::move(larger);
    };
    enlarge(out_.rows);
    enlarge(out_.cols);
    if constexpr (Field != field::pattern) enlarge(out_.re);
    if constexpr (Field == field::complex) enlarge(out_.im);
    capacity_ = capacity;
  }

  line_reader& reader_;
  text_place& place_;
  const matrix_market::demands& demands_;
  const matrix_market::header& header_;
  matrix_market::coordinates out_;
  std::size_t capacity_ = 0;
  entry next_;  ///< where the next entry of an array goes
};

template <field Field>
matrix_market::coordinates read_field(entries_reader& reader, layout kind) {
  if constexpr (Field != field::pattern)
    if (kind == layout::array) return reader.read<Field, layout::array>();
  return reader.read<Field, layout::coordinate>();
}

matrix_market::coordinates read_text(std::unique_ptr<byte_source> source, const std::string& name,
                                     const matrix_market::demands& demands) {
  text_place place{name};
  try {
    line_reader lines(std::move(source));
    const matrix_market::header header = parse_header(lines, place, demands);
    entries_reader entries(lines, place, demands, header);
    switch (header.field) {
      case field::real:
        return read_field<field::real>(entries, header.layout);
      case field::integer:
        return read_field<field::integer>(entries, header.layout);
      case field::complex:
        return read_field<field::complex>(entries, header.layout);
      case field::pattern:
        break;
    }
    return read_field<field::pattern>(entries, header.layout);
  } catch (const damaged& problem) {
    ++place.line;
    place.fail(problem.what);
  }
}

}  // namespace
}  // namespace loops::detail

namespace loops::matrix_market {

coordinates read_coordinates(const std::string& path, const limits& limits,
                             const demands& demands) {
  return detail::read_text(detail::open_file(path, {limits.inflation, limits.inflation_always}),
                           path, demands);
}

coordinates parse(std::string_view bytes, const std::string& name, const limits& limits,
                  const demands& demands) {
  return detail::read_text(detail::open_memory(bytes, {limits.inflation, limits.inflation_always}),
                           name, demands);
}

}  // namespace loops::matrix_market
