// SPDX-License-Identifier: Apache-2.0
/// A tile per lane.
#include "loops/schedule/thread_mapped.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(thread_mapped, gives_every_lane_one_tile) {
  const auto s = loops::schedule::thread_mapped{}.compose();
  EXPECT_EQ(std::string(loops::schedule::thread_mapped::name()), "thread_mapped");
  const auto a = s.bind(loops::uniform(1000, 9), geometry::gpu);
  EXPECT_EQ(a.lanes, 1);
  EXPECT_EQ(a.groups, 256);
  EXPECT_EQ(a.slices, 1000);
  EXPECT_EQ(a.blocks, 4);
  // Neighbouring lanes have neighbouring tiles.
  for (std::int64_t lane = 0; lane < 1000; ++lane)
    EXPECT_EQ((*s.slices(loops::uniform(1000, 9), geometry::gpu, lane).begin()).begin.tile, lane);
}

TEST(thread_mapped, takes_tiles_in_batches_where_a_block_is_one_lane) {
  const auto s = loops::schedule::thread_mapped{}.compose();
  const loops::uniform w(1000, 9);
  EXPECT_EQ(s.bind(w, geometry::cpu).blocks, 4);
  std::int64_t count = 0;
  const auto mine = s.slices(w, geometry::cpu, 1);
  for (auto it = mine.begin(); it != mine.end(); ++it) EXPECT_EQ(it.number(), 256 + count++);
  EXPECT_EQ(count, 256);
}

}  // namespace
