// SPDX-License-Identifier: Apache-2.0
/// The median, in whatever order the numbers come.
#include "loops/core/median.hpp"

#include <gtest/gtest.h>

namespace {

TEST(median, is_the_number_in_the_middle) {
  EXPECT_EQ(loops::median({}), 0);
  EXPECT_EQ(loops::median({7}), 7);
  EXPECT_EQ(loops::median({3, 9, 1}), 3);
}

TEST(median, of_two_in_the_middle_is_the_larger) {
  EXPECT_EQ(loops::median({2, 1}), 2);
  EXPECT_EQ(loops::median({5, 1, 9, 3}), 5);
}

}  // namespace
