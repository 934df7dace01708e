// SPDX-License-Identifier: Apache-2.0
/// Whole tiles for whoever is resident.
#include "loops/schedule/data_parallel.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

TEST(data_parallel, deals_whole_tiles_to_resident_blocks) {
  EXPECT_EQ(std::string(loops::schedule::data_parallel::name()), "data_parallel");
  const loops::machine m{1, 1, 1, 1, 132, 8};
  const auto schedule = loops::schedule::data_parallel{}.compose();
  const auto a = schedule.bind(loops::uniform(1000, 64), m);
  EXPECT_EQ(a.slices, 1000);
  EXPECT_EQ(a.workers(), 132);
  EXPECT_EQ(a.cut_slices(), 0);
  std::int64_t tile = 5;
  for (const loops::slice& s : schedule.slices(loops::uniform(1000, 64), m, 5)) {
    EXPECT_EQ(s.begin, (loops::coordinate{tile, tile * 64}));
    EXPECT_EQ(s.end, (loops::coordinate{tile + 1, (tile + 1) * 64}));
    tile += 132;
  }
  EXPECT_EQ(tile, 5 + 8 * 132);
  EXPECT_EQ(schedule.bind(loops::uniform(7, 64), m).workers(), 7);
}

TEST(data_parallel, keeps_to_its_processors) {
  const loops::machine m{1, 1, 1, 1, 132, 8};
  const auto few = loops::schedule::data_parallel{.processors = 100}.compose();
  EXPECT_EQ(few.bind(loops::uniform(1000, 64), m).workers(), 100);
  const auto more = loops::schedule::data_parallel{.processors = 1000}.compose();
  EXPECT_EQ(more.bind(loops::uniform(1000, 64), m).workers(), 132);
}

}  // namespace
