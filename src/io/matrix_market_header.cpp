// SPDX-License-Identifier: Apache-2.0
/// Reads words, numbers and headers carefully; the fast path for entries is elsewhere.
#include "matrix_market_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace loops::detail {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The word without a leading '+', unless a '-' follows. A second '+' is refused by who reads on.
std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

/// Whether a decimal number that no `double` can hold is too large, rather than too small.
bool is_huge(std::string_view digits) {
  // The place of the first significant digit, relative to the point, plus the exponent.
  std::int64_t place = 0;
  bool point = false;
  bool significant = false;
  std::size_t k = 0;
  for (; k < digits.size() && (is_digit(digits[k]) || digits[k] == '.' || digits[k] == '-'); ++k) {
    if (digits[k] == '.') point = true;
    if (!is_digit(digits[k])) continue;
    significant = significant || digits[k] != '0';
    if (!point && significant) ++place;
    if (point && !significant) --place;
  }
  if (k < digits.size()) {
    const std::string_view text = without_plus(digits.substr(k + 1));
    std::int64_t exponent = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (result.ec == std::errc::result_out_of_range) return text[0] != '-';
    // Further than a file is long.
    constexpr std::int64_t enough = std::numeric_limits<std::int64_t>::max() / 2;
    place += std::clamp(exponent, -enough, enough);
  }
  return place > 0;
}

void parse_banner(std::string_view line, const text_place& place, matrix_market::header& header) {
  if (line.substr(0, 3) == "\xef\xbb\xbf")
    place.fail("the file starts with a byte order mark; save it as plain ASCII");
  const std::string_view shown = line;
  if (next_word(line) != "%%MatrixMarket" || shown.substr(0, 2) != "%%")
    place.fail("found " + quoted(shown) +
               " where a Matrix Market file starts with '%%MatrixMarket matrix …'; "
               "if this is an archive, unpack it first");
  const std::string object = lower(next_word(line));
  if (object != "matrix")
    place.fail("the object is " + quoted(object) + "; only 'matrix' can be read");

  const std::string layout = lower(next_word(line));
  if (layout == "coordinate")
    header.layout = matrix_market::layout::coordinate;
  else if (layout == "array")
    header.layout = matrix_market::layout::array;
  else
    place.fail("the format is " + quoted(layout) + "; it must be 'coordinate' or 'array'");

  const std::string field = lower(next_word(line));
  if (field == "real")
    header.field = matrix_market::field::real;
  else if (field == "integer")
    header.field = matrix_market::field::integer;
  else if (field == "complex")
    header.field = matrix_market::field::complex;
  else if (field == "pattern")
    header.field = matrix_market::field::pattern;
  else
    place.fail("the field is " + quoted(field) +
               "; it must be 'real', 'integer', 'complex' or 'pattern'");

  const std::string symmetry = lower(next_word(line));
  if (symmetry == "general")
    header.symmetry = matrix_market::symmetry::general;
  else if (symmetry == "symmetric")
    header.symmetry = matrix_market::symmetry::symmetric;
  else if (symmetry == "skew-symmetric")
    header.symmetry = matrix_market::symmetry::skew_symmetric;
  else if (symmetry == "hermitian")
    header.symmetry = matrix_market::symmetry::hermitian;
  else
    place.fail("the symmetry is " + quoted(symmetry) +
               "; it must be 'general', 'symmetric', 'skew-symmetric' or 'Hermitian'");
  if (const auto extra = next_word(line); !extra.empty())
    place.fail("found " + quoted(extra) + " after the symmetry; the banner has five words");

  if (header.field == matrix_market::field::pattern) {
    if (header.layout == matrix_market::layout::array)
      place.fail("an array has values, so its field cannot be 'pattern'");
    if (header.symmetry == matrix_market::symmetry::skew_symmetric)
      place.fail("a pattern has no signs, so it cannot be 'skew-symmetric'");
  }
  if (header.symmetry == matrix_market::symmetry::hermitian &&
      header.field != matrix_market::field::complex)
    place.fail("only a complex matrix can be 'Hermitian'; a real one is 'symmetric'");
}

/// The number of entries that an array of this shape and symmetry stores.
std::int64_t array_entries(const matrix_market::header& h, const text_place& place) {
  const auto rows = static_cast<std::uint64_t>(h.rows);
  const auto cols = static_cast<std::uint64_t>(h.cols);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (cols != 0 && rows > most / 2 / cols)
    place.fail("an array of " + std::to_string(rows) + " x " + std::to_string(cols) +
               " elements cannot be addressed");
  switch (h.symmetry) {
    case matrix_market::symmetry::general:
      return static_cast<std::int64_t>(rows * cols);
    case matrix_market::symmetry::skew_symmetric:
      return static_cast<std::int64_t>(rows * (rows - 1) / 2);
    default:
      return static_cast<std::int64_t>(rows * (rows + 1) / 2);
  }
}

}  // namespace

std::uint64_t shortest_entry(const matrix_market::header& h) {
  const std::uint64_t indices = h.layout == matrix_market::layout::coordinate ? 2 : 0;
  const std::uint64_t numbers = h.field == matrix_market::field::pattern   ? 0
                                : h.field == matrix_market::field::complex ? 2
                                                                           : 1;
  return 2 * (indices + numbers);  // one digit and one separator each
}

std::string_view next_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t enough = 40;
  std::string out = "'";
  for (const char c : word.substr(0, enough)) out += c >= ' ' && c <= '~' ? c : '?';
  out += word.size() > enough ? "…'" : "'";
  return out;
}

std::int64_t parse_integer(std::string_view word, const char* what, const text_place& place) {
  const std::string_view digits = without_plus(word);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (word.empty()) place.fail(std::string(what) + " is missing");
  if (status == std::errc::invalid_argument || end != digits.data() + digits.size())
    place.fail(std::string(what) + " is " + quoted(word) + "; it must be a whole number");
  if (status == std::errc::result_out_of_range)
    place.fail(std::string(what) + " is " + quoted(word) + ", which 64 bits cannot hold");
  return value;
}

double parse_real(std::string_view word, const char* what, const text_place& place) {
  const std::string_view digits = without_plus(word);
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (word.empty()) place.fail(std::string(what) + " is missing");
  const char first = digits[digits[0] == '-' && digits.size() > 1 ? 1 : 0];
  if (status == std::errc::invalid_argument || end != digits.data() + digits.size() ||
      !(is_digit(first) || first == '.'))  // "nan" and "inf" are words to from_chars
    place.fail(std::string(what) + " is " + quoted(word) + "; it must be a finite decimal number");
  if (status == std::errc::result_out_of_range) {
    if (is_huge(digits))
      place.fail(std::string(what) + " is " + quoted(word) + ", which a double cannot hold");
    return digits[0] == '-' ? -0.0 : 0.0;
  }
  return value;
}

matrix_market::header parse_header(line_reader& reader, text_place& place,
                                   const matrix_market::demands& demands) {
  matrix_market::header header;
  const char* begin = nullptr;
  const char* end = nullptr;
  const auto next_line = [&] {
    const bool got = reader.next_line(begin, end);
    ++place.line;
    return got;
  };
  if (!next_line()) place.fail("the file is empty; it must start with '%%MatrixMarket matrix …'");
  const auto line = [&] { return std::string_view(begin, static_cast<std::size_t>(end - begin)); };
  parse_banner(line(), place, header);
  if (header.field == matrix_market::field::complex && !demands.complex)
    place.fail("the matrix is complex; read it into complex<float> or complex<double>");

  std::string_view text;
  std::string_view word;
  do {
    if (!next_line()) place.fail("the file ends before its size line");
    text = line();
    word = begin != end && *begin == '%' ? std::string_view() : next_word(text);
  } while (word.empty());

  header.size_line = place.line;
  header.rows = parse_integer(word, "the number of rows", place);
  header.cols = parse_integer(next_word(text), "the number of columns", place);
  const bool coordinate = header.layout == matrix_market::layout::coordinate;
  if (coordinate) header.entries = parse_integer(next_word(text), "the number of entries", place);
  if (const auto extra = next_word(text); !extra.empty())
    place.fail("found " + quoted(extra) + " after the sizes; this line has " +
               (coordinate ? "three numbers" : "two numbers"));
  if (header.rows < 0 || header.cols < 0 || header.entries < 0)
    place.fail("sizes may not be negative");
  if (header.symmetry != matrix_market::symmetry::general && header.rows != header.cols)
    place.fail("the matrix is " + std::to_string(header.rows) + " x " +
               std::to_string(header.cols) + "; only a square one can be symmetric");
  if (!coordinate) header.entries = array_entries(header, place);
  // Checked before anything is allocated for them. The last line needs no end.
  if (static_cast<std::uint64_t>(header.entries) >
      (reader.most_left() + 1) / shortest_entry(header))
    place.fail(std::to_string(header.entries) +
               " entries are announced, but the rest of the file is too short for them; "
               "it is truncated or the sizes are wrong");
  if (header.rows > demands.largest_index || header.cols > demands.largest_index)
    place.fail("the matrix is " + std::to_string(header.rows) + " x " +
                   std::to_string(header.cols) + "; read it with a wider Index",
               errc::overflow);
  if (header.entries > demands.largest_offset)
    place.fail("the matrix has " + std::to_string(header.entries) +
                   " entries; read it with a wider Offset",
               errc::overflow);
  return header;
}

}  // namespace loops::detail
