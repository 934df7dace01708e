// SPDX-License-Identifier: Apache-2.0
/// Division by a number that is known when a kernel is launched: a multiplication and a shift.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops {

/// Divides 0 ≤ n < 2^31 by 1 ≤ d < 2^31, exactly.
class fast_divisor {
 public:
  fast_divisor() = default;
  LOOPS_HD constexpr explicit fast_divisor(std::int32_t d) : d_(d) {
    int log = 0;
    while ((std::int64_t{1} << log) < d) ++log;
    shift_ = 31 + log;
    // Rounded up, the error times n stays below 2^shift for every n < 2^31.
    factor_ = static_cast<std::uint32_t>(((std::uint64_t{1} << shift_) + std::uint64_t(d) - 1) /
                                         std::uint64_t(d));
  }
  [[nodiscard]] LOOPS_HD constexpr std::int32_t value() const { return d_; }
  [[nodiscard]] LOOPS_HD constexpr std::int32_t quotient(std::int32_t n) const {
    return static_cast<std::int32_t>((std::uint64_t(std::uint32_t(n)) * factor_) >> shift_);
  }

 private:
  std::int32_t d_ = 1;
  std::uint32_t factor_ = std::uint32_t{1} << 31;
  std::int32_t shift_ = 31;
};

}  // namespace loops
