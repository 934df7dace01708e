// SPDX-License-Identifier: Apache-2.0
/// 8-bit floating-point storage types (OCP e4m3 and e5m2), and binary32 meant for tf32 arithmetic.
#pragma once

#include "loops/backend/native.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace loops {

namespace portable {

/// binary32 to `Exponent` + `Mantissa` bits, to nearest even; too large is the largest finite
/// value, NaN stays NaN. `Largest` is the pattern of the largest finite value.
template <int Exponent, int Mantissa, unsigned Largest>
LOOPS_HD constexpr std::uint8_t to_float8(float f) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned nan = 0x7fu;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = (bits >> 24) & 0x80u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return std::uint8_t(sign | nan);
  if (magnitude < std::uint32_t(128 - bias) << 23) {
    // Subnormal: added to a power of two whose last bit is worth one step, the FPU rounds.
    constexpr std::uint32_t anchor = std::uint32_t(127 + 1 - bias - Mantissa + 23) << 23;
    const float rounded = std::bit_cast<float>(magnitude) + std::bit_cast<float>(anchor);
    return std::uint8_t(sign | (std::bit_cast<std::uint32_t>(rounded) - anchor));
  }
  constexpr int drop = 23 - Mantissa;
  const std::uint32_t odd = (magnitude >> drop) & 1u;
  const std::uint32_t kept =
      (magnitude - (std::uint32_t(127 - bias) << 23) + ((1u << (drop - 1)) - 1u) + odd) >> drop;
  return std::uint8_t(sign | (kept < Largest ? kept : Largest));
}

/// The exact value; patterns above `Infinity` are NaN, `Infinity` itself is one if there is one.
template <int Exponent, int Mantissa, unsigned Infinity>
LOOPS_HD constexpr float from_float8(std::uint8_t bits) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  const std::uint32_t sign = std::uint32_t(bits & 0x80u) << 24;
  const std::uint32_t magnitude = bits & 0x7fu;
  if (magnitude > Infinity) return std::bit_cast<float>(sign | 0x7fc00000u);
  if (Exponent == 5 && magnitude == Infinity) return std::bit_cast<float>(sign | 0x7f800000u);
  if (magnitude < (1u << Mantissa)) {
    constexpr std::uint32_t step = std::uint32_t(127 + 1 - bias - Mantissa) << 23;
    const float value = float(magnitude) * std::bit_cast<float>(step);
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign |
                              ((magnitude << (23 - Mantissa)) + (std::uint32_t(127 - bias) << 23)));
}

/// The same by way of binary16, whose exponent has a bias 16 - 2^(Exponent - 1) higher: no branch.
template <int Exponent, int Mantissa, unsigned Infinity>
LOOPS_HD float from_float8_by_half(std::uint8_t bits) {
  constexpr int raised = 16 - (1 << (Exponent - 1));
  const std::uint32_t magnitude = bits & 0x7fu;
  const float value =
      native::half_to_float(std::uint16_t((bits & 0x80u) << 8 | magnitude << (10 - Mantissa))) *
      float(1 << raised);
  return Exponent < 5 && magnitude > Infinity ? std::bit_cast<float>(0x7fc00000u) : value;
}

}  // namespace portable

/// OCP e4m3: 4 exponent bits, largest value 448, no infinities; converts to and from `float`.
struct float8_e4m3 {
  std::uint8_t bits = 0;
  float8_e4m3() = default;
  LOOPS_HD constexpr float8_e4m3(float f) : bits(portable::to_float8<4, 3, 0x7eu>(f)) {}
  LOOPS_HD constexpr operator float() const {
    if (native::converts_halves && !std::is_constant_evaluated())
      return portable::from_float8_by_half<4, 3, 0x7eu>(bits);
    return portable::from_float8<4, 3, 0x7eu>(bits);
  }
};

/// OCP e5m2: 5 exponent bits, largest finite value 57344; too large becomes that value.
struct float8_e5m2 {
  std::uint8_t bits = 0;
  float8_e5m2() = default;
  LOOPS_HD constexpr float8_e5m2(float f) : bits(portable::to_float8<5, 2, 0x7bu>(f)) {}
  LOOPS_HD constexpr operator float() const {
    if (native::converts_halves && !std::is_constant_evaluated())
      return portable::from_float8_by_half<5, 2, 0x7cu>(bits);
    return portable::from_float8<5, 2, 0x7cu>(bits);
  }
};

/// A binary32 whose products may be taken with 10 bits of mantissa: what tensor cores call tf32.
/// Storage is a `float`, so arrays of `float` can be seen as arrays of this.
struct tfloat32 {
  float value = 0;
  tfloat32() = default;
  LOOPS_HD constexpr tfloat32(float f) : value(f) {}
  LOOPS_HD constexpr operator float() const { return value; }
  /// The value with the mantissa rounded to 10 bits, ties away from zero, as the hardware does.
  [[nodiscard]] LOOPS_HD constexpr float rounded() const {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7f800000u) == 0x7f800000u) return value;
    return std::bit_cast<float>((bits + 0x1000u) & ~0x1fffu);
  }
};

}  // namespace loops
