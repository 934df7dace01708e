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

/// What the exception that is being handled says. Requires: inside of a `catch`.
inline failure caught() {
  constexpr const char* too_large = "out of memory; try something smaller or a narrower --type";
  try {
    throw;
  } catch (const error& e) {
    return {e.code(), e.message()};
  } catch (const std::bad_alloc&) {
    return {errc::out_of_memory, too_large};
  } catch (const std::length_error&) {
    return {errc::out_of_memory, too_large};
  } catch (const std::exception& e) {
    return {errc::device, e.what()};
  }
}

}  // namespace loops::cli
