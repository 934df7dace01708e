// SPDX-License-Identifier: Apache-2.0
/// Why the command, or one of its inputs, failed: what it says, and the code that it ends with.
#pragma once

#include "loops/core/error.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "cli/commands.hpp"

namespace loops::cli {

struct failure {
  errc kind = errc::device;
  std::string message;

  [[nodiscard]] exit_code code() const {
    switch (kind) {
      case errc::invalid_argument:
      case errc::unsupported:
        return exit_usage;
      case errc::parse:
      case errc::io:
      case errc::overflow:
        return exit_unreadable;
      case errc::out_of_memory:
      case errc::device:
        return exit_machine;
    }
    return exit_machine;
  }
};

/// A message of the library without the members of its types, which the command has no options for.
inline std::string for_the_command(std::string message) {
  struct advice {
    const char* from;  ///< where the library's begins …
    const char* to;    ///< … and ends
    const char* instead;
  };
  constexpr advice all[] = {
      {"raise padding_limit::growth", "or use CSR", "take another --format, such as csr"},
      {"if this is meant, raise limits::rows_per_entry", "rows_per_entry",
       "check the line of sizes; the command reads no matrix of so many empty rows"},
      {"more than limits::inflation times their size", "their size",
       "hundreds of times their size"},
      {"unpack it first or raise that limit", "that limit", "unpack it first"},
  };
  for (const advice& a : all) {
    const auto begin = message.find(a.from);
    if (begin == std::string::npos) continue;
    const auto end = message.find(a.to, begin);
    if (end != std::string::npos)
      message.replace(begin, end + std::string(a.to).size() - begin, a.instead);
  }
  return message;
}

/// What the exception that is being handled says. Requires: inside of a `catch`.
inline failure caught() {
  constexpr const char* too_large = "out of memory; try something smaller or a narrower --type";
  try {
    throw;
  } catch (const error& e) {
    return {e.code(), for_the_command(e.message())};
  } catch (const std::bad_alloc&) {
    return {errc::out_of_memory, too_large};
  } catch (const std::length_error&) {
    return {errc::out_of_memory, too_large};
  } catch (const std::exception& e) {
    return {errc::device, e.what()};
  }
}

}  // namespace loops::cli
