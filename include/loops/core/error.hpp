// SPDX-License-Identifier: Apache-2.0
/// Every failure of the library is a `loops::error`: a code, what to do, and where it happened.
#pragma once

#include <stdexcept>
#include <string>

namespace loops {

/// What kind of failure an error reports.
enum class errc {
  invalid_argument,  ///< the caller passed something that cannot mean anything
  overflow,          ///< a count does not fit the index type that was asked for
  out_of_memory,     ///< an allocation failed
  parse,             ///< a file is malformed
  io,                ///< a file or connection could not be read or written
  unsupported,       ///< valid, but not available in this build or on this device
  device,            ///< the GPU runtime reported a failure
};

/// The name of a code, as it is printed in front of a message.
constexpr const char* to_string(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
      return "invalid argument";
    case errc::overflow:
      return "overflow";
    case errc::out_of_memory:
      return "out of memory";
    case errc::parse:
      return "parse error";
    case errc::io:
      return "input/output error";
    case errc::unsupported:
      return "unsupported";
    case errc::device:
      return "device error";
  }
  return "error";
}

/// A place in the source; as a default argument it names the caller.
/// (`std::source_location` is missing from libstdc++ as seen by clang 14.)
struct source_place {
  const char* file = "";
  int line = 0;
  static constexpr source_place here(const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

/// The exception of the library. `what()` reads "invalid argument: x has 3 elements … (file:line)".
class error : public std::runtime_error {
 public:
  error(errc code, const std::string& message, source_place where = source_place::here())
      : std::runtime_error(std::string(to_string(code)) + ": " + message + " (" + where.file + ":" +
                           std::to_string(where.line) + ")"),
        code_(code),
        message_(message),
        where_(where) {}

  [[nodiscard]] errc code() const noexcept { return code_; }
  /// The message alone, without code and place: what a command line shows its user.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] source_place where() const noexcept { return where_; }

 private:
  errc code_;
  std::string message_;
  source_place where_;
};

/// Throws `error(code, message)` unless `condition` holds.
inline void require(bool condition, errc code, const char* message,
                    source_place where = source_place::here()) {
  if (!condition) throw error(code, message, where);
}

}  // namespace loops
