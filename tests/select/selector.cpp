// SPDX-License-Identifier: Apache-2.0
/// The policy of a selector, on one small enough to follow by hand.
#include "loops/select/selector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "choices.hpp"

namespace {

using namespace loops;
using select::candidate;
using select::decision;
using select::facts;
using select::feature;
using select::forecast;
using select::leaf;
using select::node;
using select::placing;

// Known: few atoms, many atoms. Gathered: even, uneven. Launch 5 us; a pass over the tiles 20 us.
constexpr candidate schedules[] = {{"group_mapped", candidate::fitted, 0, 2},
                                   {"merge_path", 0, 0, 12}};
constexpr node known_nodes[] = {
    {feature::atoms, 1000, 2}, {feature::none, 0, 0}, {feature::none, 0, 1}};
constexpr leaf known_leaves[] = {{50, 10, true, 1, 0.01}, {50, 10, true, 1, 0.02}};
constexpr forecast known_forecasts[] = {
    {1, 1, 2, 0.05}, {1, 2, 2, 0.8}, {1, 1, 9, 0.5}, {1, 1, 2, 0.3}};
constexpr node gathered_nodes[] = {
    {feature::skew, 4, 2}, {feature::none, 0, 0}, {feature::none, 0, 1}};
constexpr leaf gathered_leaves[] = {{50, 10, true, 1, 0}, {50, 2, false, 1, 0}};
constexpr forecast gathered_forecasts[] = {
    {1, 1, 2, 0.01}, {1, 2, 2, 0.5}, {1, 1, 9, 0.1}, {1, 1, 2, 0.2}};
constexpr select::selector small{
    .device = "test",
    .basis = "by hand",
    .proved = true,
    .launch_us = 5,
    .gb_per_s = 1000,
    .gather_us = 20,
    .gather_ns = 1,
    .copy_us = 7,
    .step_ns = 100,
    .schedules = schedules,
    .safe = 1,
    .known = {known_nodes, known_leaves, known_forecasts},
    .gathered = {gathered_nodes, gathered_leaves, gathered_forecasts},
};
static_assert(well_formed(small));

facts sized(std::int64_t tiles, std::int64_t atoms, std::int64_t longest, std::int64_t uses) {
  facts x;
  x.seen.tiles = tiles;
  x.seen.atoms = atoms;
  x.seen.longest = longest;
  x.uses = uses;
  return x;
}

TEST(selector, TakesTheLeastLossByTheSizeAlone) {
  EXPECT_EQ(decide_known(small, sized(100, 500, 0, 1000)).choice, 0);
  EXPECT_EQ(decide_known(small, sized(1000, 5000, 0, 1000)).choice, 1);
}

TEST(selector, SharesThePlanByAllUses) {
  // 0.5 against 0.3: ten microseconds more for the plan of the better one, of a work that takes
  // five, are 2 / uses of its time.
  const auto choice = [](std::int64_t uses) {
    facts x = sized(1000, 1100, 0, uses);
    x.all_lanes = 3;  // too few for a choice to go wrong
    return decide_known(small, x).choice;
  };
  EXPECT_EQ(choice(1), 0);
  EXPECT_EQ(choice(9), 0);
  EXPECT_EQ(choice(11), 1);
}

TEST(selector, LooksWhenThatSavesMoreThanItCosts) {
  // In the leaf of many atoms looking saves 0.3 + 12 / (5 uses) - 0.02 of about 5 us a use.
  int looked = 0;
  const auto decide = [&](std::int64_t uses) {
    const facts x = sized(1000, 5000, 5, uses);
    return select::decide(small, x, [&] {
      ++looked;
      return x.seen;
    });
  };
  EXPECT_FALSE(decide(1).gathered);
  EXPECT_EQ(looked, 0);
  const decision d = decide(100);
  EXPECT_TRUE(d.gathered);
  EXPECT_EQ(looked, 1);
  EXPECT_EQ(d.choice, 0);
  // Two thousand million tiles cost two seconds.
  EXPECT_GT(gathering_us(small, sized(2'000'000'000, 5, 0, 1)), 1.9e6);
  // Few tiles are copied, unless columns matter as well.
  EXPECT_EQ(gathering_us(small, sized(1000, 5000, 0, 1)), 7);
  EXPECT_GT(gathering_us(small, sized(1000, 500'000, 0, 1)), 20);
}

TEST(selector, CountsThePlanThatIsMadeAfterALook) {
  static constexpr leaf dear_leaves[] = {{50, 10, true, 1, 0.01, 0}, {50, 10, true, 1, 0.02, 30}};
  select::selector dear = small;
  dear.known.leaves = dear_leaves;
  const auto least_uses = [](const select::selector& s) {
    std::int64_t uses = 1;
    while (!select::decide(s, sized(1000, 5000, 5, uses), [] {
              return sized(1000, 5000, 5, 1).seen;
            }).gathered)
      ++uses;
    return uses;
  };
  const decision d = decide_known(small, sized(1000, 5000, 5, 20));
  EXPECT_NEAR(select::saved_by_looking_us(small, d) - select::saved_by_looking_us(dear, d), 30,
              1e-9);
  EXPECT_GT(least_uses(dear), least_uses(small) + 5);
}

TEST(selector, TakesAScheduleThatCutsTilesWhereTooLittleWasSeen) {
  const decision d = decide_gathered(small, sized(1000, 5000, 500, 1'000'000));
  EXPECT_FALSE(d.sure);
  EXPECT_EQ(d.choice, 1);
}

TEST(selector, TakesNothingThatCouldGoWrong) {
  // One tile with all 280 atoms, two lanes for it: 14 us, less than three times the yardstick.
  facts x = sized(50, 280, 0, 1000);
  x.block_lanes = 2;
  EXPECT_EQ(decide_known(small, x).choice, 0);
  x.seen.atoms = 320;
  EXPECT_EQ(decide_known(small, x).choice, 1);
  // A plan that only one use pays for is part of what the safe choice takes.
  x.uses = 1;
  EXPECT_EQ(decide_known(small, x).choice, 0);
  x.uses = 1000;
  x.block_lanes = 1;
  x.seen.atoms = 280;
  EXPECT_EQ(decide_known(small, x).choice, 1);
  // When it is known that there is no such tile, it may.
  x.seen.longest = 20;
  EXPECT_EQ(decide_gathered(small, x).choice, 0);
  // Seen, a tile may be longer: up to ten times the yardstick.
  facts seen = sized(1, 480, 480, 1000);
  seen.block_lanes = 1;
  EXPECT_EQ(decide_gathered(small, seen).choice, 0);
  seen.seen.atoms = seen.seen.longest = 520;
  EXPECT_EQ(decide_gathered(small, seen).choice, 1);
  // A machine of three lanes cannot be more than three times slower.
  x.seen.longest = 0;
  x.all_lanes = 3;
  EXPECT_EQ(decide_known(small, x).choice, 0);
}

TEST(selector, ShiftsFittedLanesWithinABlock) {
  const facts x = sized(1000, 16000, 16, 1);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, 0, 0}, x, true), 8);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, 2, 0}, x, true), 32);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, -2, 0}, x, true), 2);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, -9, 0}, x, true), 1);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, 9, 0}, x, true), 128);
  EXPECT_EQ(lanes_of({"wave_mapped", 32, 0, 0}, x, true), 32);
  // A cache holds what is strewn: a wave is the most.
  facts strewn = sized(25'000, 12'500'000, 500, 1);
  strewn.seen.sampled = strewn.seen.strewn = 1000;
  strewn.seen.span = 1000 * 25'000;
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, 2, 0}, strewn, true), 32);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, -1, 0}, strewn, true), 16);
  // Where tiles go over more than the last cache side by side, all groups are of those lanes.
  facts wide = sized(20'000, 8'000'000, 400, 1);
  wide.seen.sampled = wide.seen.strewn = 1000;
  wide.seen.span = 1000 * 20'000'000LL;
  for (const int shift : {-1, 0, 1})
    EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, shift, 0}, wide, true), 4);
  EXPECT_EQ(lanes_of({"group_mapped", candidate::fitted, 0, 0}, wide, false), 32);
  EXPECT_EQ(lanes_of({"group_mapped", 32, 0, 0}, wide, true), 32);
}

TEST(selector, NamesAnotherScheduleForLargeWorks) {
  // 8 bytes per atom.
  constexpr candidate cut{"merge_path", 0, 0, 12, {{{"nonzero_split", placing::near, 40'000}}}};
  EXPECT_EQ(kernels_of(cut, sized(10, 5000, 0, 1)), "merge_path");
  EXPECT_EQ(kernels_of(cut, sized(10, 5001, 0, 1)), "nonzero_split");
  EXPECT_EQ(kernels_of(schedules[1], sized(10, 1'000'000'000, 0, 1)), "merge_path");
  facts doubles = sized(10, 3333, 0, 1);
  doubles.value_bytes = 8;
  EXPECT_EQ(kernels_of(cut, doubles), "merge_path") << "12 bytes per atom";
  doubles.seen.atoms = 3334;
  EXPECT_EQ(kernels_of(cut, doubles), "nonzero_split");
  // Of crowded works, those with more bytes.
  constexpr candidate patient{
      "merge_path", 0, 0, 12, {{{"nonzero_split", placing::near, 40'000, 0, 0, 80'000}}}};
  facts crowded = sized(10, 10'000, 0, 1);
  crowded.seen.crowded = 2001;
  EXPECT_EQ(kernels_of(cut, crowded), "nonzero_split");
  EXPECT_EQ(kernels_of(patient, crowded), "merge_path");
  crowded.seen.crowded = 2000;
  EXPECT_EQ(kernels_of(patient, crowded), "nonzero_split");
  crowded.seen.crowded = 10'001;
  crowded.seen.atoms = 10'001;
  EXPECT_EQ(kernels_of(patient, crowded), "nonzero_split");
  // Lanes that take tiles give way where columns are strewn, but within a seventh of a cache.
  constexpr candidate even{
      "group_mapped", candidate::fitted, 0, 0, {{{"nonzero_split", placing::near, 40'000, 20}}}};
  const auto strewn = [](facts x) {
    x.all_lanes = 1000;
    x.first_cache = 40'000;
    x.seen.sampled = 1000;
    x.seen.span = 1000 * 1428;
    x.seen.strewn = 300;
    return x;
  };
  facts x = strewn(sized(300, 6300, 21, 1));
  EXPECT_EQ(kernels_of(even, x), "nonzero_split");
  EXPECT_EQ(lanes_of(even, x, true), 0) << "which cuts tiles";
  const facts short_tiles = strewn(sized(315, 6300, 21, 1));
  EXPECT_EQ(kernels_of(even, short_tiles), "group_mapped");
  EXPECT_EQ(lanes_of(even, short_tiles, true),
            lanes_of({"group_mapped", candidate::fitted, 0, 0}, short_tiles, true));
  x.seen.strewn = 299;
  EXPECT_EQ(kernels_of(even, x), "group_mapped");
  x.seen.strewn = 1000;
  x.seen.span = 1000 * 1429;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "more than a seventh";
  // What cuts tiles anyway gives way unless nearly all are strewn over more than that.
  x.seen.strewn = 899;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split");
  x.seen.strewn = 900;
  EXPECT_EQ(kernels_of(cut, x), "merge_path");
  x.seen.span = 1000 * 1428;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split");
  constexpr candidate nameless[] = {schedules[0],
                                    {"merge_path", 0, 0, 12, {{{{}, placing::near, 40'000}}}}};
  select::selector s = small;
  s.schedules = nameless;
  EXPECT_FALSE(well_formed(s));
}

TEST(selector, NamesAnotherScheduleWhereColumnsAreFarFromEachOther) {
  constexpr candidate even{
      "group_mapped", candidate::fitted, 0, 0, {{{"merge_path", placing::far, 2'000'000, 7}}}};
  facts x = sized(1'000'000, 8'000'000, 8, 1);
  x.all_lanes = 1000;
  x.seen.sampled = 1000;
  x.seen.strewn = 900;
  x.seen.span = 1000 * std::int64_t{500'001};
  EXPECT_EQ(kernels_of(even, x), "merge_path");
  EXPECT_EQ(lanes_of(even, x, true), 0) << "which cuts tiles";
  x.seen.span = 1000 * std::int64_t{500'000};
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "a cache holds what they lie over";
  x.value_bytes = 8;
  EXPECT_EQ(kernels_of(even, x), "merge_path");
  x.seen.strewn = 899;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "some are near each other";
  x.seen.strewn = 900;
  x.seen.atoms = 7'000'000;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "tiles are short";
  x.seen.tiles = 100'000;
  EXPECT_EQ(kernels_of(even, x), "merge_path");
  x.seen.atoms = 4'166'666;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "a cache holds the work";
  x.seen.atoms = 4'166'667;
  EXPECT_EQ(kernels_of(even, x), "merge_path");
  x.all_lanes = 4'166'667;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "columns do not matter";
  // 40 atoms per tile are the most.
  constexpr candidate bounded{
      "group_mapped", candidate::fitted, 0, 0, {{{"merge_path", placing::far, 2'000'000, 7, 40}}}};
  x.all_lanes = 1000;
  x.seen.tiles = 200'000;
  x.seen.atoms = 8'000'000;
  EXPECT_EQ(kernels_of(bounded, x), "merge_path");
  ++x.seen.atoms;
  EXPECT_EQ(kernels_of(bounded, x), "group_mapped");
  EXPECT_EQ(kernels_of(even, x), "merge_path");
  constexpr candidate never[] = {
      {"group_mapped", 1, 0, 0, {{{"merge_path", placing::near, 1, 7, 7}}}}};
  constexpr candidate nothing[] = {{"group_mapped", 1, 0, 0, {{{{}, placing::near, 0, 0, 7}}}}};
  constexpr candidate crowded[] = {{"group_mapped", 1, 0, 0, {{{{}, placing::near, 0, 0, 0, 7}}}}};
  for (const auto& wrong : {never, nothing, crowded}) {
    const candidate schedules_of[] = {wrong[0], schedules[1]};
    select::selector s = small;
    s.schedules = schedules_of;
    EXPECT_FALSE(well_formed(s));
  }
}

TEST(selector, NamesAnotherScheduleWhereColumnsLieInABand) {
  constexpr candidate even{"group_mapped",
                           candidate::fitted,
                           0,
                           0,
                           {{{"nonzero_split", placing::near, 1},
                             {"wide_split", placing::narrow_band, 40'000'000, 7, 40},
                             {"wide_split", placing::band, 40'000'000, 7, 40}}}};
  facts x = sized(1'000'000, 8'000'000, 8, 1);
  x.all_lanes = 1000;
  x.first_cache = 100'000;
  x.columns = 1'000'000;
  x.seen.sampled = 1000;
  x.seen.strewn = 900;
  x.seen.span = 1000 * 5000;
  EXPECT_EQ(kernels_of(even, x), "wide_split");
  EXPECT_EQ(lanes_of(even, x, true), 0) << "which cuts tiles";
  x.seen.strewn = 899;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "some are near each other";
  x.seen.strewn = 1000;
  // Blocks of fewer atoms read little twice from 2500 columns on; 12,500 fill half of the cache.
  for (const auto& [span, name] :
       {std::pair{2499, "nonzero_split"}, {2500, "wide_split"}, {12'500, "wide_split"}})
    EXPECT_EQ(kernels_of(even, (x.seen.span = 1000 * span, x)), name) << span;
  x.seen.span = 1000 * 12'501;
  EXPECT_EQ(kernels_of(even, x), "group_mapped");
  x.value_bytes = 8;
  x.seen.span = 1000 * 2500;
  EXPECT_EQ(kernels_of(even, x), "wide_split") << "columns count, not bytes";
  x.value_bytes = 4;
  // All tiles read the same: they lie over more than an eighth of it.
  x.seen.span = 1000 * 12'500;
  x.columns = 100'000;
  EXPECT_EQ(kernels_of(even, x), "wide_split");
  x.columns = 99'999;
  EXPECT_EQ(kernels_of(even, x), "group_mapped");
  x.columns = 0;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "nobody said how many there are";
  x.columns = 1'000'000;
  x.seen.atoms = 5'000'000;
  x.seen.tiles = 500'000;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "few bytes";
}

TEST(selector, NamesAnotherScheduleWhereABandIsWide) {
  constexpr candidate even{"group_mapped",
                           candidate::fitted,
                           0,
                           0,
                           {{{"nonzero_split", placing::band, 1},
                             {"wide_split", placing::wide_band, 40'000'000, 0, 20}}}};
  facts x = sized(1'000'000, 8'000'000, 8, 1);
  x.all_lanes = 1000;
  x.first_cache = 100'000;
  x.columns = 10'000'000;
  x.seen.sampled = x.seen.strewn = 1000;
  // 50,000 bytes are half of the cache, 150,000 once and a half.
  for (const auto& [span, name] : {std::pair{12'500, "nonzero_split"},
                                   {12'501, "wide_split"},
                                   {37'500, "wide_split"},
                                   {37'501, "group_mapped"}})
    EXPECT_EQ(kernels_of(even, (x.seen.span = 1000 * span, x)), name) << span;
  x.seen.span = 1000 * 20'000;
  x.seen.tiles = 399'999;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "tiles are long";
  x.seen.tiles = 400'000;
  EXPECT_EQ(kernels_of(even, x), "wide_split");
}

TEST(selector, LetsLargeBlocksOfGroupsTakeABand) {
  constexpr candidate even{
      "group_mapped",
      candidate::fitted,
      1,
      0,
      {{{.name = "wide_groups",
         .where = placing::narrow_band,
         .from = 40'000'000,
         .large = 100'000'000,
         .by_lanes = true},
        {.name = "wide_split", .where = placing::narrow_band, .from = 80'000'000}}}};
  facts x = sized(500'000, 5'000'001, 10, 1);
  x.all_lanes = 1000;
  x.first_cache = 100'000;
  x.columns = 1'000'000;
  x.seen.sampled = x.seen.strewn = 1000;
  x.seen.span = 1000 * 5000;
  EXPECT_EQ(kernels_of(even, x), "wide_groups");
  // By the mean, whatever the shift of the candidate is.
  for (const auto& [tiles, lanes] : {std::pair{1'000'000, 1},
                                     {500'000, 2},
                                     {260'000, 2},
                                     {180'000, 4},
                                     {40'000, 16},
                                     {9000, 16}})
    EXPECT_EQ(lanes_of(even, (x.seen.tiles = tiles, x), true), lanes) << tiles;
  x.seen.tiles = 500'000;
  // A third of the cache.
  x.seen.span = 1000 * 8333;
  EXPECT_EQ(kernels_of(even, x), "wide_groups");
  x.seen.span = 1000 * 8334;
  EXPECT_EQ(kernels_of(even, x), "group_mapped");
  x.seen.span = 1000 * 5000;
  x.seen.atoms = 5'000'000;
  EXPECT_EQ(kernels_of(even, x), "group_mapped") << "few bytes";
  x.seen.atoms = 10'000'001;
  EXPECT_EQ(kernels_of(even, x), "wide_split");
  EXPECT_EQ(lanes_of(even, x, true), 0) << "which cuts tiles";
  // Of values of 8 bytes, those with more bytes; the other one has no such limit.
  x.value_bytes = 8;
  x.columns = 500'000;
  x.seen.span = 1000 * 4000;
  x.seen.atoms = 6'666'666;
  EXPECT_EQ(kernels_of(even, x), "group_mapped");
  x.seen.atoms = 6'666'667;
  EXPECT_EQ(kernels_of(even, x), "wide_split");
  x.seen.atoms = 8'333'334;
  EXPECT_EQ(substitute_of(even, x)->from, 80'000'000);
}

TEST(selector, LetsLanesTakeEvenTilesAlone) {
  constexpr candidate cut{"merge_path",
                          0,
                          0,
                          12,
                          {{{.name = "wide_groups",
                             .where = placing::held,
                             .from = 30'000'000,
                             .crowded = select::never,
                             .by_lanes = true}}}};
  facts x = sized(100'000, 10'000'000, 800, 1);
  x.columns = 10'000;
  EXPECT_EQ(kernels_of(cut, x), "wide_groups");
  EXPECT_EQ(lanes_of(cut, x, true), 8);
  x.seen.longest = 801;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "a tile of more than eight times the mean";
  EXPECT_EQ(lanes_of(cut, x, true), 0);
  x.seen.longest = 800;
  x.seen.crowded = 2'000'001;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "a fifth are in long tiles";
  x.seen.crowded = 0;
  EXPECT_EQ(kernels_of(cut, x), "wide_groups");
  EXPECT_EQ(kernels_of(cut, by_size(x)), "merge_path") << "nobody has looked at the tiles";
  EXPECT_EQ(lanes_of(cut, by_size(x), false), 0);
}

TEST(selector, NamesAnotherScheduleWhereACacheHoldsAllColumns) {
  constexpr candidate cut{"merge_path", 0, 0, 12, {{{"nonzero_split", placing::held, 30'000'000}}}};
  facts x = sized(10'000, 4'000'000, 4000, 1);
  x.first_cache = 200'000;
  x.columns = 62'500;
  x.seen.crowded = 4'000'000;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split") << "crowded or not";
  x.columns = 62'501;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "a cache and a quarter";
  x.columns = 0;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "nobody said how many there are";
  x.columns = 31'250;
  x.value_bytes = 8;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split");
  x.seen.atoms = 2'500'000;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "few bytes";
}

TEST(selector, NamesAnotherScheduleWhereStrewnTilesAreLong) {
  constexpr candidate cut{
      "merge_path", 0, 0, 12, {{{"nonzero_split", placing::strewn, 60'000'000, 31}}}};
  facts x = sized(200'000, 8'000'000, 4000, 1);
  x.first_cache = 200'000;
  x.seen.sampled = 1000;
  x.seen.strewn = 900;
  x.seen.span = 1000 * std::int64_t{25'000};
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split");
  EXPECT_TRUE(favours_cache(x));
  x.seen.span -= 1000;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "less than half of a cache";
  EXPECT_FALSE(favours_cache(x));
  x.value_bytes = 8;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split");
  x.seen.strewn = 899;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "some are near each other";
  EXPECT_FALSE(favours_cache(x));
  x.seen.strewn = 900;
  x.seen.tiles = 260'000;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "tiles are short";
  x.seen.tiles = 10'000;
  x.seen.atoms = 5'000'000;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "few bytes";
  EXPECT_TRUE(favours_cache(x));
  x.seen.span = 1000 * std::int64_t{200'000};
  EXPECT_TRUE(favours_cache(x));
  x.seen.span += 1000;
  EXPECT_FALSE(favours_cache(x)) << "more than a cache could help with";
  x.seen.span = 1000 * std::int64_t{25'000};
  x.seen.atoms = 4'000'000;
  EXPECT_FALSE(favours_cache(x)) << "a cache holds the work";
  x.seen.atoms = 8'000'000;
  for (const std::int64_t held : {std::int64_t{31'250}, std::int64_t{31'251}}) {
    x.columns = held;
    EXPECT_EQ(kernels_of(cut, x), held > 31'250 ? "nonzero_split" : "merge_path")
        << "a cache holds all columns";
  }
}

TEST(selector, NamesAnotherScheduleWhereColumnsAreEverywhereInALargeX) {
  constexpr candidate cut{"merge_path",
                          0,
                          0,
                          12,
                          {{{"nonzero_split", placing::everywhere, 17'000'000, 0, 0, 20'000'000},
                            {"wide_split", placing::everywhere, 28'000'000, 0, 0, select::never}}}};
  facts x = sized(1'000'000, 10'000'000, 10, 1);
  x.all_lanes = 1000;
  x.seen.sampled = x.seen.strewn = 1000;
  const auto of_columns = [&x](std::int64_t columns) {
    x.columns = columns;
    x.seen.span = 1000 * (columns / 8 + 1);
    return x;
  };
  EXPECT_EQ(kernels_of(cut, of_columns(4'250'000)), "merge_path");
  EXPECT_EQ(kernels_of(cut, of_columns(4'250'001)), "nonzero_split");
  EXPECT_EQ(kernels_of(cut, of_columns(7'000'000)), "nonzero_split");
  EXPECT_EQ(kernels_of(cut, of_columns(7'000'001)), "wide_split") << "the last one that may";
  x.seen.crowded = 10'000'000;
  EXPECT_EQ(kernels_of(cut, x), "nonzero_split") << "slices are unequal";
  EXPECT_EQ(kernels_of(cut, of_columns(5'000'000)), "merge_path");
  x.seen.crowded = 0;
  x = of_columns(7'000'001);
  x.seen.span = 1000 * (7'000'001 / 8);
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "other tiles lie elsewhere";
  x = of_columns(7'000'001);
  x.seen.strewn = 899;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "some are near each other";
  x.seen.strewn = 1000;
  x.seen.atoms = 6'250'000;
  EXPECT_EQ(kernels_of(cut, x), "merge_path") << "a cache holds the work";
  // An eighth of the last cache are 6.25 MB.
  constexpr candidate early{"merge_path", 0, 0, 12, {{{"nonzero_split", placing::everywhere, 1}}}};
  x.seen.atoms = 10'000'000;
  EXPECT_EQ(kernels_of(early, of_columns(1'562'499)), "merge_path");
  EXPECT_EQ(kernels_of(early, of_columns(1'562'500)), "nonzero_split");
}

TEST(selector, KnowsBySizeNothingElse) {
  // What would let merge_path take the lanes' place, if they had been looked at.
  constexpr candidate yielding[] = {
      {"group_mapped", candidate::fitted, 0, 0, {{{"merge_path", placing::far, 1}}}}, schedules[1]};
  select::selector s = small;
  s.schedules = yielding;
  facts x = sized(1'000'000, 8'000'000, 8, 1'000);
  x.all_lanes = 1000;
  x.seen.sampled = x.seen.strewn = 1000;
  x.seen.span = 1000 * 1'000'000;
  const decision d = decide_known(s, x);
  EXPECT_EQ(d.given.seen, (tile_statistics{1'000'000, 8'000'000}));
  EXPECT_EQ(kernels_of(yielding[0], d.given), "group_mapped");
  EXPECT_EQ(kernels_of(yielding[0], decide_gathered(s, x).given), "merge_path");
}

TEST(selector, HasASafeScheduleThatCutsTiles) {
  select::selector s = small;
  s.safe = 0;
  EXPECT_FALSE(well_formed(s));
  s.safe = 2;
  EXPECT_FALSE(well_formed(s));
}

TEST(selector, DecidesByTheSizeInLessThanAMicrosecond) {
  EXPECT_LT(select_support::seconds_to_decide(small), 1e-6);
}

TEST(selector, LongTilesAreNotCutWhereAllTilesGoSideBySide) {
  constexpr candidate pieces{"long_first", 0, 0, 30};
  facts x;
  x.columns = 20'000'000;
  x.seen = {20'000, 8'000'000, 400, 0, 0, 8'000'000, 1000, 1000, 1000 * std::int64_t{20'000'000}};
  ASSERT_GT(lanes_side_by_side(x), 0);
  EXPECT_EQ(kernels_of(pieces, x), "group_mapped");
  EXPECT_EQ(lanes_of(pieces, x, true), lanes_side_by_side(x));
  x.seen.longest = 4000;
  ASSERT_EQ(lanes_side_by_side(x), 0);
  EXPECT_EQ(kernels_of(pieces, x), "long_first");
  EXPECT_EQ(lanes_of(pieces, x, true), 0);
}

}  // namespace
