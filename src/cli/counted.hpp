// SPDX-License-Identifier: Apache-2.0
/// Numbers with what they count.
#pragma once

#include <cstdint>
#include <string>

namespace loops::cli {

/// The word for one, or for any other number.
[[nodiscard]] inline std::string plural(std::int64_t n, const char* one) {
  return std::string(one) + (n == 1 ? "" : "s");
}

/// "1 nonzero", "2 nonzeros".
[[nodiscard]] inline std::string counted(std::int64_t n, const char* what) {
  return std::to_string(n) + " " + plural(n, what);
}

}  // namespace loops::cli
