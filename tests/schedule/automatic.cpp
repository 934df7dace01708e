// SPDX-License-Identifier: Apache-2.0
/// What `automatic` chooses, fact by fact.
#include "loops/schedule/automatic.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace loops;

constexpr machine gpu{128, 32, 16, 1, 2112, 4};

std::string chosen(const tile_statistics& s, const machine& m = gpu) {
  const schedule::explained_choice c = schedule::choose(s, m);
  std::string name = std::visit([](const auto& x) { return std::string(x.name()); }, c.schedule);
  if (const auto* g = std::get_if<schedule::group_mapped>(&c.schedule))
    name += ":" + std::to_string(g->lanes);
  // The reason starts with the name, so that what is printed cannot contradict what is done.
  EXPECT_EQ(c.reason.substr(0, name.size() + 1), name + ":");
  return name;
}

TEST(automatic, GivesEvenTilesLanesByTheirSize) {
  EXPECT_EQ(chosen({4000000, 20000000, 5, 0}), "group_mapped:1");
  EXPECT_EQ(chosen({4000000, 64000000, 16, 0}), "group_mapped:2");
  EXPECT_EQ(chosen({1000000, 32000000, 40, 0}), "group_mapped:4");
}

TEST(automatic, GivesLongEvenTilesABlock) {
  EXPECT_EQ(chosen({2000, 40000000, 20000, 0}), "group_mapped:128");
}

TEST(automatic, SplitsUnevenTiles) {
  EXPECT_EQ(chosen({200000, 800000, 200000, 0}), "nonzero_split");
  EXPECT_EQ(chosen({1000000, 14000000, 50000, 100}), "nonzero_split");
}

TEST(automatic, CountsEmptyTilesWhenThereAreMany) {
  EXPECT_EQ(chosen({1000000, 14000000, 50000, 700000}), "merge_path");
}

TEST(automatic, SplitsOneLongTile) {
  EXPECT_EQ(chosen({1, 50000000, 50000000, 0}), "nonzero_split");
}

TEST(automatic, LaunchesOnceForSmallWorks) {
  EXPECT_EQ(chosen({1000, 5000, 300, 10}), "group_mapped:128");
  EXPECT_EQ(chosen({20000, 200000, 10, 0}), "group_mapped:8");
  EXPECT_EQ(chosen({10, 0, 0, 10}), "group_mapped:1");
  EXPECT_EQ(chosen({0, 0, 0, 0}), "group_mapped:1");
}

TEST(automatic, TakesThePathOnACpuAndWhenNothingIsKnown) {
  EXPECT_EQ(chosen({1000, 5000, 300, 10}, machine{1, 1, 32768, 1024, 2, 16384}), "merge_path");
  EXPECT_EQ(schedule::choose_unseen().schedule.index(), 2u);
}

}  // namespace
