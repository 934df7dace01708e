// SPDX-License-Identifier: Apache-2.0
/// Writes JSON as a stream of values; commas and quotes are its business.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>

namespace loops::cli {

/// Appends JSON to a string. Numbers that JSON does not know (NaN, infinity) become null.
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
    for (const char c : s) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20 || c == '<') {
        // '<' too: the text may stand inside a script of a page.
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
        text_ += escaped;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

}  // namespace loops::cli
