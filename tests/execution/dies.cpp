// SPDX-License-Identifier: Apache-2.0
/// What devices are made of, by their names and numbers of processors.
#include "loops/execution/dies.hpp"

#include <gtest/gtest.h>

namespace {

using loops::dies_of;

TEST(dies, are_known_of_cdna) {
  EXPECT_EQ(dies_of("gfx942:sramecc+:xnack-", 304), 8);
  EXPECT_EQ(dies_of("gfx942:sramecc+:xnack-", 228), 6);
  EXPECT_EQ(dies_of("gfx942", 38), 1);  // a partition of one
  EXPECT_EQ(dies_of("gfx950:sramecc+:xnack-", 256), 8);
}

TEST(dies, are_one_where_nothing_is_known) {
  EXPECT_EQ(dies_of("gfx942", 80), 1);
  EXPECT_EQ(dies_of("gfx950", 0), 1);
  EXPECT_EQ(dies_of("gfx90a", 104), 1);
  EXPECT_EQ(dies_of("sm_90", 132), 1);
  EXPECT_EQ(dies_of("", 8), 1);
}

}  // namespace
