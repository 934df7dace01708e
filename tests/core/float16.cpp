// SPDX-License-Identifier: Apache-2.0
/// The 16-bit types, against arithmetic that knows nothing of bits.
#include "loops/core/float16.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace {

/// The value of a number with `fraction` bits of fraction, the smallest exponent being `least`.
double value_of(std::uint32_t bits, int fraction, int exponents, int least) {
  const double sign = (bits >> (fraction + exponents)) & 1 ? -1 : 1;
  const std::uint32_t exponent = (bits >> fraction) & ((1U << exponents) - 1);
  const std::uint32_t f = bits & ((1U << fraction) - 1);
  if (exponent == (1U << exponents) - 1)
    return f ? std::numeric_limits<double>::quiet_NaN()
             : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(f, least - fraction);
  return sign * std::ldexp((1U << fraction) + f, static_cast<int>(exponent) - 1 + least - fraction);
}

template <class T>
double value_of(std::uint16_t bits) {
  return std::is_same_v<T, loops::half> ? value_of(bits, 10, 5, -14) : value_of(bits, 7, 8, -126);
}

template <class T>
T from_bits(std::uint16_t bits) {
  T v;
  v.bits = bits;
  return v;
}

template <class T>
class float16 : public testing::Test {};
using types = testing::Types<loops::half, loops::bfloat16>;
TYPED_TEST_SUITE(float16, types, );

TYPED_TEST(float16, every_value_is_exact_in_float_and_comes_back) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const float f = from_bits<TypeParam>(bits);
    const double expected = value_of<TypeParam>(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(f)) << i;
      EXPECT_TRUE(std::isnan(float(TypeParam(f)))) << i;
      continue;
    }
    ASSERT_EQ(static_cast<double>(f), expected) << i;
    ASSERT_EQ(std::signbit(f), std::signbit(expected)) << i;
    ASSERT_EQ(TypeParam(f).bits, bits) << i;
  }
}

TYPED_TEST(float16, rounds_to_nearest_and_ties_to_even) {
  // Between two neighbours: just below the middle, the middle, and just above it.
  for (std::uint32_t i = 0; i + 1 < 65536; ++i) {
    const auto low = static_cast<std::uint16_t>(i);
    const auto high = static_cast<std::uint16_t>(i + 1);
    const double a = value_of<TypeParam>(low);
    double b = value_of<TypeParam>(high);
    if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::signbit(a) != std::signbit(b))
      continue;
    // Past the largest number, rounding behaves as if there were one more.
    if (std::isinf(b)) b = a + (a - value_of<TypeParam>(static_cast<std::uint16_t>(i - 1)));
    const float middle = static_cast<float>((a + b) / 2);
    if (static_cast<double>(middle) != (a + b) / 2) continue;  // below the range of float
    const float zero = std::signbit(a) ? -0.0F : 0.0F;
    const float far = std::signbit(a) ? -std::numeric_limits<float>::infinity()
                                      : std::numeric_limits<float>::infinity();
    ASSERT_EQ(TypeParam(middle).bits, i % 2 ? high : low) << i;
    ASSERT_EQ(TypeParam(std::nextafter(middle, zero)).bits, low) << i;
    ASSERT_EQ(TypeParam(std::nextafter(middle, far)).bits, high) << i;
  }
}

TYPED_TEST(float16, keeps_what_is_not_a_number) {
  EXPECT_TRUE(std::isnan(float(TypeParam(std::numeric_limits<float>::quiet_NaN()))));
  // A payload that only the lowest bits carry must not round to infinity.
  EXPECT_TRUE(std::isnan(float(TypeParam(std::bit_cast<float>(0x7f800001U)))));
  EXPECT_TRUE(std::isinf(float(TypeParam(std::numeric_limits<float>::max()))));
  EXPECT_TRUE(std::isinf(float(TypeParam(std::numeric_limits<float>::infinity()))));
  EXPECT_TRUE(std::signbit(float(TypeParam(-0.0F))));
}

TYPED_TEST(float16, random_floats_are_within_half_a_step) {
  std::mt19937 random(3);
  const double eps = std::is_same_v<TypeParam, loops::half> ? 0x1p-11 : 0x1p-8;
  for (int i = 0; i < 100000; ++i) {
    const float f = static_cast<float>(std::ldexp(
        static_cast<double>(random()) / 4294967296.0 + 0.5, static_cast<int>(random() % 20) - 8));
    ASSERT_LE(std::fabs(static_cast<double>(float(TypeParam(f))) - static_cast<double>(f)),
              eps * static_cast<double>(f));
  }
}

}  // namespace
