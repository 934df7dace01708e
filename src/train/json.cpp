// SPDX-License-Identifier: Apache-2.0
/// A recursive descent over JSON's grammar.
#include "train/json.hpp"

#include "loops/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace loops::train {

namespace {

class reader {
 public:
  reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  json whole() {
    json v = value(0);
    space();
    if (at_ != text_.size()) fail("something follows the value");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto lines =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw error(errc::parse,
                name_ + ", line " + std::to_string(lines + 1) + ": this is not JSON: " + what);
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "' is missing");
  }
  bool word(std::string_view w) {
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }

  json value(int depth) {
    if (depth > 64) fail("it is nested too deeply");
    space();
    json v;
    if (take('{')) {
      v.is = json::kind::object;
      if (take('}')) return v;
      do {
        space();
        std::string key = quoted();
        expect(':');
        v.object.insert_or_assign(std::move(key), value(depth + 1));
      } while (take(','));
      expect('}');
    } else if (take('[')) {
      v.is = json::kind::list;
      if (take(']')) return v;
      do v.list.push_back(value(depth + 1));
      while (take(','));
      expect(']');
    } else if (at_ < text_.size() && text_[at_] == '"') {
      v.is = json::kind::text;
      v.text = quoted();
    } else if (word("true") || word("false")) {
      v.is = json::kind::truth;
      v.truth = text_[at_ - 2] == 'u';
    } else if (!word("null")) {
      v.is = json::kind::number;
      const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v.number);
      if (read.ec != std::errc{}) fail("a value is missing");
      at_ = static_cast<std::size_t>(read.ptr - text_.data());
    }
    return v;
  }

  std::string quoted() {
    if (at_ == text_.size() || text_[at_] != '"') fail("a name in quotes is missing");
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\') {
        out += text_[at_];
        continue;
      }
      if (++at_ == text_.size()) break;
      const char c = text_[at_];
      if (c == 'u') {
        unsigned code = 0;
        const auto* from = text_.data() + at_ + 1;
        if (text_.size() - at_ < 5 || std::from_chars(from, from + 4, code, 16).ptr != from + 4)
          fail("four hexadecimal digits must follow \\u");
        at_ += 4;
        // Names of matrices and schedules are ASCII; anything else only has to be passed over.
        out += code < 0x80 ? static_cast<char>(code) : '?';
      } else {
        out += c == 'n'   ? '\n'
               : c == 't' ? '\t'
               : c == 'r' ? '\r'
               : c == 'b' ? '\b'
               : c == 'f' ? '\f'
                          : c;
      }
    }
    if (at_ == text_.size()) fail("a text does not end");
    ++at_;
    return out;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

const json& json::operator[](std::string_view name) const {
  static const json nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : found->second;
}

json parse_json(std::string_view text, const std::string& name) {
  return reader(text, name).whole();
}

}  // namespace loops::train
