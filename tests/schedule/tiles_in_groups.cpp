// SPDX-License-Identifier: Apache-2.0
/// As many tiles as lanes, shared by the lanes.
#include "loops/schedule/tiles_in_groups.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(tiles_in_groups, gives_a_group_as_many_tiles_as_lanes) {
  EXPECT_EQ(std::string(loops::schedule::tiles_in_groups::name()), "tiles_in_groups");
  const loops::uniform w(1000, 9);
  for (int lanes = 2; lanes <= 256; lanes *= 2) {
    const auto a = loops::schedule::tiles_in_groups{lanes}.compose().bind(w, geometry::gpu);
    EXPECT_EQ(a.lanes, lanes);
    EXPECT_EQ(a.step, lanes);
    EXPECT_EQ(a.slices, loops::ceil_div(1000, lanes));
  }
  EXPECT_EQ(loops::schedule::tiles_in_groups{}.compose().bind(w, geometry::wide_gpu).step, 64);
  // One lane that is a core takes a batch, not one tile.
  EXPECT_EQ(loops::schedule::tiles_in_groups{}.compose().bind(w, geometry::cpu).step, 256);
}

}  // namespace
