// SPDX-License-Identifier: Apache-2.0
/// What is said of a decision is what was decided.
#include "loops/select/words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace loops;
using select::candidate;
using select::facts;
using select::feature;
using select::placing;

constexpr candidate schedules[] = {{"group_mapped", candidate::fitted, 0, 2},
                                   {"group_mapped", candidate::fitted, 1, 2},
                                   {"merge_path", 0, 0, 12}};
constexpr select::node known_nodes[] = {{feature::none, 0, 0}};
constexpr select::leaf known_leaves[] = {{50, 10, true, 1, 0}};
constexpr select::forecast known_forecasts[] = {{1, 1, 2, 0.5}, {1, 1, 2, 0.6}, {1, 1, 2, 0.3}};
constexpr select::node gathered_nodes[] = {
    {feature::skew, 4, 2}, {feature::none, 0, 0}, {feature::none, 0, 1}};
constexpr select::leaf gathered_leaves[] = {{40, 10, true, 1, 0}, {1, 1, false, 1, 0}};
constexpr select::forecast gathered_forecasts[] = {{1, 1.5, 2, 0.01}, {1, 2, 3, 0.02},
                                                   {1.5, 2, 4, 0.5},  {1, 1, 9, 0.1},
                                                   {1, 1, 9, 0.2},    {1, 1, 2, 0.2}};
constexpr select::selector small{
    .device = "a test",
    .basis = "numbers by hand",
    .proved = false,
    .launch_us = 5,
    .gb_per_s = 1e9,
    .gather_us = 20,
    .gather_ns = 0,
    .copy_us = 20,
    .step_ns = 1,
    .schedules = schedules,
    .safe = 2,
    .known = {known_nodes, known_leaves, known_forecasts},
    .gathered = {gathered_nodes, gathered_leaves, gathered_forecasts},
};
static_assert(well_formed(small));

select::decision decide(std::int64_t longest, std::int64_t uses) {
  facts x;
  x.seen.tiles = 1000;
  x.seen.atoms = 16000;
  x.uses = uses;
  tile_statistics all = x.seen;
  all.longest = longest;
  return select::decide(small, x, [&] { return all; });
}

std::string whole(const select::decision& d, const select::selector& s = small) {
  std::string out;
  for (const std::string& line : explanation_of(s, d)) out += line + "\n";
  return out;
}

TEST(words, ReasonsBeginWithTheScheduleAndFollowThePath) {
  const std::string even = reason_of(small, decide(16, 1000));
  EXPECT_EQ(even,
            "group_mapped:8: chosen after a pass over the tiles, because skew 1 <= 4; on the 40 "
            "training matrices of this rule it was 1.0 % slower than the best, as predicted");
  const std::string uneven = reason_of(small, decide(1600, 1000));
  EXPECT_EQ(
      uneven.rfind("merge_path: chosen after a pass over the tiles, because skew 100 > 4;", 0), 0u)
      << uneven;
  EXPECT_NE(uneven.find("too little was measured there"), std::string::npos) << uneven;
  const std::string once = reason_of(small, decide(16, 1));
  EXPECT_EQ(once,
            "group_mapped:32: chosen by size alone (one rule for all sizes); on the 50 training "
            "matrices of this rule it was 50.0 % slower than the best, as predicted");
}

TEST(words, ReasonsTellOfALimitThatIsJustMetAndOfTrials) {
  const std::string met = reason_of(small, decide(64, 1000));
  EXPECT_NE(met.find("skew 4 <= 4"), std::string::npos) << met;
  select::decision d = decide(16, 1000);
  d.tried = 3;
  EXPECT_EQ(reason_of(small, d), "group_mapped:8: the fastest of 3 in a trial");
}

TEST(words, ReasonsJoinTheAnswersOfAPath) {
  constexpr select::node nodes[] = {{feature::skew, 4, 4},
                                    {feature::tiles, 2000, 3},
                                    {feature::none, 0, 0},
                                    {feature::none, 0, 0},
                                    {feature::none, 0, 1}};
  select::selector s = small;
  s.gathered.nodes = nodes;
  const std::string both = reason_of(s, decide(16, 1000));
  EXPECT_NE(both.find("because skew 1 <= 4 and tiles 1000 <= 2000; on the 40 "), std::string::npos)
      << both;
}

TEST(words, PathsAnswerEveryQuestionOnTheWay) {
  facts x = decide(16, 1000).given;
  EXPECT_EQ(path_of(small.gathered, x), (std::vector<std::string>{"skew 1 <= 4"}));
  x.seen.longest = 160000;
  EXPECT_EQ(path_of(small.gathered, x), (std::vector<std::string>{"skew 10000 > 4"}));
  EXPECT_TRUE(path_of(small.known, x).empty());
}

TEST(words, ExpectationsAreForecastsTimesTheYardstick) {
  const auto all = expectations_of(small, decide(16, 1000));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "group_mapped:8");
  EXPECT_TRUE(all[0].chosen);
  EXPECT_NEAR(all[0].low_us, 5, 0.01);
  EXPECT_NEAR(all[0].typical_us, 7.5, 0.01);
  EXPECT_NEAR(all[0].high_us, 10, 0.01);
  EXPECT_EQ(all[1].name, "group_mapped:16");
  EXPECT_EQ(all[2].name, "merge_path");
  EXPECT_EQ(all[2].plan_us, 12);
  // Where a leaf is not trusted, what takes tiles whole is refused.
  const auto unsure = expectations_of(small, decide(1600, 1000));
  EXPECT_TRUE(unsure[0].refused);
  EXPECT_FALSE(unsure.back().refused);
}

TEST(words, SameLanesAreToldOnce) {
  select::decision d = decide(16, 1000);
  d.given.block_lanes = 8;
  const auto all = expectations_of(small, d);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].chosen);
  // What was chosen stands for those that come to the same.
  d.choice = 1;
  const auto others = expectations_of(small, d);
  ASSERT_EQ(others.size(), 2u);
  EXPECT_TRUE(others[0].chosen);
  EXPECT_GT(others[0].typical_us, all[0].typical_us);
}

TEST(words, ExplanationsTellBothStagesAndTheirPrice) {
  const std::string looked = whole(decide(16, 1000));
  for (const char* part :
       {"by the size alone: merge_path", "(one leaf for all works)", "over 1000 uses",
        "costs 20 us: done", "after it: group_mapped:8", "skew 1 <= 4", "* group_mapped:8",
        "trained for a test on numbers by hand; unproved"})
    EXPECT_NE(looked.find(part), std::string::npos) << part << "\n" << looked;
  const std::string once = whole(decide(16, 1));
  EXPECT_NE(once.find("left out"), std::string::npos) << once;
  EXPECT_EQ(once.find("after it"), std::string::npos) << once;
}

TEST(words, ExplanationsTellWhatGaveWay) {
  constexpr candidate yielding[] = {
      {"group_mapped",
       candidate::fitted,
       0,
       2,
       {{{"nonzero_split", placing::near, 60'000'000, 5},
         {"merge_path", placing::far, 2'000'000, 0, 9},
         {"nonzero_split", placing::everywhere, 5'000'000},
         {"wide_split", placing::narrow_band, 1'000'000},
         {"wide_split", placing::wide_band, 1'000'000}}}},
      schedules[1],
      {"merge_path",
       0,
       0,
       12,
       {{{"nonzero_split", placing::near, 90'000'000, 0, 0, 60'000'000},
         {"nonzero_split", placing::strewn, 30'000'000, 7},
         {"wide_split", placing::band, 1'000'000},
         {"nonzero_split", placing::held, 1'000'000}}}}};
  select::selector s = small;
  s.schedules = yielding;
  select::decision d = decide(16, 1000);
  d.given.seen.tiles = 1'000'000;
  d.given.seen.atoms = 8'000'000;
  d.given.seen.longest = 8;
  d.lanes = 0;
  const auto says = [&](const std::string& text) {
    const std::string all = whole(d, s);
    return (all.find(text) == std::string::npos ? testing::AssertionFailure()
                                                : testing::AssertionSuccess())
           << all;
  };
  d.given.seen.sampled = 1000;
  d.given.seen.strewn = 300;
  EXPECT_TRUE(says("in place of group_mapped: 64000000 > 60000000 bytes of atoms, mean 8 > 5"));
  d.given.seen.sampled = d.given.seen.strewn = 1000;
  d.given.seen.span = 1000 * std::int64_t{1'000'000};
  EXPECT_TRUE(
      says("in place of group_mapped: strewn 1 >= 0.9, over 4000000 > 2000000 bytes, mean "
           "8 <= 9"));
  d.given.seen.span = 1000 * 100'000;
  EXPECT_FALSE(says("in place of"));
  d.given.columns = 1'000'000;
  d.given.seen.span = 1000 * 10'000;
  EXPECT_TRUE(
      says("in place of group_mapped: strewn over a band of 40000 bytes, "
           "64000000 > 1000000 bytes of atoms"));
  d.given.seen.span = 1000 * 50'000;
  EXPECT_TRUE(
      says("in place of group_mapped: strewn over a band of 200000 bytes, "
           "64000000 > 1000000 bytes of atoms"));
  d.given.columns = 10'000'000;
  d.given.seen.span = 1000 * std::int64_t{5'000'000};
  EXPECT_TRUE(
      says("in place of group_mapped: strewn 1 >= 0.9, over 40000000 > 5000000 "
           "bytes of columns"));
  EXPECT_EQ(whole(d, s).rfind("by the size alone: merge_path", 0), 0u)
      << "nobody had looked at columns\n"
      << whole(d, s);
  d.choice = 2;
  d.given.columns = 1'000'000;
  d.given.seen.span = 1000 * 500'000;
  EXPECT_TRUE(
      says("in place of merge_path: strewn 1 >= 0.9 over 2000000 bytes, 64000000 "
           "> 30000000 bytes of atoms, mean 8 > 7"));
  d.given.seen.strewn = 500;
  d.given.seen.crowded = 2'000'000;
  EXPECT_TRUE(
      says("in place of merge_path: 64000000 > 60000000 bytes of atoms, crowded "
           "0.25"));
  d.given.first_cache = 200'000;
  d.given.columns = 24'000;
  EXPECT_TRUE(
      says("in place of merge_path: a cache holds all columns, 96000 bytes, "
           "64000000 > 1000000 bytes of atoms"));
}

}  // namespace
