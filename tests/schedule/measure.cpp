// SPDX-License-Identifier: Apache-2.0
/// Pieces and shares are as equal as atoms allow, and say who has a tile's first atom.
#include "loops/schedule/measure.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using loops::coordinate;
namespace measure = loops::measure;

TEST(pieces, are_equal_up_to_one_atom_the_last_ones_longer) {
  const measure::pieces m{4};
  const loops::uniform w(3, 10);
  EXPECT_EQ(m.total(w), 12);
  EXPECT_EQ(m.place(w, 4), (coordinate{1, 10}));
  EXPECT_EQ(m.place(w, 5), (coordinate{1, 12}));
  EXPECT_EQ(m.place(w, 6), (coordinate{1, 14}));
  EXPECT_EQ(m.place(w, 7), (coordinate{1, 17}));
  EXPECT_EQ(m.place(w, 8), (coordinate{2, 20}));
  EXPECT_EQ(m.start_of(w, 2), 8);
}

TEST(pieces, of_short_tiles_are_empty_at_the_front) {
  const measure::pieces m{4};
  const std::vector<int> offsets{0, 2, 2, 3};
  const loops::segments<int> w(offsets.data(), 3, 3);
  EXPECT_EQ(m.place(w, 1), (coordinate{0, 0}));
  EXPECT_EQ(m.place(w, 2), (coordinate{0, 0}));
  EXPECT_EQ(m.place(w, 3), (coordinate{0, 1}));
  EXPECT_EQ(m.start_of(w, 0), 2);
  EXPECT_EQ(m.place(w, 7), (coordinate{1, 2}));
  EXPECT_EQ(m.start_of(w, 1), 7);
  EXPECT_EQ(m.start_of(w, 2), 11);
}

TEST(shares_then_tiles, shares_what_is_left_over_and_whole_waves_with_it) {
  // tiles, workers, then how many are shared for waves 0 … 4.
  const std::vector<std::vector<std::int64_t>> expected{
      {0, 4, 0, 0, 0, 0, 0},           {1, 4, 0, 1, 1, 1, 1},   {3, 4, 0, 3, 3, 3, 3},
      {4, 4, 0, 0, 0, 0, 0},           {5, 4, 0, 1, 5, 5, 5},   {8, 4, 0, 0, 0, 0, 0},
      {9, 4, 0, 1, 5, 9, 9},           {21, 4, 0, 1, 5, 9, 13}, {23, 4, 0, 3, 7, 11, 15},
      {300, 132, 0, 36, 168, 300, 300}};
  for (const auto& e : expected)
    for (int waves = 0; waves <= 4; ++waves) {
      measure::shares_then_tiles m;
      m.waves = waves;
      EXPECT_EQ(m.tiles_shared(e[0], e[1]), e[static_cast<std::size_t>(waves) + 2])
          << e[0] << " tiles, " << e[1] << " workers, " << waves << " waves";
    }
  EXPECT_EQ(measure::shares_then_tiles{}.tiles_shared(21, 4), 21);
  EXPECT_EQ(measure::shares_then_tiles{}.tiles_shared(20, 4), 20);
  measure::shares_then_tiles huge;
  huge.waves = 1 << 30;
  EXPECT_EQ(huge.tiles_shared((std::int64_t{1} << 61) + 1, std::int64_t{1} << 40),
            (((std::int64_t{1} << 21) - 1) << 40) + 1 + (std::int64_t{1} << 40));
}

TEST(shares_then_tiles, deals_runs_that_differ_by_one_atom) {
  // The paper's example: 896 x 384 x 128 in tiles of 128 x 128 x 4 on four processors.
  const loops::uniform w(21, 32);
  measure::shares_then_tiles rule;
  rule.waves = 2;
  const auto m = rule.dealt_to(w, 4, 8);
  EXPECT_EQ(m.shared, 5);
  EXPECT_EQ(m.shares, 4);
  EXPECT_EQ(m.total(w), 20);
  EXPECT_EQ(m.place(w, 1), (coordinate{1, 40}));
  EXPECT_EQ(m.place(w, 4), (coordinate{5, 160}));
  EXPECT_EQ(m.place(w, 5), (coordinate{6, 192}));
  EXPECT_EQ(m.start_of(w, 1), 0);
  EXPECT_EQ(m.start_of(w, 2), 1);
  EXPECT_EQ(m.start_of(w, 5), 4);
  const auto uneven = measure::shares_then_tiles{}.dealt_to(loops::uniform(3, 7), 4, 1);
  EXPECT_EQ(uneven.place(loops::uniform(3, 7), 1), (coordinate{0, 6}));
  EXPECT_EQ(uneven.place(loops::uniform(3, 7), 2), (coordinate{1, 11}));
}

TEST(shares_then_tiles, makes_no_run_shorter_than_is_worth_it) {
  EXPECT_EQ(measure::shares_then_tiles{}.dealt_to(loops::uniform(1, 100), 132, 8).shares, 12);
  // Runs no shorter than whole tiles would be are whole tiles.
  const auto none = measure::shares_then_tiles{}.dealt_to(loops::uniform(2, 10), 132, 8);
  EXPECT_EQ(none.shared, 0);
  EXPECT_EQ(none.total(loops::uniform(2, 10)), 2);
  const auto even = measure::shares_then_tiles{}.dealt_to(loops::uniform(264, 10), 132, 8);
  EXPECT_EQ(even.shared, 0);
}

TEST(pieces, of_tiles_without_atoms_are_one) {
  EXPECT_EQ(measure::pieces{4}.for_work(loops::uniform(5, 0)).per_tile, 1);
  EXPECT_EQ(measure::pieces{4}.for_work(loops::uniform(5, 3)).per_tile, 3);
}

TEST(shares_then_tiles, shares_what_is_left_over_and_whole_waves) {
  for (const std::int64_t workers : {1, 2, 3, 7, 132})
    for (std::int64_t tiles = 0; tiles < 600; ++tiles)
      for (int waves = 0; waves < 9; ++waves) {
        measure::shares_then_tiles m;
        m.waves = waves;
        const std::int64_t shared = m.tiles_shared(tiles, workers);
        const std::int64_t rest = tiles % workers;
        const bool none = waves == 0 || rest == 0;
        const std::int64_t wanted = none ? 0 : rest + (waves - 1) * workers;
        ASSERT_EQ(shared, wanted < tiles ? wanted : tiles) << tiles << ", " << workers;
      }
  measure::shares_then_tiles all;
  all.waves = INT32_MAX;
  EXPECT_EQ(all.tiles_shared(INT64_MAX, INT64_MAX - 1), INT64_MAX);
}

TEST(shares_then_tiles, have_no_run_behind_the_last_for_tiles_without_atoms) {
  const std::vector<int> offsets{0, 8, 16, 16, 16};
  const loops::segments<int> w(offsets.data(), 4, 16);
  const auto dealt = measure::shares_then_tiles{}.dealt_to(w, 4, 1);
  EXPECT_EQ(dealt.shares, 4);
  EXPECT_EQ(dealt.start_of(w, 1), 2);
  EXPECT_EQ(dealt.start_of(w, 2), 3);
  EXPECT_EQ(dealt.start_of(w, 3), 3);
}

/// The first three tiles look like a share of all atoms, and hold one: runs behind it are empty.
TEST(shares_then_tiles, may_have_more_runs_than_there_are_atoms_to_share) {
  const std::vector<int> offsets{0, 1, 1, 1, 51, 101, 151, 201};
  const loops::segments<int> w(offsets.data(), 7, 201);
  measure::shares_then_tiles rule;
  rule.waves = 1;
  const auto dealt = rule.dealt_to(w, 4, 1);
  EXPECT_EQ(dealt.shared, 3);
  EXPECT_EQ(dealt.shares, 4);
  EXPECT_EQ(dealt.start_of(w, 0), 0);
  EXPECT_EQ(dealt.start_of(w, 1), 3);
  EXPECT_EQ(dealt.start_of(w, 2), 3);
  EXPECT_EQ(dealt.place(w, 1), (loops::coordinate{3, 1}));
  EXPECT_EQ(dealt.place(w, 3), (loops::coordinate{3, 1}));
}

TEST(shares_then_tiles, cut_runs_of_an_atom_where_that_is_worth_while) {
  EXPECT_EQ(measure::shares_then_tiles{}.dealt_to(loops::uniform(1, 3), 8, 1).shares, 3);
  EXPECT_EQ(measure::shares_then_tiles{}.dealt_to(loops::uniform(1, 3), 8, 0).shares, 3);
}

TEST(long_first, takes_no_more_alone_than_32_bits_count) {
  measure::long_first rule;
  rule.most = measure::long_first::counted;
  EXPECT_EQ(rule.for_work(1000, 1, 32, 64).alone, measure::long_first::counted);
  rule.most = measure::long_first::counted / 2;
  EXPECT_EQ(rule.for_work(1000, 1, 32, 64).alone, measure::long_first::counted - 1);
}

TEST(shares_then_tiles, counts_as_many_atoms_as_there_may_be) {
  // More than 2^62 in the product of atoms and tiles.
  const loops::segments<std::int64_t> w(nullptr, (std::int64_t{1} << 31) + 1,
                                        std::int64_t{1} << 61);
  measure::shares_then_tiles rule;
  rule.waves = 1;
  const auto dealt = rule.dealt_to(w, 1 << 30, 1 << 29);
  EXPECT_EQ(dealt.shared, 1);
  EXPECT_EQ(dealt.shares, 1);
  rule.waves = 2;
  EXPECT_EQ(rule.dealt_to(w, 1 << 30, 1 << 29).shares, 1 << 30);
}

TEST(shares_then_tiles, needs_no_offsets_on_the_host) {
  // A GPU's offsets are out of reach when a schedule is bound: not even one is read.
  const loops::segments<std::int64_t> w(nullptr, 23, 1000);
  measure::shares_then_tiles rule;
  for (const int waves : {measure::shares_then_tiles::everything, 0, 1, 2, 3}) {
    rule.waves = waves;
    EXPECT_EQ(rule.dealt_to(w, 4, 8).shares, waves == 0 ? 0 : 4) << waves;
  }
}

}  // namespace
