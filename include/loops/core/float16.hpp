// SPDX-License-Identifier: Apache-2.0
/// 16-bit floating-point storage types; arithmetic is done in `float`.
#pragma once

#include "loops/backend/native.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace loops {

/// IEEE binary16, stored; converts to and from `float`.
struct half {
  std::uint16_t bits = 0;
  half() = default;
  LOOPS_HD constexpr half(float f)
      : bits(std::is_constant_evaluated() ? portable::float_to_half(f) : native::float_to_half(f)) {
  }
  LOOPS_HD operator float() const { return native::half_to_float(bits); }
};

/// bfloat16 (the upper half of a binary32), stored; converts to and from `float`.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  LOOPS_HD constexpr bfloat16(float f)
      : bits(std::is_constant_evaluated() ? portable::float_to_bfloat(f)
                                          : native::float_to_bfloat(f)) {}
  LOOPS_HD constexpr operator float() const {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
  }
};

}  // namespace loops
