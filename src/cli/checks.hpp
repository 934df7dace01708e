// SPDX-License-Identifier: Apache-2.0
/// What the value of an option must be, with messages that name the value.
#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace loops::cli {

/// Whether it is a decimal whole number that `fits`, written without zeros in front from then on:
/// CLI11 would take one that begins with 0 as octal.
template <class Fits>
bool is_whole(std::string& text, const Fits& fits) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc{} || stop != end || !fits(value)) return false;
  text = std::to_string(value);
  return true;
}

/// A decimal whole number from `first` to `last`.
inline CLI::Validator whole(std::int64_t first, std::int64_t last) {
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  return CLI::Validator(
      [=](std::string& text) {
        if (is_whole(text, [=](std::int64_t n) { return n >= first && n <= last; }))
          return std::string();
        return "'" + text + "' is not a whole number from " + range;
      },
      "from " + range);
}

/// One of two decimal whole numbers.
inline CLI::Validator either(std::int64_t one, std::int64_t other) {
  const std::string a = std::to_string(one);
  const std::string b = std::to_string(other);
  return CLI::Validator(
      [=](std::string& text) {
        if (is_whole(text, [=](std::int64_t n) { return n == one || n == other; }))
          return std::string();
        return "'" + text + "' is neither " + a + " nor " + b;
      },
      a + " or " + b);
}

/// A number, neither infinite nor NaN.
inline CLI::Validator finite() {
  return CLI::Validator(
      [](const std::string& text) {
        char* stop = nullptr;
        const double value = std::strtod(text.c_str(), &stop);
        const bool fits = !text.empty() && *stop == '\0' && std::isfinite(value);
        return fits ? std::string() : "'" + text + "' is not a finite number";
      },
      "");
}

/// What is wrong with the word that stands where a subcommand should, and is none; empty when there
/// is no such word.
inline std::string stray_word(const CLI::App& app, int count, const char* const* arguments) {
  const CLI::App* at = &app;
  for (int i = 1; i < count && at->get_require_subcommand_min() > 0; ++i) {
    const std::string word = arguments[i];
    if (word.empty() || word[0] == '-') break;
    const CLI::App* next = nullptr;
    std::string names;
    for (const CLI::App* s : at->get_subcommands([](const CLI::App*) { return true; })) {
      if (s->get_name() == word) next = s;
      names += " " + s->get_name();
    }
    if (!next)
      return "'" + word + "' is no subcommand of `" + at->get_name() + "`; it has:" + names;
    at = next;
  }
  return {};
}

}  // namespace loops::cli
