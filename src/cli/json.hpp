// SPDX-License-Identifier: Apache-2.0
/// Writes JSON as a stream of values; commas and quotes are its business.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace loops::cli {

/// Bytes of the UTF-8 character that `s` begins with; 0 when that is none.
inline std::size_t character_at(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U;
  };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  // Longer than need be, half of a pair, or beyond the last there is.
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) ||
                     first > 0xf4;
  return wrong ? 0 : length;
}

/// Appends JSON to a string. Numbers that JSON does not know (NaN, infinity) become null; bytes
/// that are no UTF-8, as names of files may have, become U+FFFD.
class json_writer {
 public:
  json_writer& begin(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  json_writer& end(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  json_writer& key(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  json_writer& value(std::string_view s) {
    separate();
    quote(s);
    return *this;
  }
  json_writer& value(const char* s) { return value(std::string_view(s)); }
  json_writer& value(bool b) { return raw(b ? "true" : "false"); }
  json_writer& value(std::integral auto n) { return raw(std::to_string(n)); }
  json_writer& value(double x) {
    if (!std::isfinite(x)) return raw("null");
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", x);
    return raw(digits);
  }
  template <class T>
  json_writer& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  json_writer& raw(std::string_view s) {
    separate();
    text_ += s;
    return *this;
  }
  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  void quote(std::string_view s) {
    text_ += '"';
    for (std::size_t length = 1; !s.empty(); s.remove_prefix(length)) {
      const char c = s.front();
      length = character_at(s);
      if (length == 0) {
        text_ += "\\ufffd";
        length = 1;
      } else if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
        // '<' too: the text may stand inside a script of a page.
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
        text_ += escaped;
      } else {
        text_ += s.substr(0, length);
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace loops::cli
