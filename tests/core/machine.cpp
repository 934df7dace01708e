// SPDX-License-Identifier: Apache-2.0
/// How many blocks a processor holds.
#include "loops/core/machine.hpp"

#include <gtest/gtest.h>

namespace {

using loops::blocks_that_fit;

TEST(machine, holds_as_many_blocks_as_lanes_and_shared_memory_allow) {
  EXPECT_EQ(blocks_that_fit(128, 1536, 0, 65536), 12);
  EXPECT_EQ(blocks_that_fit(128, 1600, 9944, 0), 12);
  EXPECT_EQ(blocks_that_fit(128, 1536, 9944, 65536), 6) << "shared memory decides";
  EXPECT_EQ(blocks_that_fit(128, 1536, 5461, 65536), 12) << "just";
  EXPECT_EQ(blocks_that_fit(128, 1536, 5462, 65536), 11) << "just not";
  EXPECT_EQ(blocks_that_fit(128, 512, 3000, 65536), 4) << "lanes decide";
  EXPECT_EQ(blocks_that_fit(256, 128, 70000, 65536), 1) << "one runs, or none would";
}

}  // namespace
