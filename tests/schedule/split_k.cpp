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

TEST(split_k, has_no_more_pieces_than_a_tile_has_atoms) {
  const auto slices = [](int pieces, std::int64_t tiles, std::int64_t width) {
    const auto a = loops::schedule::split_k{pieces}.compose().bind(loops::uniform(tiles, width),
                                                                   {1, 1, 1, 1, 5, 8});
    EXPECT_EQ(a.cut_slices(), a.slices > tiles ? a.slices : 0);
    return a.slices;
  };
  EXPECT_EQ(slices(8, 9, 1), 9);
  EXPECT_EQ(slices(8, 9, 0), 9);
  EXPECT_EQ(slices(8, 9, 3), 27);
  EXPECT_EQ(slices(8, 9, 8), 72);
  EXPECT_EQ(slices(8, 9, 9), 72);
  EXPECT_EQ(slices(2147483647, 9, 2), 18);
  EXPECT_EQ(slices(8, 0, 3), 0);
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
