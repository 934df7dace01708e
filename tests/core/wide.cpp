// SPDX-License-Identifier: Apache-2.0
/// The high half of a product, in its corners.
#include "loops/core/wide.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

TEST(wide, multiply_high_keeps_the_upper_half) {
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(loops::multiply_high(all, all), all - 1);
  EXPECT_EQ(loops::multiply_high(std::uint64_t{1} << 63, 4), 2U);
  EXPECT_EQ(loops::multiply_high(all, 1), 0U);
}
