// SPDX-License-Identifier: Apache-2.0
/// 8-bit floats: every pattern, every midpoint, and what does not fit.
#include "loops/core/float8.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace {

/// The value of a pattern by the definition of the format.
double defined(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned exponent = (bits & 0x7fu) >> mantissa_bits;
  const double fraction = double(bits & ((1u << mantissa_bits) - 1)) / double(1u << mantissa_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                         : std::ldexp(1 + fraction, int(exponent) - bias);
  return bits & 0x80u ? -magnitude : magnitude;
}

template <class T>
void check_rounding(int exponent_bits, int mantissa_bits, unsigned largest) {
  for (unsigned bits = 0; bits <= largest; ++bits) {
    T t;
    t.bits = static_cast<std::uint8_t>(bits);
    const double value = defined(bits, exponent_bits, mantissa_bits);
    EXPECT_EQ(double(float(t)), value) << bits;
    EXPECT_EQ(T(float(value)).bits, bits);
    EXPECT_EQ(T(-float(value)).bits, bits | 0x80u);
    if (bits == largest) break;
    const double next = defined(bits + 1, exponent_bits, mantissa_bits);
    const double middle = (value + next) / 2;
    EXPECT_EQ(T(float(middle)).bits, bits % 2 == 0 ? bits : bits + 1) << "ties go to even";
    EXPECT_EQ(T(std::nextafter(float(middle), 0.0f)).bits, bits);
    EXPECT_EQ(T(std::nextafter(float(middle), 1e9f)).bits, bits + 1);
  }
  EXPECT_EQ(T(1e9f).bits, largest);
  EXPECT_EQ(T(-std::numeric_limits<float>::infinity()).bits, largest | 0x80u);
  EXPECT_TRUE(std::isnan(float(T(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(float8, e4m3_rounds_to_nearest_even) {
  check_rounding<loops::float8_e4m3>(4, 3, 0x7e);
  EXPECT_EQ(float(loops::float8_e4m3(448.0f)), 448.0f);
}

TEST(float8, e5m2_rounds_to_nearest_even) {
  check_rounding<loops::float8_e5m2>(5, 2, 0x7b);
  loops::float8_e5m2 infinity;
  infinity.bits = 0x7c;
  EXPECT_TRUE(std::isinf(float(infinity)));
}

/// Every pattern by way of binary16, as AMD's lanes convert them.
template <int Exponent, int Mantissa, unsigned Infinity>
void check_by_half() {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const auto pattern = static_cast<std::uint8_t>(bits);
    const float value = loops::portable::from_float8<Exponent, Mantissa, Infinity>(pattern);
    const float by_half =
        loops::portable::from_float8_by_half<Exponent, Mantissa, Infinity>(pattern);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(by_half)) << bits;
    } else {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(by_half), std::bit_cast<std::uint32_t>(value)) << bits;
    }
  }
}

TEST(float8, converts_by_way_of_binary16) {
  check_by_half<4, 3, 0x7e>();
  check_by_half<5, 2, 0x7c>();
}

TEST(float8, tf32_keeps_ten_bits) {
  EXPECT_EQ(loops::tfloat32(1.0f + 0x1p-10f).rounded(), 1.0f + 0x1p-10f);
  EXPECT_EQ(loops::tfloat32(1.0f + 0x1p-11f).rounded(), 1.0f + 0x1p-10f) << "ties go away from 0";
  EXPECT_EQ(loops::tfloat32(-1.0f - 0x1p-12f).rounded(), -1.0f);
  EXPECT_TRUE(std::isinf(loops::tfloat32(std::numeric_limits<float>::infinity()).rounded()));
}

}  // namespace
