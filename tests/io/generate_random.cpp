// SPDX-License-Identifier: Apache-2.0
/// The random numbers are pinned: a change of one bit changes every generated matrix.
#include "loops/io/generate_random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

TEST(generate_random, mix_bits_is_the_published_finaliser) {
  // The first outputs of splitmix64 from state 0 and 1234567.
  EXPECT_EQ(loops::mix_bits(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU);
  EXPECT_EQ(loops::mix_bits(1234567U + 0x9e3779b97f4a7c15U), 6457827717110365317U);
}

TEST(generate_random, streams_depend_on_seed_and_stream_alone) {
  loops::random_stream a(1, 2), b(1, 2), other_seed(2, 2), other_stream(1, 3);
  for (int i = 0; i < 100; ++i) {
    const auto bits = a.next();
    EXPECT_EQ(bits, b.next());
    EXPECT_NE(bits, other_seed.next());
    EXPECT_NE(bits, other_stream.next());
  }
}

TEST(generate_random, below_fills_its_range_evenly) {
  loops::random_stream random(7, 7);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100000; ++i) {
    const auto x = random.below(10);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 10);
    ++counts[static_cast<std::size_t>(x)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);  // five standard deviations
  EXPECT_EQ(random.below(1), 0);
}

TEST(generate_random, neighbouring_streams_are_not_correlated) {
  double sum = 0;
  for (std::uint64_t s = 0; s < 100000; ++s) {
    loops::random_stream a(0, s), b(0, s + 1);
    sum += loops::random_value(a.next()) * loops::random_value(b.next());
  }
  EXPECT_LT(std::abs(sum / 100000), 5.0 / 3 / std::sqrt(100000.0));
}

TEST(generate_random, values_are_inside_the_interval_and_exact_in_float) {
  for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63,
                                   (std::uint64_t{1} << 63) - 1}) {
    const double x = loops::random_value(bits);
    EXPECT_GT(x, -1);
    EXPECT_LT(x, 1);
    EXPECT_NE(x, 0);
    EXPECT_EQ(static_cast<double>(static_cast<float>(x)), x);
  }
  EXPECT_EQ(loops::random_value(0), -1 + std::ldexp(1, -24));
}

}  // namespace
