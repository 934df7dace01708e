// SPDX-License-Identifier: Apache-2.0
/// Every tile in equal pieces, wherever it runs.
#include "loops/schedule/split_k.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

TEST(split_k, gives_every_piece_a_block) {
  EXPECT_EQ(std::string(loops::schedule::split_k::name()), "split_k");
  const auto a =
      loops::schedule::split_k{4}.compose().bind(loops::uniform(9, 30), {1, 1, 1, 1, 5, 8});
  EXPECT_EQ(a.slices, 36);
  EXPECT_EQ(a.workers(), 36);
  EXPECT_EQ(a.cut_slices(), 36);
  const auto whole =
      loops::schedule::split_k{1}.compose().bind(loops::uniform(9, 30), {1, 1, 1, 1, 5, 8});
  EXPECT_EQ(whole.slices, 9);
  EXPECT_EQ(whole.cut_slices(), 0);
}

TEST(split_k, cuts_a_tile_the_same_way_on_any_machine_and_among_any_others) {
  const auto schedule = loops::schedule::split_k{4}.compose();
  const auto alone = schedule.bind(loops::uniform(1, 30), {1, 1, 1, 1, 132, 8});
  const auto among = schedule.bind(loops::uniform(9, 30), {1, 1, 1, 1, 5, 1});
  for (std::int64_t piece = 0; piece < 4; ++piece)
    EXPECT_EQ(among.at(loops::uniform(9, 30), 12 + piece).atoms().first,
              alone.at(loops::uniform(1, 30), piece).atoms().first + 90);
}

}  // namespace
