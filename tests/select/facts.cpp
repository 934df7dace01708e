// SPDX-License-Identifier: Apache-2.0
/// Features are what their words say; lanes that fit keep to their limits.
#include "loops/select/facts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using namespace loops;
using select::facts;
using select::feature;
using select::fitting_lanes;
using select::value_of;

facts some() {
  facts x;
  x.seen = {100, 1000, 250, 20, 600, 4000};
  x.value_bytes = 8;
  x.block_lanes = 128;
  x.all_lanes = 12800;
  return x;
}

TEST(facts, FeaturesAreWhatTheirWordsSay) {
  const facts x = some();
  EXPECT_EQ(value_of(feature::tiles, x), 100);
  EXPECT_EQ(value_of(feature::atoms, x), 1000);
  EXPECT_EQ(value_of(feature::mean, x), 10);
  EXPECT_EQ(value_of(feature::value_bytes, x), 8);
  EXPECT_EQ(value_of(feature::longest, x), 250);
  EXPECT_EQ(value_of(feature::skew, x), 25);
  EXPECT_EQ(value_of(feature::empty, x), 0.2);
  EXPECT_EQ(value_of(feature::crowded, x), 0.6);
  EXPECT_EQ(value_of(feature::padding, x), 4);
  // Half of 12,800 lanes are 64 for each of 100 tiles.
  EXPECT_EQ(fitting_lanes(x, true), 64);
  EXPECT_EQ(value_of(feature::steps, x), 250.0 / 64);
  EXPECT_EQ(value_of(feature::excess, x), 250.0 / 64 - 1000.0 / 12800);
  // Half of the lanes ask: a step takes twice as long as one that is alone, and an eighth of those
  // that wait for longer tiles are missed.
  EXPECT_DOUBLE_EQ(value_of(feature::delay, x),
                   2 * (250.0 / 64 - 1000.0 / 12800) / (50 + 6 * 1100.0 / 12800) + 4 * 0.6 / 8);
  EXPECT_EQ(value_of(feature::strewn, x), 0) << "nobody told the columns";
  EXPECT_EQ(value_of(feature::none, x), 0);
}

TEST(facts, LongTilesExceedNothingWhereAllAreLong) {
  facts x = some();
  x.seen = {200, 2000000, 10000, 0, 0, 2000000};
  EXPECT_EQ(value_of(feature::steps, x), 10000.0 / 128);
  EXPECT_EQ(value_of(feature::excess, x), 0);
  EXPECT_EQ(value_of(feature::delay, x), 0);
}

TEST(facts, ALongTileDelaysASmallWorkMoreThanALargeOne) {
  facts small;
  small.seen = {5'000, 20'000, 1'000, 0, 0, 0};
  facts large = small;
  large.seen = {5'000'000, 20'000'000, 1'000, 0, 0, 0};
  large.all_lanes = small.all_lanes = 270336;
  EXPECT_GT(value_of(feature::excess, large), 10 * value_of(feature::excess, small));
  // There are tiles for all lanes; here lanes for each tile, which keep six tenths of them busy.
  EXPECT_NEAR(value_of(feature::delay, large), 3 * value_of(feature::excess, large) / 605, 0.01);
  EXPECT_NEAR(value_of(feature::delay, small), 2.18 * value_of(feature::excess, small) / 50.5,
              0.01);
}

TEST(facts, CrowdedTilesDelayAWorkWhoseTilesTakeTurns) {
  facts x;
  x.all_lanes = 10'000;
  x.seen = {100'000, 1'000'000, 20, 0, 250'000, 0};
  EXPECT_EQ(value_of(feature::excess, x), 0);
  EXPECT_EQ(value_of(feature::delay, x), 4 * 0.25);
  x.all_lanes = 1'000'000;
  EXPECT_EQ(fitting_lanes(x, true), 4);
  EXPECT_NEAR(value_of(feature::delay, x), 4 * 0.25 * 0.1 + 1.8 * 4 / 56.6, 1e-3);
}

TEST(facts, EveryFeatureHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const auto& w : select::words_of_features) {
    EXPECT_FALSE(w.name.empty());
    EXPECT_FALSE(w.meaning.empty());
    names.insert(w.name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(select::all_features));
  EXPECT_EQ(static_cast<int>(feature::none), select::all_features);
}

TEST(facts, FeaturesOfNothingAreFinite) {
  for (int f = 0; f < select::all_features; ++f) {
    const double v = value_of(static_cast<feature>(f), facts{});
    EXPECT_GE(v, 0);
    EXPECT_LT(v, 1e9);
  }
}

TEST(facts, LanesThatFitAreHalfTheLongestTileWhileTheMachineHasLanesToSpare) {
  facts x;
  x.seen = {100, 1000, 10, 0, 0, 1000};
  EXPECT_EQ(fitting_lanes(x, true), 4);  // 5, to the nearer power of two
  x.seen.longest = 12;
  EXPECT_EQ(fitting_lanes(x, true), 8);  // 6: beyond 4 times the root of two
  x.seen.longest = 11;
  EXPECT_EQ(fitting_lanes(x, true), 4);
  x.seen.longest = 100000;
  EXPECT_EQ(fitting_lanes(x, true), 128);
  x.block_lanes = 64;
  EXPECT_EQ(fitting_lanes(x, true), 64);
  x.seen.longest = 0;
  EXPECT_EQ(fitting_lanes(x, true), 1);
}

TEST(facts, AWaveIsEnoughForTilesThatItTakesInOneRound) {
  facts x;
  x.seen = {100, 1000, 128, 0, 0, 0};
  EXPECT_EQ(fitting_lanes(x, true), 32);
  x.seen.longest = 129;
  EXPECT_EQ(fitting_lanes(x, true), 64);
  x.wave = 64;
  x.seen.longest = 256;
  EXPECT_EQ(fitting_lanes(x, true), 64);
  x.seen.longest = 257;
  EXPECT_EQ(fitting_lanes(x, true), 128);
}

TEST(facts, LanesThatFitAreNoMoreThanKeepTheMachineBusy) {
  facts x;
  x.all_lanes = 270336;
  x.seen = {270336, 270336 * 7, 500, 0, 0, 0};
  EXPECT_EQ(fitting_lanes(x, true), 1);
  x.seen = {270336 / 4, 270336, 500, 0, 0, 0};
  EXPECT_EQ(fitting_lanes(x, true), 2) << "half of the machine is enough";
  // Long tiles get a lane for every ten atoms, and four, even so.
  x.seen = {270336, std::int64_t{270336} * 256, 500, 0, 0, 0};
  EXPECT_EQ(fitting_lanes(x, true), 32);
}

TEST(facts, LanesThatFitAreMoreWhereColumnsAreScattered) {
  facts x;
  x.seen = {1'000'000, 16'000'000, 16, 0, 0, 16'000'000, 1000, 0, 1000 * 1'000'000};
  EXPECT_EQ(fitting_lanes(x, true), 4);  // a lane for 5.6 atoms
  x.seen.strewn = 1000;
  EXPECT_EQ(value_of(feature::strewn, x), 1);
  EXPECT_EQ(fitting_lanes(x, true), 8);  // for two
  x.seen.strewn = 600;
  EXPECT_EQ(value_of(feature::strewn, x), 0.6);
  EXPECT_EQ(fitting_lanes(x, true), 8);  // 5.9 lanes, and the border at 5.7
  x.seen.strewn = 500;
  EXPECT_EQ(fitting_lanes(x, true), 4);  // 5.4
  // Nobody has looked yet.
  x.seen.strewn = 1000;
  EXPECT_EQ(fitting_lanes(x, false), 4);
  // Half the longest tile is enough all the same.
  x.seen.longest = 4;
  EXPECT_EQ(fitting_lanes(x, true), 2);
}

TEST(facts, LanesThatFitFollowTheMeanOfManyTiles) {
  const auto lanes = [](std::int64_t mean) {
    facts x;
    x.seen = {1'000'000, 1'000'000 * mean, mean, 0, 0, 1'000'000 * mean, 0, 0, 0};
    EXPECT_EQ(fitting_lanes(x, true), fitting_lanes(x, false)) << mean;
    return fitting_lanes(x, true);
  };
  EXPECT_EQ(lanes(1), 1);
  EXPECT_EQ(lanes(7), 1);
  EXPECT_EQ(lanes(8), 2);
  EXPECT_EQ(lanes(15), 2);
  EXPECT_EQ(lanes(16), 4);
  EXPECT_EQ(lanes(31), 4);
  EXPECT_EQ(lanes(32), 8);
  // A lane for every 5.6 atoms would be 16 from 64 on.
  EXPECT_EQ(lanes(73), 8);
  EXPECT_EQ(lanes(74), 16);
  EXPECT_EQ(lanes(186), 16);
  EXPECT_EQ(lanes(187), 32);
  EXPECT_EQ(lanes(413), 64);
}

TEST(facts, ColumnsThatACacheHoldsAreLessScattered) {
  facts x;
  x.first_cache = 40'000;
  x.seen = {1'000'000, 16'000'000, 16, 0, 0, 16'000'000, 1000, 1000, 1000 * 2'500};
  EXPECT_EQ(select::span_of(x), 10'000);
  EXPECT_EQ(select::scattered_of(x), 0.25);
  EXPECT_EQ(value_of(feature::strewn, x), 1) << "far from each other they are";
  EXPECT_EQ(fitting_lanes(x, true), 4);  // 4.1
  x.value_bytes = 8;
  EXPECT_EQ(select::scattered_of(x), 0.5);
  x.seen.strewn = 500;
  EXPECT_EQ(select::scattered_of(x), 0.25);
  x.seen.strewn = 1000;
  x.seen.span = 1000 * 5'000;
  EXPECT_EQ(select::span_of(x), 40'000);
  EXPECT_EQ(select::scattered_of(x), 1);
  x.seen.span = 1000 * 50'000;
  EXPECT_EQ(select::scattered_of(x), 1) << "no more than all";
  EXPECT_EQ(fitting_lanes(x, true), 8);
  x.all_lanes = 16'000'000;
  EXPECT_EQ(select::span_of(x), 0) << "columns do not matter";
}

TEST(facts, WhereACacheHoldsAllColumnsNoneAreScattered) {
  facts x;
  x.first_cache = 60'000;
  x.seen = {1'000'000, 32'000'000, 32, 0, 0, 32'000'000, 1000, 1000, 1000 * 10'000};
  EXPECT_EQ(select::scattered_of(x), 2.0 / 3) << "nobody said how many there are";
  x.columns = 10'001;
  EXPECT_EQ(select::scattered_of(x), 2.0 / 3);
  EXPECT_EQ(fitting_lanes(x, true), 16);  // 12.6
  x.columns = 10'000;
  EXPECT_EQ(select::scattered_of(x), 0);
  EXPECT_EQ(fitting_lanes(x, true), 8);  // 5.7, as where columns are near
  x.value_bytes = 8;
  EXPECT_EQ(select::scattered_of(x), 1) << "twice the bytes";
}

TEST(facts, TilesThatRunAtOnceGoSideBySide) {
  facts x;
  x.all_lanes = 270336;
  x.first_cache = 200'000;
  x.value_bytes = 8;
  // 10.8 lanes for each tile, which read 43 of 500 atoms at a time.
  x.seen = {25'000, 12'500'000, 500, 0, 0, 12'500'000, 1000, 1000, 1000 * 60'000};
  EXPECT_EQ(fitting_lanes(x, true), 8);
  EXPECT_EQ(fitting_lanes(x, false), 64) << "nobody has looked yet";
  // Forty-three atoms in five hundred of 2.4 MB: no cache holds them.
  x.seen.span = 1000 * 300'000;
  EXPECT_EQ(fitting_lanes(x, true), 128);
  // They take turns: 5.4 lanes would be left for each.
  x.seen = {50'000, 25'000'000, 500, 0, 0, 25'000'000, 1000, 1000, 1000 * 60'000};
  EXPECT_EQ(fitting_lanes(x, true), 128);
}

TEST(facts, TilesOverMoreThanTheLastCacheGoSideBySide) {
  // 80 MB lie under each tile in floats, and 5 MB are what the cache gives to all.
  constexpr auto work = [](std::int64_t tiles, std::int64_t mean, int value_bytes) {
    facts x;
    x.all_lanes = 270336;
    x.last_cache = 50'000'000;
    x.value_bytes = value_bytes;
    x.seen = {tiles, tiles * mean, mean, 0, 0, tiles * mean, 1000, 1000, 1000 * 20'000'000LL};
    return x;
  };
  facts x = work(20'000, 400, 4);
  EXPECT_EQ(select::lanes_side_by_side(x), 4);
  EXPECT_EQ(select::lanes_side_by_side(work(20'000, 256, 4)), 4);
  EXPECT_EQ(select::lanes_side_by_side(work(20'000, 255, 4)), 2) << "the stretch is too long";
  EXPECT_EQ(select::lanes_side_by_side(work(20'000, 400, 8)), 2);
  EXPECT_EQ(select::lanes_side_by_side(work(22'528, 400, 4)), 4);
  EXPECT_EQ(select::lanes_side_by_side(work(22'529, 400, 4)), 2) << "a third of the machine";
  EXPECT_EQ(select::lanes_side_by_side(work(60'000, 400, 4)), 1);
  EXPECT_EQ(select::lanes_side_by_side(work(60'000, 400, 8)), 1);
  EXPECT_EQ(select::lanes_side_by_side(work(60'000, 63, 4)), 0) << "the stretch is too long";
  EXPECT_EQ(select::lanes_side_by_side(work(60'000, 64, 4)), 1);
  EXPECT_EQ(select::lanes_side_by_side(work(60'000, 127, 8)), 0);
  EXPECT_EQ(select::lanes_side_by_side(work(27'034, 64, 4)), 1);
  EXPECT_EQ(select::lanes_side_by_side(work(27'033, 64, 4)), 0) << "nine tenths would be idle";
  EXPECT_EQ(select::lanes_side_by_side(work(90'112, 400, 8)), 1);
  EXPECT_EQ(select::lanes_side_by_side(work(90'113, 400, 8)), 0);
  EXPECT_EQ(select::lanes_side_by_side(work(500, 40'000, 4)), 128);
  x.block_lanes = 2;
  EXPECT_EQ(select::lanes_side_by_side(x), 2);
  x.block_lanes = 128;
  x.seen.tiles = 40'001;
  EXPECT_EQ(select::lanes_side_by_side(x), 0) << "longer than twice the mean";
  x.seen.empty = 20'001;
  EXPECT_EQ(select::lanes_side_by_side(x), 4) << "empty ones count for nothing";
  x.seen.tiles = 20'000;
  x.seen.empty = 0;
  x.seen.longest = 800;
  EXPECT_EQ(select::lanes_side_by_side(x), 4);
  x.seen.longest = 801;
  EXPECT_EQ(select::lanes_side_by_side(x), 0) << "they are not at the same place for long";
  x.seen.longest = 400;
  x.seen.strewn = 500;
  EXPECT_EQ(select::lanes_side_by_side(x), 0) << "many are near each other";
  x.seen.strewn = 501;
  EXPECT_EQ(select::lanes_side_by_side(x), 4);
  x.seen.span = 1000 * 12'500'000LL;
  EXPECT_EQ(select::lanes_side_by_side(x), 0) << "the cache holds all of it";
  x.seen.span += 1000;
  EXPECT_EQ(select::lanes_side_by_side(x), 4);
  EXPECT_EQ(select::lanes_side_by_side(facts()), 0);
}

TEST(facts, MachinesHaveTheirLanesAndCaches) {
  machine m;
  m.threads = 128;
  m.wave = 32;
  m.blocks = std::int64_t{1} << 30;
  facts x;
  x.seen = {3, 7};
  x.value_bytes = 8;
  x = select::on_machine(x, m);
  EXPECT_EQ(x.seen, (tile_statistics{3, 7}));
  EXPECT_EQ(x.value_bytes, 8);
  EXPECT_EQ(x.block_lanes, 128);
  EXPECT_EQ(x.wave, 32);
  EXPECT_EQ(x.all_lanes, std::int64_t{1} << 37);
  EXPECT_EQ(x.first_cache, 200'000);
  EXPECT_EQ(x.last_cache, 50'000'000);
  m.wave = 64;
  x = select::on_machine(x, m);
  EXPECT_EQ(x.first_cache, 32'000);
  EXPECT_EQ(x.last_cache, 256'000'000);
}

TEST(facts, AWaveIsEnoughForStrewnColumnsThatACacheHolds) {
  facts x;
  x.all_lanes = 270336;
  x.seen = {25'000, 12'500'000, 500, 0, 0, 12'500'000, 1000, 501, 1000 * 25'000};
  EXPECT_EQ(select::most_lanes(x, true), 32);
  EXPECT_EQ(fitting_lanes(x, true), 32);
  EXPECT_EQ(select::most_lanes(x, false), 128) << "nobody has looked yet";
  x.seen.strewn = 500;
  EXPECT_EQ(select::most_lanes(x, true), 128) << "many are near each other";
  EXPECT_EQ(fitting_lanes(x, true), 128);
  // Half of the machine would be idle.
  x.seen = {2'500, 12'500'000, 5'000, 0, 0, 12'500'000, 1000, 1000, 1000 * 25'000};
  EXPECT_EQ(select::most_lanes(x, true), 64);
  x.seen.tiles = 2'000;
  EXPECT_EQ(select::most_lanes(x, true), 128);
  x.block_lanes = 16;
  EXPECT_EQ(select::most_lanes(x, true), 16);
}

TEST(facts, ColumnsMatterWhereThereAreMoreAtomsThanLanes) {
  facts x;
  x.all_lanes = 10'000;
  x.seen = {1'000, 10'000, 20, 0, 0, 0, 100, 100, 100 * 1'000'000};
  EXPECT_FALSE(select::columns_matter(x));
  EXPECT_EQ(value_of(feature::strewn, x), 0);
  const int lanes = fitting_lanes(x, true);
  // A lane for every two atoms would be no more than there are.
  EXPECT_GE(lanes, 4);
  EXPECT_TRUE(select::copied_to_look(x));
  x.seen.atoms = 10'001;
  EXPECT_TRUE(select::columns_matter(x));
  EXPECT_EQ(value_of(feature::strewn, x), 1);
  EXPECT_EQ(fitting_lanes(x, true), lanes);
  EXPECT_FALSE(select::copied_to_look(x));
  x.all_lanes = 1'000'000;
  x.seen.tiles = select::most_tiles_copied;
  EXPECT_TRUE(select::copied_to_look(x));
  ++x.seen.tiles;
  EXPECT_FALSE(select::copied_to_look(x));
}

TEST(facts, UnseenTilesCountAsEightTimesTheMean) {
  facts x;
  x.seen = {100, 1000, 0, 0, 0, 0};
  EXPECT_EQ(fitting_lanes(x, false), 32);
}

static_assert(fitting_lanes(facts{}, true) == 1);

}  // namespace
