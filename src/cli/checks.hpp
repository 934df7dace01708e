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

/// A decimal whole number from `first` to `last`; CLI11 would take one that begins with 0 as octal.
inline CLI::Validator whole(std::int64_t first, std::int64_t last) {
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  return CLI::Validator(
      [=](std::string& text) {
        std::int64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, failed] = std::from_chars(text.data(), end, value);
        const bool fits = failed == std::errc{} && stop == end && value >= first && value <= last;
        if (!fits) return "'" + text + "' is not a whole number from " + range;
        text = std::to_string(value);
        return std::string();
      },
      "from " + range);
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
