// SPDX-License-Identifier: Apache-2.0
/// A tile per group of lanes, of any power of two.
#include "loops/schedule/group_mapped.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(group_mapped, has_groups_of_the_size_asked_for) {
  EXPECT_EQ(std::string(loops::schedule::group_mapped::name()), "group_mapped");
  for (int lanes = 1; lanes <= 256; lanes *= 2) {
    const auto a =
        loops::schedule::group_mapped{lanes}.compose().bind(loops::uniform(1000, 9), geometry::gpu);
    EXPECT_EQ(a.lanes, lanes);
    EXPECT_EQ(a.groups, 256 / lanes);
    EXPECT_EQ(a.blocks, loops::ceil_div(1000, 256 / lanes));
  }
}

TEST(group_mapped, is_lowered_by_a_smaller_block) {
  const auto s = loops::schedule::group_mapped{64}.compose();
  EXPECT_EQ(s.bind(loops::uniform(5, 5), {32, 32, 7, 1, 10}).lanes, 32);
  EXPECT_EQ(s.bind(loops::uniform(5, 5), geometry::cpu).lanes, 1);
}

}  // namespace
