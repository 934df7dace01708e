// SPDX-License-Identifier: Apache-2.0
/// The words of a Matrix Market line, and what a header makes of them.
#pragma once

#include "loops/core/error.hpp"
#include "loops/io/matrix_market_reader.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "line_reader.hpp"

namespace loops::detail {

/// Where in a file the reader is; knows how to complain about it.
struct text_place {
  const std::string& name;
  std::int64_t line = 0;
  [[noreturn]] void fail(const std::string& what, errc code = errc::parse) const {
    throw error(code, name + ":" + std::to_string(line) + ": " + what);
  }
};

/// Takes the next word off the front of `text`; empty when there is none.
std::string_view next_word(std::string_view& text);

/// `word` for a message: quoted, short, and printable whatever bytes it holds.
std::string quoted(std::string_view word);

/// A whole number, '+' allowed. Fails naming `what`.
std::int64_t parse_integer(std::string_view word, const char* what, const text_place& place);

/// A finite real number, '+' allowed; what is closer to zero than any `double` becomes zero.
double parse_real(std::string_view word, const char* what, const text_place& place);

/// How short the line of an entry can be, its end included.
std::uint64_t shortest_entry(const matrix_market::header& header);

/// Reads banner, comments and size line, and checks them against each other and `demands`.
matrix_market::header parse_header(line_reader& reader, text_place& place,
                                   const matrix_market::demands& demands);

}  // namespace loops::detail
