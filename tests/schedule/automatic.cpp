// SPDX-License-Identifier: Apache-2.0
/// Which selector serves which machine, and that what it decides becomes a schedule.
#include "loops/schedule/automatic.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace loops;

constexpr machine gpu{128, 32, 16, 1, 2112, 4};
constexpr machine wide_gpu{128, 64, 16, 1, 4864, 4};
constexpr machine cpu{1, 1, 32768, 1024, 2, 16384};

/// The schedule for tiles of these statistics, with its parameter as catalogues write it.
std::string chosen(const tile_statistics& s, const machine& m, std::int64_t uses = 100000) {
  const select::selector& by = schedule::selector_for(m);
  const select::facts x = schedule::facts_of(s.tiles, s.atoms, 4, uses, m);
  const select::decision d = select::decide(by, x, [&] { return s; });
  const schedule::automatic_choice c = schedule::chosen_schedule(by, d);
  std::string name = std::visit([](const auto& y) { return std::string(y.name()); }, c);
  if (const auto* g = std::get_if<schedule::group_mapped>(&c))
    name += ":" + std::to_string(g->lanes);
  // The reason starts with the name, so that what is printed cannot contradict what is done.
  EXPECT_EQ(select::reason_of(by, d).substr(0, name.size() + 1), name + ":");
  return name;
}

tile_statistics even(std::int64_t tiles, std::int64_t size) {
  return {tiles, tiles * size, size, 0, 0, tiles * size};
}

TEST(automatic, TakesTheSelectorOfTheMachine) {
  EXPECT_EQ(schedule::selector_for(gpu).device, "h200");
  EXPECT_EQ(schedule::selector_for(wide_gpu).device, "cdna");
  EXPECT_EQ(schedule::selector_for(cpu).device, "host");
}

TEST(automatic, CutsTheTileThatHoldsEverything) {
  for (const machine& m : {gpu, wide_gpu}) {
    const std::string cut = chosen({1, 50'000'000, 50'000'000, 0, 0, 50'000'000}, m);
    EXPECT_TRUE(cut == "merge_path" || cut == "nonzero_split" || cut == "long_first") << cut;
    EXPECT_EQ(chosen({200'000, 800'000, 200'000, 0, 200'000, 6'400'000}, m), "merge_path");
  }
}

TEST(automatic, CutsLargeWorksAtEqualAtoms) {
  // Measured on the H200; elsewhere nobody has.
  EXPECT_EQ(chosen({500'000, 20'000'000, 500'000, 0, 500'000, 40'000'000}, gpu), "nonzero_split");
  EXPECT_EQ(chosen({200'000, 2'000'000, 200'000, 0, 200'000, 40'000'000}, gpu), "merge_path");
  // Where columns are strewn, waves that read whole lines gain nothing.
  EXPECT_EQ(chosen({500'000, 20'000'000, 500'000, 0, 500'000, 40'000'000, 65'536, 65'536,
                    65'536 * std::int64_t{200'000}},
                   gpu),
            "merge_path");
  // Of crowded works, where these slices are unequal, only larger ones.
  EXPECT_EQ(chosen({500'000, 10'000'000, 500'000, 0, 500'000, 40'000'000}, gpu), "nonzero_split");
  EXPECT_EQ(chosen({500'000, 10'000'000, 500'000, 0, 5'000'000, 40'000'000}, gpu), "merge_path");
  // Even tiles, too, where columns are strewn but a processor's cache holds a tile's.
  tile_statistics held = even(1'000'000, 16);
  held.sampled = held.strewn = 65'536;
  held.span = held.sampled * std::int64_t{1500};
  EXPECT_EQ(chosen(held, gpu), "nonzero_split");
  held.strewn = 0;
  EXPECT_EQ(chosen(held, gpu), "group_mapped:4");
  EXPECT_EQ(chosen(even(250'000, 30), gpu).substr(0, 13), "group_mapped:");
  EXPECT_EQ(chosen(even(10'000, 700), gpu).substr(0, 13), "group_mapped:");
  EXPECT_EQ(chosen(even(4'000'000, 5), gpu).substr(0, 13), "group_mapped:");
}

TEST(automatic, TakesMoreLanesWhereColumnsAreStrewn) {
  tile_statistics near = even(200'000, 24);
  near.sampled = near.strewn = 65'536;
  near.span = near.sampled * 200'000;
  tile_statistics strewn = near;
  near.strewn = 0;
  EXPECT_EQ(chosen(near, gpu), "group_mapped:4");
  EXPECT_EQ(chosen(strewn, gpu), "group_mapped:16");
  strewn.span = strewn.sampled * 2'000;
  EXPECT_EQ(chosen(strewn, gpu), "group_mapped:4") << "a processor's cache holds them";
}

TEST(automatic, TakesEvenTilesWhole) {
  for (const machine& m : {gpu, wide_gpu}) {
    EXPECT_EQ(chosen(even(4'000'000, 5), m).substr(0, 13), "group_mapped:");
    EXPECT_EQ(chosen(even(1'000, 20), m).substr(0, 13), "group_mapped:");
  }
}

TEST(automatic, TakesNoTileWholeForASingleUseOfALargeWorkThatNobodyLookedAt) {
  // A pass over the tiles costs less than what it would save here, so only the guard decides.
  const select::selector& by = schedule::selector_for(gpu);
  const select::decision d =
      select::decide_known(by, schedule::facts_of(10'000'000, 100'000'000, 4, 1, gpu));
  EXPECT_EQ(by.schedules[static_cast<std::size_t>(d.choice)].lanes, 0);
}

TEST(automatic, TakesWorksWithoutAnything) {
  for (const machine& m : {gpu, wide_gpu, cpu}) {
    EXPECT_FALSE(chosen({0, 0, 0, 0, 0, 0}, m).empty());
    EXPECT_FALSE(chosen({10, 0, 0, 10, 0, 0}, m).empty());
  }
}

}  // namespace
