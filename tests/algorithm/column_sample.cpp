// SPDX-License-Identifier: Apache-2.0
/// Which atoms are sampled, and which of them are strewn.
#include "loops/algorithm/column_sample.hpp"

#include "loops/algorithm/statistics.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace loops;

tile_statistics seen(const std::vector<std::vector<int>>& rows) {
  std::vector<int> offsets{0};
  std::vector<int> columns;
  for (const auto& row : rows) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(static_cast<int>(columns.size()));
  }
  return statistics_of(
      segments<int>(offsets.data(), static_cast<std::int64_t>(rows.size()), offsets.back()),
      columns_in<int>{columns.data()});
}

TEST(column_sample, CountsWhatLiesFarFromTheAtomBefore) {
  // The first of a tile has none before; 7 and 8 lie in different eights.
  const tile_statistics s = seen({{0, 7, 8, 15, 24, 100}});
  EXPECT_EQ(s.sampled, 6);
  EXPECT_EQ(s.strewn, 4);
}

TEST(column_sample, CountsWhatLiesFarFromTheSamePlaceOfTheTileBefore) {
  EXPECT_EQ(seen({{0, 100, 200}, {1, 101, 201}}).strewn, 3);
  // The same columns at other places: nobody reads them at the same time.
  EXPECT_EQ(seen({{0, 100, 200}, {100, 200}}).strewn, 5);
  // The tile before is shorter, or empty.
  EXPECT_EQ(seen({{0}, {1, 101}}).strewn, 2);
  EXPECT_EQ(seen({{0}, {}, {0}}).strewn, 2);
}

TEST(column_sample, TakesTheFirstAtomsOfLongTiles) {
  const std::vector<int> near(100, 5);
  EXPECT_EQ(seen({near}).sampled, atoms_sampled);
  EXPECT_EQ(seen({near}).strewn, 1);
}

TEST(column_sample, IsSpreadOverAllTiles) {
  for (const std::int64_t tiles : {1L, 5L, 2048L, 2049L, 100'000L, 1L << 33, (1L << 36) - 1}) {
    const std::int64_t count = sample_size(tiles);
    EXPECT_LE(count, tiles_sampled);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t t = sampled_tile(i, tiles);
      // Each in its own stretch.
      EXPECT_GE(t, i * tiles / count) << tiles;
      EXPECT_LE(t, (i + 1) * tiles / count) << tiles;
      EXPECT_LT(t, tiles);
    }
  }
}

TEST(column_sample, IsNotFooledByWhatRepeats) {
  // Every 64th tile differs from its neighbours: so does a 64th of the sample, not all or none.
  constexpr std::int64_t tiles = 1 << 20;
  std::int64_t met = 0;
  for (std::int64_t i = 0; i < tiles_sampled; ++i) met += sampled_tile(i, tiles) % 64 == 0 ? 1 : 0;
  EXPECT_GT(met, 16);
  EXPECT_LT(met, 64);
}

TEST(column_sample, KnowsOverHowManyColumnsTilesLie) {
  // Each atom counts for its tile.
  EXPECT_EQ(seen({{0, 100, 200}, {1, 101}}).span, 3 * 201 + 2 * 101);
  EXPECT_EQ(seen({{200, 100, 0}}).span, 3 * 201) << "in whatever order";
  EXPECT_EQ(seen({{7}}).span, 1);
  EXPECT_EQ(seen({{}, {}}).span, 0);
  std::vector<int> late(100, 5);
  late.back() = 70;
  EXPECT_EQ(seen({late}).span, atoms_sampled * 66) << "up to the last atom of a long tile";
}

TEST(column_sample, ReadsNoColumnOfOffsetsThatAreNoneOfAWork) {
  const std::vector<int> before{-40, 2, 4};
  const std::vector<int> behind{0, 9, 4};
  int reads = 0;
  int calls = 0;
  for (const std::vector<int>& offsets : {before, behind})
    for (const std::int64_t t : {0, 1})
      sample_columns(
          segments<int>(offsets.data(), 2, 4),
          [&](std::int64_t atom) {
            ++reads;
            return atom;
          },
          t, 0, 1, [&](bool, std::int64_t) { ++calls; });
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(calls, 0);
}

TEST(column_sample, OfWorksWithoutColumnsIsEmpty) {
  const tile_statistics s = statistics_of(uniform(100, 7));
  EXPECT_EQ(s.sampled, 0);
  EXPECT_EQ(s.strewn, 0);
}

}  // namespace
