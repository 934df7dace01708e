// SPDX-License-Identifier: Apache-2.0
/// Texts of results and command lines inside of generated headers.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace loops::train {

/// The text as it may stand between quotes and in a comment of one line of C++: quotes behind a
/// backslash; backslashes and control characters, which would join or end lines, as octal numbers.
[[nodiscard]] inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f || c == '\\') {
      char octal[8];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(byte));
      out += octal;
    } else {
      out += c == '"' ? "\\\"" : std::string(1, c);
    }
  }
  return out;
}

}  // namespace loops::train
