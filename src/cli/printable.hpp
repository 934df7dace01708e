// SPDX-License-Identifier: Apache-2.0
/// What a command line or a file name may hold, as it may be shown on a terminal.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/json.hpp"

namespace loops::cli {

/// The text on one line that moves no cursor: control characters, those of UTF-8 too, and bytes
/// that are no UTF-8 as "\x1b".
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string out;
  for (; !text.empty();) {
    const std::size_t length = character_at(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool control =
        first < ' ' || first == 0x7f ||
        (length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    const std::string_view whole = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || control) {
      for (const char c : whole) {
        char hex[8];
        std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(c) & 0xffU);
        out += hex;
      }
    } else {
      out += whole;
    }
    text.remove_prefix(whole.size());
  }
  return out;
}

/// The text as `printable` gives it, cut after `width` characters; where it has fewer, as many
/// blanks as are missing behind it if asked for.
[[nodiscard]] inline std::string printable(std::string_view text, std::size_t width,
                                           bool filled = false) {
  std::string out = printable(text);
  std::size_t bytes = 0;
  for (; width > 0 && bytes < out.size(); --width)
    bytes += character_at(std::string_view(out).substr(bytes));
  out.resize(bytes);
  return out.append(filled ? width : 0, ' ');
}

/// A line on standard error.
inline void say(const std::string& message) {
  std::fprintf(stderr, "loops: %s\n", printable(message).c_str());
}

}  // namespace loops::cli
