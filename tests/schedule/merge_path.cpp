// SPDX-License-Identifier: Apache-2.0
/// Equal path steps per block.
#include "loops/schedule/merge_path.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(merge_path, cuts_by_atoms_plus_tiles) {
  const auto s = loops::schedule::merge_path{}.compose();
  EXPECT_EQ(std::string(loops::schedule::merge_path::name()), "merge_path");
  const loops::uniform w(1000000, 9);
  const auto a = s.bind(w, geometry::gpu);
  EXPECT_EQ(a.step, 256 * 7);
  EXPECT_EQ(a.slices, loops::ceil_div(10000000, 256 * 7));
  EXPECT_EQ(a.blocks, a.slices);
  EXPECT_EQ(a.cut(w, 1), (loops::coordinate{179, 1613}));
  // Empty tiles count as steps.
  EXPECT_EQ(s.bind(loops::uniform(10000000, 0), geometry::gpu).slices, a.slices);
}

TEST(merge_path, cuts_a_small_work_finer_so_that_more_blocks_have_some) {
  const auto s = loops::schedule::merge_path{}.compose();
  // An even share each, but no less than what is worth a lane's while: three slices of 256 or more.
  EXPECT_EQ(s.bind(loops::uniform(52800, 9), geometry::gpu).slices, 528);
  EXPECT_EQ(s.bind(loops::uniform(100, 9), geometry::gpu).step, 334);
  loops::machine m = geometry::gpu;
  m.fewest = 3;
  // Two slices of 768 steps would be worth it, so 1000 steps stay one slice, and 1600 are halved.
  EXPECT_EQ(s.bind(loops::uniform(100, 9), m).step, 1000);
  EXPECT_EQ(s.bind(loops::uniform(160, 9), m).step, 800);
  EXPECT_EQ(s.bind(loops::uniform(0, 9), m).step, 1);
}

TEST(merge_path, cuts_few_rounds_evenly_and_many_into_full_slices) {
  const auto s = loops::schedule::merge_path{}.compose();
  const auto& m = geometry::gpu;
  const std::int64_t full = std::int64_t{256} * 7;
  const std::int64_t round = m.blocks * full;
  // One step more than a round is two rounds, equal but for the last slice.
  for (const std::int64_t rounds : {1, 2, 3, 4})
    for (const std::int64_t steps :
         {(rounds - 1) * round + 1, rounds * round - 1, rounds * round}) {
      if (rounds == 1 && steps == 1) continue;
      const auto a = s.bind(loops::uniform(steps, 0), m);
      EXPECT_EQ(a.step, loops::ceil_div(steps, rounds * m.blocks)) << steps;
      EXPECT_LE(a.slices, rounds * m.blocks) << steps;
      EXPECT_LE(a.step, full) << steps;
    }
  EXPECT_EQ(s.bind(loops::uniform(4 * round + 1, 0), m).step, full);
}

}  // namespace
