// SPDX-License-Identifier: Apache-2.0
/// On a made-up machine whose best choices are known, the trained selector makes them.
#include "train/fit.hpp"

#include "loops/core/error.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support.hpp"
#include "train/judge.hpp"

namespace {

using namespace loops;
using namespace loops::train;
using select::placing;
using train_support::matrix;
using train_support::world;

table table_of(const results& r,
               const std::vector<std::string>& kernels = {"group_mapped", "merge_path"}) {
  const table all = tabulate(r, device_class_named("h200"));
  return with_columns(all, columns_of(all, kernels));
}

TEST(tabulate, TakesAColumnPerScheduleThatDiffers) {
  results r = world(20);
  for (measured& x : r.rows) {
    x.us["thread_mapped"] = 33;
    x.us["queue:8"] = 60;
  }
  const table gpu = tabulate(r, device_class_named("h200"));
  const auto column = [&](const std::string& name) {
    return std::find_if(gpu.columns.begin(), gpu.columns.end(),
                        [&](const auto& c) { return c.name == name; });
  };
  EXPECT_EQ(column("group_mapped:8")->lanes, 8);
  EXPECT_EQ(column("merge_path")->lanes, 0);
  EXPECT_NE(column("thread_mapped"), gpu.columns.end());
  ASSERT_NE(column("group_mapped:1"), gpu.columns.end()) << "taken from thread_mapped";
  EXPECT_EQ(gpu.rows[0].us[std::size_t(column("group_mapped:1") - gpu.columns.begin())], 33);
  EXPECT_EQ(gpu.rows[0].given.all_lanes, 270336);
  // On a CPU every block is one lane: groups of all sizes are the same.
  const table cpu = tabulate(r, device_class_named("host"));
  EXPECT_EQ(cpu.columns.size(), 4u);
}

TEST(tabulate, KnowsItsKernels) {
  const table t = tabulate(world(20), device_class_named("h200"));
  EXPECT_NO_THROW(require_known(t, {}));
  EXPECT_NO_THROW(require_known(t, {"queue", "merge_path", "group_mapped"}));
  try {
    require_known(t, {"merge_path", "merge_pathh"});
    ADD_FAILURE();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::invalid_argument);
    EXPECT_EQ(
        e.message(),
        "the results have no kernels 'merge_pathh'; they have: group_mapped merge_path queue");
  }
}

TEST(tabulate, asks_for_the_safe_choice_among_its_kernels) {
  const table t = tabulate(world(20), device_class_named("h200"));
  for (const char* kernels : {"group_mapped", "queue"})
    support::expect_error(errc::invalid_argument, "lack merge_path",
                          [&] { require_known(t, {kernels}); });
}

TEST(tabulate, TellsCopiesFromPasses) {
  results r = world(20);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    // Few tiles, which are copied; more, which are not; and many.
    tile_statistics& seen = r.rows[i].given.seen;
    seen.tiles = i % 3 == 0 ? 100 : i % 3 == 1 ? 18'000 : 1'000'000;
    r.rows[i].gather_us = i % 3 == 0 ? 9 : i % 3 == 1 ? 21 : 26;
  }
  const table t = tabulate(r, device_class_named("h200"));
  EXPECT_EQ(t.copy_us, 9);
  EXPECT_EQ(t.gather_us, 21);
  EXPECT_NEAR(t.gather_ns, 5e-3, 1e-9);
}

TEST(tabulate, CountsWhatIsMissingAsHopeless) {
  results r = world(20);
  r.rows[0].us.erase("queue");
  const table t = tabulate(r, device_class_named("h200"));
  const auto& names = t.columns;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (names[c].name == "queue") {
      EXPECT_EQ(t.rows[0].us[c], 20 * t.rows[0].best_us);
    }
  for (measured& x : r.rows) x.us.erase("merge_path");
  EXPECT_THROW(static_cast<void>(tabulate(r, device_class_named("h200"))), error);
  EXPECT_THROW(static_cast<void>(device_class_named("nosuch")), error);
}

TEST(subsets, AreAsSmallAsSuffices) {
  const table t = tabulate(world(20), device_class_named("h200"));
  const auto best = best_subsets(t, 5);
  ASSERT_EQ(best.size(), 3u);
  EXPECT_LT(best[0].geometric_mean, 0.9);
  EXPECT_EQ(best[1].kernels, (std::vector<std::string>{"merge_path", "group_mapped"}));
  EXPECT_DOUBLE_EQ(best[1].geometric_mean, 1);
  EXPECT_DOUBLE_EQ(best[1].total, 1);
  EXPECT_EQ(smallest_subset(best, 0.01).kernels.size(), 2u);
  EXPECT_EQ(smallest_subset(best, 0.5).kernels.size(), 1u);
}

TEST(fit, FindsTheHubsAfterLookingAndStaysSafeBefore) {
  const table t = table_of(world(20));
  const model m = fit(t, tune(t, {}));
  const select::selector s = m.view();
  ASSERT_TRUE(select::well_formed(s));
  for (const row& r : t.rows) {
    select::facts x = r.given;
    x.uses = 1'000'000;
    const bool hub = x.seen.longest > 1000;
    EXPECT_EQ(m.names[std::size_t(select::decide_gathered(s, x).choice)],
              hub ? "merge_path" : "group_mapped");
    // Half of them take 40 us with a group, and nothing tells which.
    EXPECT_EQ(m.names[std::size_t(select::decide_known(s, x).choice)], "merge_path");
    EXPECT_TRUE(select::decide(s, x, [&] { return r.given.seen; }).gathered);
    x.uses = 1;
    EXPECT_FALSE(select::decide(s, x, [&] { return r.given.seen; }).gathered);
  }
}

/// What takes a candidate's place where columns lie like this: the last one, or none.
select::substitute instead_of(const select::candidate& c, placing where) {
  select::substitute out;
  for (const select::substitute& s : c.instead)
    if (!s.name.empty() && s.where == where) out = s;
  return out;
}

TEST(fit, FindsFromHowManyBytesOnAnotherCutIsBetter) {
  results r = world(20);
  for (measured& x : r.rows) x.us["nonzero_split"] = x.given.seen.atoms < 22'000 ? 9 : 7.5;
  const table t = table_of(r, {"group_mapped", "merge_path", "nonzero_split"});
  const model m = fit(t, tune(t, {}));
  EXPECT_EQ(std::count(m.names.begin(), m.names.end(), "nonzero_split"), 0);
  const select::candidate& cut = m.schedules[std::size_t(m.numbers.safe)];
  const select::substitute near = instead_of(cut, placing::near);
  EXPECT_EQ(near.name, "nonzero_split");
  EXPECT_GE(near.from, 8 * 21'820);
  EXPECT_LT(near.from, 8 * 22'000);
  for (const row& x : t.rows)
    EXPECT_EQ(us_of(t, x, cut, "merge_path", true), x.given.seen.atoms < 22'000 ? 8 : 7.5);
  // Groups, which are faster, keep their works.
  for (std::size_t k = 0; k < m.schedules.size(); ++k) {
    if (m.names[k] == "group_mapped") {
      EXPECT_EQ(instead_of(m.schedules[k], placing::near).name, "");
    }
  }
  // Where it is never better it is left out.
  for (measured& x : r.rows) x.us["nonzero_split"] = 9;
  const table worse = table_of(r, {"group_mapped", "merge_path", "nonzero_split"});
  const model without = fit(worse, {});
  EXPECT_EQ(instead_of(without.schedules[std::size_t(without.numbers.safe)], placing::near).name,
            "");
}

TEST(fit, LetsCrowdedWorksGiveWayAtALimitOfTheirOwn) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const bool crowded : {false, true}) {
      const std::int64_t tiles = 1000 * (g + 1);
      measured x = matrix("group" + std::to_string(g), std::to_string(crowded), tiles, 20, 4000);
      x.given.seen.crowded = crowded ? 10 * tiles : tiles;
      x.us["merge_path"] = 8;
      x.us["nonzero_split"] = g < (crowded ? 20 : 10) ? 9 : 7;
      for (const int lanes : {2, 8, 32}) x.us["group_mapped:" + std::to_string(lanes)] = 40;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      r.rows.push_back(std::move(x));
    }
  const std::vector<std::string> kernels{"group_mapped", "merge_path", "nonzero_split"};
  const auto near_of = [&](const results& of) {
    const model m = fit(table_of(of, kernels), {});
    return instead_of(m.schedules[std::size_t(m.numbers.safe)], placing::near);
  };
  select::substitute near = near_of(r);
  EXPECT_GE(near.from, 8 * 200'000);
  EXPECT_LT(near.from, 8 * 220'000);
  EXPECT_GE(near.crowded, 8 * 400'000);
  EXPECT_LT(near.crowded, 8 * 420'000);
  for (measured& x : r.rows)
    if (x.given.seen.crowded > x.given.seen.tiles) x.us["nonzero_split"] = 9;
  near = near_of(r);
  EXPECT_LT(near.from, 8 * 220'000);
  EXPECT_EQ(near.crowded, select::never);
}

TEST(fit, LetsLanesGiveWayInLongTilesOfLargeWorks) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const std::int64_t tiles : {30'000, 100'000}) {
      const std::int64_t mean = 10 + g;
      measured x = matrix("group" + std::to_string(g), std::to_string(tiles), tiles, mean, mean);
      x.us["merge_path"] = 30;
      // Of large works, beyond 25 atoms per tile, equal atoms are faster than any group.
      x.us["nonzero_split"] = tiles > 30'000 && mean > 25 ? 8 : 12;
      for (int lanes = 1; lanes <= 128; lanes *= 2)
        x.us["group_mapped:" + std::to_string(lanes)] = 10;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      r.rows.push_back(std::move(x));
    }
  const table t = table_of(r, {"group_mapped", "merge_path", "nonzero_split"});
  const model m = fit(t, {});
  const select::selector s = m.view();
  ASSERT_TRUE(select::well_formed(s));
  for (const row& x : t.rows) {
    select::facts given = x.given;
    given.uses = 1'000'000;
    const select::decision d = select::decide_gathered(s, given);
    const bool gives_way = given.seen.tiles > 30'000 && given.seen.longest > 25;
    EXPECT_EQ(d.lanes == 0, gives_way) << given.seen.tiles << " tiles of " << given.seen.longest;
  }
  // Where columns are strewn nothing gives way, and nothing is learnt.
  for (measured& x : r.rows) {
    x.given.seen.strewn = x.given.seen.sampled = x.given.seen.atoms;
    x.given.seen.span = x.given.seen.sampled * 1'000'000;
  }
  const model strewn = fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {});
  for (const select::candidate& c : strewn.schedules)
    EXPECT_EQ(instead_of(c, placing::near).name, "");
}

/// What a model of this table has learnt of the lanes that fit.
select::candidate lanes_that_fit(const table& t) {
  const model m = fit(t, {});
  EXPECT_TRUE(select::well_formed(m.view()));
  for (const select::candidate& c : m.schedules)
    if (c.lanes == select::candidate::fitted && c.shift == 0) {
      select::candidate out;
      out.instead = c.instead;  // its name would not outlive the model
      return out;
    }
  throw std::logic_error("a model without lanes that fit");
}

TEST(fit, LetsLanesGiveWayWhereColumnsLieFarApart) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 90; ++g)
    for (const std::int64_t span : {300'000, 400'000, 2'000'000}) {
      const int mean = g < 30 ? 10 : g < 60 ? 50 : 60;
      measured x = matrix("group" + std::to_string(g), std::to_string(span), 1'000'000, mean, mean);
      x.given.seen.sampled = x.given.seen.strewn = 1000;
      x.given.seen.span = 1000 * span;
      x.us["nonzero_split"] = x.us["wide_split"] = 30;
      x.us["merge_path"] = span > 300'000 && mean <= 50 ? 9 : 12;
      for (int lanes = 1; lanes <= 128; lanes *= 2)
        x.us["group_mapped:" + std::to_string(lanes)] = 10;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      r.rows.push_back(std::move(x));
    }
  const std::vector<std::string> kernels{"group_mapped", "merge_path", "nonzero_split",
                                         "wide_split"};
  const auto far_of = [&] {
    return instead_of(lanes_that_fit(table_of(r, kernels)), placing::far);
  };
  const select::substitute far = far_of();
  EXPECT_EQ(far.name, "merge_path");
  EXPECT_GE(far.from, 4 * 300'000);
  EXPECT_LT(far.from, 4 * 400'000);
  EXPECT_GE(far.most, 50) << "in longer tiles they do not pay";
  EXPECT_LT(far.most, 60);
  // Where some are near each other nothing is learnt.
  for (measured& x : r.rows) x.given.seen.strewn = 800;
  EXPECT_EQ(far_of().name, "");
}

TEST(fit, LetsCutsGiveWayWhereColumnsAreEverywhereInALargeX) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const std::int64_t columns : {2'000'000, 4'000'000, 5'000'000, 7'000'000, 8'000'000})
      for (const bool crowded : {false, true}) {
        const std::int64_t tiles = 1'000'000 + g;
        measured x = matrix("group" + std::to_string(g),
                            std::to_string(columns) + (crowded ? " crowded" : ""), tiles, 10, 4000);
        x.given.columns = columns;
        x.given.seen.crowded = crowded ? 10 * tiles : 0;
        x.given.seen.sampled = x.given.seen.strewn = 1000;
        x.given.seen.span = 1000 * columns;
        x.us["merge_path"] = 10;
        x.us["nonzero_split"] = columns > 4'000'000 ? 9 : 11;
        x.us["wide_split"] = crowded ? 12 : columns > 7'000'000 ? 8 : 9.5;
        for (const int lanes : {2, 8, 32}) x.us["group_mapped:" + std::to_string(lanes)] = 40;
        for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
        r.rows.push_back(std::move(x));
      }
  const table t = table_of(r, {"group_mapped", "merge_path", "nonzero_split", "wide_split"});
  const model m = fit(t, {});
  ASSERT_TRUE(select::well_formed(m.view()));
  const select::candidate& cut = m.schedules[std::size_t(m.numbers.safe)];
  const select::substitute first = cut.instead[0];
  EXPECT_EQ(first.name, "nonzero_split");
  EXPECT_EQ(first.where, placing::everywhere);
  EXPECT_GE(first.from, 4 * 4'000'000);
  EXPECT_LT(first.from, 4 * 5'000'000);
  EXPECT_GE(first.crowded, 4 * 4'000'000);
  EXPECT_LT(first.crowded, 4 * 5'000'000);
  const select::substitute second = cut.instead[1];
  EXPECT_EQ(second.name, "wide_split");
  EXPECT_EQ(second.where, placing::everywhere);
  EXPECT_GE(second.from, 4 * 7'000'000) << "against what takes the place already";
  EXPECT_LT(second.from, 4 * 8'000'000);
  EXPECT_EQ(second.crowded, select::never);
  EXPECT_EQ(cut.instead[2].name, "");
}

TEST(fit, LetsLanesGiveWayWhereColumnsLieInABand) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const std::int64_t tiles : {300'000, 400'000, 2'000'000}) {
      measured x = matrix("group" + std::to_string(g), std::to_string(tiles), tiles, 10, 10);
      x.given.columns = tiles;
      x.given.seen.sampled = x.given.seen.strewn = 1000;
      x.given.seen.span = 1000 * 5000;
      x.us["nonzero_split"] = 30;
      x.us["merge_path"] = 30;
      x.us["wide_split"] = tiles > 300'000 ? 9 : 12;
      for (int lanes = 1; lanes <= 128; lanes *= 2)
        x.us["group_mapped:" + std::to_string(lanes)] = 10;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      r.rows.push_back(std::move(x));
    }
  const std::vector<std::string> kernels{"group_mapped", "merge_path", "nonzero_split",
                                         "wide_split"};
  for (const auto& [span, where] :
       {std::pair{5000, placing::narrow_band}, {20'000, placing::band}}) {
    for (measured& x : r.rows) x.given.seen.span = 1000 * span;
    const select::substitute band = instead_of(lanes_that_fit(table_of(r, kernels)), where);
    EXPECT_EQ(band.name, "wide_split") << span;
    EXPECT_GE(band.from, 8 * 3'000'000);
    EXPECT_LT(band.from, 8 * 4'000'000);
  }
  // Wider than half of a cache no band is yet.
  EXPECT_EQ(instead_of(lanes_that_fit(table_of(r, kernels)), placing::wide_band).name, "");
  for (measured& x : r.rows) x.given.seen.span = 1000 * 30'000;
  const select::substitute wide =
      instead_of(lanes_that_fit(table_of(r, kernels)), placing::wide_band);
  EXPECT_EQ(wide.name, "wide_split");
  EXPECT_GE(wide.from, 8 * 3'000'000);
  EXPECT_LT(wide.from, 8 * 4'000'000);
  for (measured& x : r.rows) x.given.seen.span = 1000 * 5000;
  // All tiles read the same columns.
  for (measured& x : r.rows) x.given.columns = 5000;
  EXPECT_EQ(instead_of(lanes_that_fit(table_of(r, kernels)), placing::narrow_band).name, "");
}

/// A band that groups in large blocks take faster than others from a number of tiles on, and large
/// slices from another, which for `double` is never.
TEST(fit, LetsLanesGiveWayToLargeBlocksOfGroups) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const int bytes : {4, 8})
      for (const std::int64_t tiles : {300'000, 400'000, 2'000'000, 3'000'000}) {
        measured x = matrix("group" + std::to_string(g),
                            std::to_string(tiles) + " of " + std::to_string(bytes), tiles, 14, 14);
        x.given.value_bytes = bytes;
        x.given.columns = tiles;
        x.given.seen.sampled = x.given.seen.strewn = 1000;
        x.given.seen.span = 1000 * 5000;
        x.us["nonzero_split"] = 30;
        x.us["merge_path"] = 30;
        x.us["wide_split"] = tiles > 2'000'000 && bytes == 4 ? 7 : 12;
        // Only groups of as many lanes as `lanes_in_large_blocks` says are faster.
        x.us["wide_groups:1"] = 20;
        x.us["wide_groups:2"] = tiles > 300'000 ? 8 : 12;
        x.us["wide_groups:4"] = 20;
        for (int lanes = 1; lanes <= 128; lanes *= 2)
          x.us["group_mapped:" + std::to_string(lanes)] = 10;
        for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
        r.rows.push_back(std::move(x));
      }
  const std::vector<std::string> kernels{"group_mapped", "merge_path", "nonzero_split",
                                         "wide_groups", "wide_split"};
  const auto named = [&](std::string_view name) {
    for (const select::substitute& s : lanes_that_fit(table_of(r, kernels)).instead)
      if (s.name == name) return s;
    return select::substitute{};
  };
  const select::substitute groups = named("wide_groups");
  EXPECT_EQ(groups.where, placing::narrow_band);
  EXPECT_TRUE(groups.by_lanes);
  EXPECT_GE(groups.from, 8 * 14 * 300'000);
  EXPECT_LT(groups.from, 8 * 14 * 400'000);
  EXPECT_GE(groups.large, 12 * 14 * 300'000);
  EXPECT_LT(groups.large, 12 * 14 * 400'000);
  const select::substitute slices = named("wide_split");
  EXPECT_GE(slices.from, 8 * 14 * 2'000'000);
  EXPECT_LT(slices.from, 8 * 14 * 3'000'000);
  EXPECT_EQ(slices.large, select::never);
  // What was not measured teaches nothing.
  for (measured& x : r.rows)
    for (const int lanes : {1, 2, 4}) x.us.erase("wide_groups:" + std::to_string(lanes));
  r.rows.front().us["wide_groups:2"] = 12;
  EXPECT_EQ(named("wide_groups").name, "");
}

/// Crowded tiles over few columns, which cuts of equal atoms take faster from 4 M atoms on.
void add_crowded(results& r, bool for_limits) {
  for (int g = 0; g < 40; ++g)
    for (const std::int64_t tiles : {300'000, 400'000, 500'000}) {
      measured x = matrix("crowded" + std::to_string(g), std::to_string(tiles), tiles, 10, 4000);
      x.given.columns = 20'000;
      x.given.seen.crowded = 10 * tiles;
      x.given.seen.sampled = x.given.seen.strewn = 1000;
      x.given.seen.span = 1000 * 20'000;
      x.us["merge_path"] = 50;
      x.us["nonzero_split"] = tiles > 300'000 ? 45 : 55;
      for (const int lanes : {2, 8, 32}) x.us["group_mapped:" + std::to_string(lanes)] = 200;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      x.for_limits = for_limits;
      r.rows.push_back(std::move(x));
    }
}

/// Large blocks of groups take even tiles where a cache holds all columns, if that was measured:
/// other rows are learnt from as if nothing took the place.
TEST(fit, LetsCutsGiveWayToGroupsWhereThatWasMeasured) {
  results r = world(20);
  r.rows.clear();
  for (int g = 0; g < 30; ++g)
    for (const std::int64_t tiles : {30'000, 40'000, 50'000}) {
      measured x = matrix("group" + std::to_string(g), std::to_string(tiles), tiles, 110, 110);
      x.given.columns = 20'000;
      x.us["merge_path"] = x.us["nonzero_split"] = 10;
      if (g < 20) x.us["wide_groups:8"] = tiles > 30'000 ? 8 : 12;
      for (const int lanes : {2, 8, 32}) x.us["group_mapped:" + std::to_string(lanes)] = 40;
      for (const auto& [name, us] : x.us) x.plan_us[name] = 1;
      r.rows.push_back(std::move(x));
    }
  const table t = table_of(r, {"group_mapped", "merge_path", "nonzero_split", "wide_groups"});
  const model m = fit(t, {});
  const auto safe = std::size_t(m.numbers.safe);
  const auto& cut = m.schedules[safe];
  ASSERT_EQ(cut.instead[0].name, "wide_groups");
  EXPECT_TRUE(cut.instead[0].by_lanes);
  EXPECT_GE(cut.instead[0].from, 8 * 110 * 30'000);
  EXPECT_LT(cut.instead[0].from, 8 * 110 * 40'000);
  EXPECT_EQ(cut.instead[0].crowded, select::never);
  EXPECT_EQ(us_of(t, t.rows[0], cut, m.names[safe], true), 10);
  EXPECT_EQ(us_of(t, t.rows[1], cut, m.names[safe], true), 8);
  EXPECT_EQ(us_of(t, t.rows.back(), cut, m.names[safe], true), 10) << "not measured there";
}

/// Rows for limits teach these, and move no tree.
TEST(fit, LearnsTreesFromTheOtherRows) {
  results r = world(20);
  const model before = fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {});
  const std::size_t known = r.rows.size();
  add_crowded(r, true);
  // By these, groups would be the choice wherever tiles are as uneven.
  for (std::size_t i = known; i < r.rows.size(); ++i)
    for (const int lanes : {2, 8, 32}) r.rows[i].us["group_mapped:" + std::to_string(lanes)] = 20;
  const model m = fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {});
  const auto questions = [](const owned_tree& t) {
    std::vector<std::pair<select::feature, double>> out;
    for (const select::node& n : t.nodes) out.emplace_back(n.by, n.at_most);
    return out;
  };
  EXPECT_EQ(questions(m.known), questions(before.known));
  EXPECT_EQ(questions(m.gathered), questions(before.gathered));
  const auto& cut = m.schedules[std::size_t(m.numbers.safe)].instead;
  EXPECT_TRUE(std::any_of(cut.begin(), cut.end(), [](const select::substitute& s) {
    return s.where == placing::held && s.from >= 8 * 3'000'000 && s.from < 8 * 4'000'000;
  }));
  // If all are, there is no tree.
  r.rows.erase(r.rows.begin(), r.rows.begin() + static_cast<std::ptrdiff_t>(known));
  EXPECT_THROW((void)fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {}), error);
}

TEST(fit, LetsCutsGiveWayWhereACacheHoldsAllColumns) {
  results r = world(20);
  r.rows.clear();
  add_crowded(r, false);
  const auto held = [&] {
    const model m = fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {});
    for (select::substitute s : m.schedules[std::size_t(m.numbers.safe)].instead)
      if (s.where == placing::held) return s.from;
    return 0.0;
  };
  EXPECT_GE(held(), 8 * 3'000'000);
  EXPECT_LT(held(), 8 * 4'000'000);
  for (measured& x : r.rows) x.given.columns = 2'000'000;
  EXPECT_EQ(held(), 0);
}

/// By bytes, and by the atoms of a tile.
TEST(fit, LetsCutsGiveWayWhereStrewnTilesAreLong) {
  results r = world(20);
  r.rows.clear();
  add_crowded(r, false);
  const std::size_t all = r.rows.size();
  for (std::size_t i = 0; i < all; ++i) {
    measured& x = r.rows[i];
    for (std::int64_t* n : {&x.given.seen.tiles, &x.given.seen.atoms}) *n *= 10;
    x.given.columns = 1'000'000;
    x.given.seen.sampled = x.given.seen.strewn = 1000;
    x.given.seen.span = 1000 * std::int64_t{1'000'000};
    // The same with tiles a quarter as long, where the other cut does not pay.
    measured shorter = x;
    shorter.matrix += " of short tiles";
    shorter.given.seen.tiles *= 4;
    shorter.us["nonzero_split"] = 2 * shorter.us["merge_path"];
    r.rows.push_back(std::move(shorter));
  }
  const model m = fit(table_of(r, {"group_mapped", "merge_path", "nonzero_split"}), {});
  const select::substitute s =
      instead_of(m.schedules[std::size_t(m.numbers.safe)], placing::strewn);
  ASSERT_EQ(s.name, "nonzero_split");
  EXPECT_GE(s.from, 8 * 30'000'000);
  EXPECT_LT(s.from, 8 * 40'000'000);
  const auto mean = [](const measured& x) {
    return select::value_of(select::feature::mean, x.given);
  };
  EXPECT_GE(s.mean, mean(r.rows[all]));
  EXPECT_LT(s.mean, mean(r.rows[0]));
}

TEST(fit, LooksLessOftenTheMoreItCosts) {
  const auto least_uses = [](double gather_us) {
    const table t = table_of(world(gather_us));
    const model m = fit(t, {});
    const select::selector s = m.view();
    std::int64_t uses = 1;
    while (uses < 1'000'000) {
      select::facts x = t.rows[1].given;
      x.uses = uses;
      if (select::decide(s, x, [&] { return x.seen; }).gathered) break;
      uses *= 2;
    }
    return uses;
  };
  const auto cheap = least_uses(20);
  EXPECT_GT(cheap, 1);
  EXPECT_LT(cheap, 256);
  EXPECT_GE(least_uses(200), 4 * cheap);
}

TEST(fit, DoesNotTrustALeafOfFewGroups) {
  results r = world(20);
  for (measured& x : r.rows) x.group = "one";
  const table t = table_of(r);
  const model m = fit(t, {});
  for (const select::leaf& l : m.gathered.leaves) EXPECT_FALSE(l.sure);
  const select::selector s = m.view();
  EXPECT_EQ(m.names[std::size_t(select::decide_gathered(s, t.rows[1].given).choice)], "merge_path");
}

TEST(fit, refuses_what_nothing_can_be_learnt_from) {
  const table none = with_rows(table_of(world(20)), [](const row&) { return false; });
  support::expect_error(errc::invalid_argument, "one row",
                        [&] { static_cast<void>(best_subsets(none, 5)); });
  support::expect_error(errc::invalid_argument, "one row",
                        [&] { static_cast<void>(fit(none, {})); });
  support::expect_error(errc::invalid_argument, "one row",
                        [&] { static_cast<void>(fit(none, tune(none, {}))); });
  results r = world(20);
  for (measured& x : r.rows) x.us["nonzero_split"] = 9;
  for (const char* kernels : {"nonzero_split", "group_mapped"})
    support::expect_error(errc::invalid_argument, "merge_path",
                          [&] { static_cast<void>(fit(table_of(r, {kernels}), {})); });
}

TEST(judge, CountsWhatChoosingCosts) {
  const table t = table_of(world(20));
  const model m = fit(t, tune(t, {}));
  const auto scores = judge(m, t, 1'000'000, {"merge_path"});
  ASSERT_EQ(scores.size(), 5u);
  EXPECT_DOUBLE_EQ(scores[0].total, 1);
  EXPECT_NEAR(scores[1].geometric_mean, 1, 0.02);
  EXPECT_DOUBLE_EQ(scores[1].looked, 1);
  EXPECT_LT(scores[2].geometric_mean, 0.9);
  // A pass for every use: 20 us on top of 5 or 8.
  const auto once = judge(m, t, 1, {});
  EXPECT_GT(once[3].total_us, once[1].total_us + 18 * double(t.rows.size()));
  EXPECT_DOUBLE_EQ(once[1].looked, 0);
}

TEST(judge, TimesTheOracleByTheRoundsItHasNotSeen) {
  results r = world(20);
  for (measured& x : r.rows) {
    x.halves = {x.us, x.us};
    x.halves[0]["merge_path"] = 1;
    x.halves[1]["merge_path"] = 100;
  }
  const table t = table_of(r);
  const auto scores = judge(fit(t, tune(t, {})), t, 1'000'000'000, {"merge_path"});
  // Once it takes `merge_path` and 100 us, once groups, which take 40 or 5.
  const double rows = double(t.rows.size());
  EXPECT_NEAR(scores[0].total_us, rows * (100 + (40 + 5) / 2.0) / 2, 1e-3);
  EXPECT_NEAR(scores[4].total_us, rows * (1 + 100) / 2, 1e-3);
  EXPECT_NEAR(scores[4].worst, 1, 1e-6);
}

TEST(judge, NeverTestsWhatWasGenerated) {
  row r;
  int tested = 0;
  for (int g = 0; g < 3000; ++g) {
    r.group = "group" + std::to_string(g);
    r.generated = false;
    tested += is_tested(r);
    r.generated = true;
    EXPECT_FALSE(is_tested(r));
  }
  EXPECT_NEAR(tested, 1000, 120);
}

TEST(judge, CrossValidatesWithoutTheGroupThatIsJudged) {
  const table t = table_of(world(20));
  const auto cv = cross_validate(t, {"group_mapped", "merge_path"}, {}, {1000}, {"merge_path"});
  ASSERT_EQ(cv.by_uses.size(), 1u);
  EXPECT_GT(cv.by_uses[0][1].geometric_mean, 0.95);
  EXPECT_GT(cv.covered, 0.5);
}

}  // namespace
