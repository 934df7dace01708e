// SPDX-License-Identifier: Apache-2.0
/// What is worth a trial: the choice first, nothing twice, nothing that can go wrong.
#include "loops/select/several.hpp"

#include "loops/schedule/automatic.hpp"
#include "loops/select/words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using namespace loops;
using select::decision;
using select::several;

constexpr machine gpu{128, 32, 16, 1, 2112, 4};
constexpr machine cpu{1, 1, 32768, 1024, 2, 16384};

/// The decision for so many tiles of even length, one of which is as long as that.
decision decided(const machine& m, std::int64_t tiles, std::int64_t mean, std::int64_t longest) {
  tile_statistics seen;
  seen.tiles = tiles;
  seen.atoms = tiles * mean;
  seen.longest = longest;
  seen.padded = tiles * longest;
  const select::facts x = schedule::facts_of(seen.tiles, seen.atoms, 4, 1'000'000'000, m);
  return select::decide(schedule::selector_for(m), x, [&] { return seen; });
}

std::string name(const select::selector& s, const decision& d) {
  return select::detail::name_of(s.schedules[static_cast<std::size_t>(d.choice)], d.given, d.lanes);
}

TEST(several, begins_with_the_choice_and_repeats_nothing) {
  const select::selector& s = schedule::selector_for(gpu);
  for (const std::int64_t mean : {1, 3, 16, 200}) {
    const decision d = decided(gpu, 100'000, mean, mean);
    ASSERT_TRUE(d.gathered);
    const auto all = several(s, d, 100);
    EXPECT_EQ(name(s, all.front()), name(s, d));
    std::set<std::string> names;
    for (const decision& o : all) {
      EXPECT_TRUE(names.insert(name(s, o)).second) << name(s, o);
      EXPECT_EQ(o.tried, static_cast<int>(all.size()));
      EXPECT_LE(o.lanes, 128);
      const auto& c = s.schedules[static_cast<std::size_t>(o.choice)];
      EXPECT_TRUE(c.lanes != select::candidate::fitted || o.lanes > 0) << name(s, o);
    }
    // Every number of lanes, and what cuts tiles: the one that large works take, where they do.
    for (int lanes = 1; lanes <= 128; lanes *= 2)
      EXPECT_EQ(names.count("group_mapped:" + std::to_string(lanes)), 1U) << lanes << ", " << mean;
    EXPECT_GE(names.count("merge_path") + names.count("nonzero_split"), 1U);
  }
}

TEST(several, is_no_longer_than_asked_for) {
  const select::selector& s = schedule::selector_for(gpu);
  const decision d = decided(gpu, 100'000, 8, 8);
  for (const int most : {1, 2, 5}) {
    const auto few = several(s, d, most);
    EXPECT_EQ(few.size(), static_cast<std::size_t>(most));
    EXPECT_EQ(few.front().tried, most);
    EXPECT_EQ(name(s, few.front()), name(s, d));
  }
}

TEST(several, runs_no_group_into_a_tile_that_would_keep_it) {
  const select::selector& s = schedule::selector_for(gpu);
  const decision d = decided(gpu, 1'000, 20'000, 10'000'000);
  for (const decision& o : several(s, d, 100)) {
    EXPECT_FALSE(select::can_take_too_long(s, o.lanes, o.given, o.gathered)) << name(s, o);
  }
  // One lane would take a third of a second and more.
  EXPECT_TRUE(select::can_take_too_long(s, 1, d.given, true));
  EXPECT_FALSE(select::can_take_too_long(s, 0, d.given, true));
}

TEST(several, keeps_the_decision_itself_whatever_it_is) {
  const select::selector& s = schedule::selector_for(gpu);
  decision d = decided(gpu, 1'000, 20'000, 10'000'000);
  d.lanes = 1;
  const auto all = several(s, d, 100);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().lanes, 1);
  EXPECT_EQ(all.front().choice, d.choice);
}

TEST(several, is_what_a_machine_has) {
  const select::selector& s = schedule::selector_for(cpu);
  EXPECT_EQ(several(s, decided(cpu, 100'000, 8, 8), 8).size(), 1U);
}

}  // namespace
