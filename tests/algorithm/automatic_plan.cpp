// SPDX-License-Identifier: Apache-2.0
/// A plan that chooses its schedule does what the chosen one would.
#include "loops/algorithm/automatic_plan.hpp"

#include "loops/core/functional.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using namespace loops;

struct atom_number {
  LOOPS_HD std::int64_t operator()(std::int64_t a) const { return a + 1; }
};
struct four {
  float of[4];
};
struct keep {
  std::int64_t* out;
  LOOPS_HD void operator()(std::int64_t t, std::int64_t v) const { out[t] = v; }
};
struct mark_atom {
  int* seen;
  LOOPS_HD void operator()(std::int64_t, std::int64_t a) const { support::count_up(seen + a); }
};
struct mark_tile {
  int* seen;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t, atom_range atoms, const Group& g) const {
    for (std::int64_t a = atoms.first + g.rank(); a < atoms.last; a += g.size())
      support::count_up(seen + a);
  }
};

template <class Exec>
class automatic_plan : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(automatic_plan, support::executors, support::executor_name);

TYPED_TEST(automatic_plan, RefusesWhatItCannotLookAt) {
  const TypeParam exec = this->any();
  const schedule::automatic often{1'000'000};
  // Few tiles are looked at in a copy, many by a kernel.
  for (const std::int64_t tiles : {4, 60'000})
    support::expect_error(errc::invalid_argument, "offsets of a work are a null pointer", [&] {
      static_cast<void>(plan(exec, often, segments<int>(nullptr, tiles, 1'000'000)));
    });
  const array<int> offsets(std::vector<int>{0, 3}, exec.memory());
  for (const segments<int>& w :
       {segments<int>(offsets.data(), -4, 5), segments<int>(offsets.data(), 4, -5)})
    support::expect_error(errc::overflow, "cannot be scheduled",
                          [&] { static_cast<void>(plan(exec, often, w)); });
}

TYPED_TEST(automatic_plan, ServesEveryAlgorithm) {
  const TypeParam exec = this->any();
  std::set<std::string> chosen;
  // Even, uneven, and mostly empty: tiles are taken whole, and cut.
  for (const int kind : {0, 1, 2}) {
    std::vector<int> offsets{0};
    for (int t = 0; t < 600; ++t)
      offsets.push_back(offsets.back() + (kind == 0     ? 3
                                          : t == 300    ? 20000
                                          : kind == 1   ? 2
                                          : t % 50 == 0 ? 5
                                                        : 0));
    const array<int> there(offsets, exec.memory());
    const segments<int> w(there.data(), 600, offsets.back());
    const auto p = plan(exec, schedule::automatic{1'000'000}, w);
    chosen.insert(p.reason().substr(0, p.reason().find(':')));
    array<std::int64_t> sums(600, exec.memory());
    sums.fill(0xff);
    reduce_tiles(p, atom_number{}, plus{}, keep{sums.data()});
    const auto got = sums.to_vector();
    for (std::size_t t = 0; t < 600; ++t) {
      std::int64_t want = 0;
      for (std::int64_t a = offsets[t]; a < offsets[t + 1]; ++a) want += a + 1;
      ASSERT_EQ(got[t], want) << "kind " << kind << " tile " << t << " " << p.reason();
    }
    array<int> seen(static_cast<std::size_t>(offsets.back()), exec.memory());
    seen.fill(0);
    for_each_atom(p, mark_atom{seen.data()});
    for_each_tile(p, mark_tile{seen.data()});
    for (const int times : seen.to_vector()) ASSERT_EQ(times, 2);
  }
  const machine m = exec.template describe<shape<128, 16>>();
  if (m.threads > 1) {
    const std::string cutting = m.wave == 64 ? "merge_path" : "long_first";
    EXPECT_EQ(chosen, (std::set<std::string>{"group_mapped", cutting}));
  }
}

TYPED_TEST(automatic_plan, CutsTilesOfLargeValuesInPieces) {
  const TypeParam exec = this->any();
  constexpr int tiles = 400'000;
  std::vector<int> offsets{0};
  for (int t = 0; t < tiles; ++t) offsets.push_back(offsets.back() + (t == 300 ? 20'000 : 2));
  const array<int> there(offsets, exec.memory());
  const segments<int> w(there.data(), tiles, offsets.back());
  const auto chosen = [&]<class Value>(Value, std::int64_t uses) {
    const auto p = plan<Value>(exec, schedule::automatic{uses}, w);
    return p.reason().substr(0, p.reason().find(':'));
  };
  EXPECT_EQ(chosen(float{}, 1'000'000), "merge_path");
  EXPECT_EQ(chosen(four{}, 1), chosen(float{}, 1));
  // Where a selector knows them.
  const machine m = exec.template describe<shape<128, 16>>();
  EXPECT_EQ(chosen(four{}, 1'000'000), m.threads > 1 && m.wave == 32 ? "long_first" : "merge_path");
}

TYPED_TEST(automatic_plan, LooksOnlyWhereThatPays) {
  const TypeParam exec = this->any();
  const std::vector<int> offsets{0, 2, 4};
  const array<int> there(offsets, exec.memory());
  const segments<int> w(there.data(), 2, 4);
  EXPECT_FALSE(plan(exec, schedule::automatic{1}, w).decision().gathered);
  EXPECT_FALSE(plan(exec, schedule::automatic{1'000'000}, w, reuse::once).decision().gathered);
  EXPECT_EQ(plan(exec, schedule::automatic{7}, w).decision().given.uses, 7);
  EXPECT_EQ(plan(exec, schedule::automatic{7}, w, reuse::once).decision().given.uses, 1);
}

TYPED_TEST(automatic_plan, KnowsThePatternForSettledWhenItHasLooked) {
  const TypeParam exec = this->any();
  const array<int> offsets(std::vector<int>{0, 3, 3, 40}, exec.memory());
  const segments<int> w(offsets.data(), 3, 40);
  for (const std::int64_t uses : {std::int64_t{1}, std::int64_t{1'000'000'000}}) {
    const auto p = plan(exec, schedule::automatic{uses}, w);
    // The selector of the host knows sizes only.
    const bool alone = exec.template describe<shape<128, 16>>().threads == 1;
    EXPECT_EQ(p.settled(), uses > 1 && !alone) << uses << " uses";
    // Whoever comes with a decision may have looked before the arrays were written again.
    std::remove_const_t<decltype(p)> again(exec, p.decision(), w);
    EXPECT_FALSE(again.settled());
    again.settle();
    EXPECT_TRUE(again.settled());
  }
  EXPECT_FALSE(plan(exec, schedule::group_mapped{4}, w).settled());
}

/// Slices of large works take about a third of what the cache could have.
TYPED_TEST(automatic_plan, LeavesTheCacheMoreWhereColumnsAreStrewn) {
  const TypeParam exec = this->any();
  const array<int> offsets(std::vector<int>{0, 3, 3, 40}, exec.memory());
  const segments<int> w(offsets.data(), 3, 40);
  const auto share_of = [&]<class Value>(Value, const select::facts& x) {
    const auto m = plan<Value>(exec, schedule::automatic{}, w);
    select::decision d;
    d.choice = m.selector().safe;
    d.given = x;
    const std::remove_const_t<decltype(m)> p(exec, d, w);
    return std::visit(
        [](const auto& chosen) {
          using bound_type = typename std::remove_cvref_t<decltype(chosen)>::bound_type;
          const bool slices = bound_type::measure_type::splits_tiles &&
                              std::is_same_v<typename bound_type::worker_type, worker::block>;
          const int share = chosen.bound_schedule().storage_share;
          EXPECT_TRUE(slices || share < 0) << share;
          return slices ? share : -2;
        },
        p.chosen());
  };
  select::facts strewn;
  strewn.seen.tiles = 1'000'000;
  strewn.seen.atoms = 8'000'000;
  strewn.seen.sampled = strewn.seen.strewn = 1000;
  strewn.seen.span = 1000 * 100'000;
  const int share = share_of(0.0, strewn);
  EXPECT_TRUE(share == 36 || share == -2) << share;
  EXPECT_EQ(share_of(0.0F, strewn), share);
  strewn.seen.strewn = 500;
  EXPECT_LT(share_of(0.0, strewn), 0);
  // Of large slices of small values too few would run.
  auto small = plan<float>(exec, schedule::wide_split{}, w);
  auto large = plan<double>(exec, schedule::wide_split{}, w);
  EXPECT_LT(large.bound_schedule().storage_share, 0) << "nobody said so";
  small.favour_cache();
  large.favour_cache();
  EXPECT_LT(small.bound_schedule().storage_share, 0);
  EXPECT_EQ(large.bound_schedule().storage_share, 36);
}

TYPED_TEST(automatic_plan, SeesTheTilesAsTheyAre) {
  const TypeParam exec = this->any();
  std::vector<int> offsets{0};
  for (int t = 0; t < 5000; ++t) offsets.push_back(offsets.back() + 3 + t % 40);
  const array<int> there(offsets, exec.memory());
  const segments<int> w(there.data(), 5000, offsets.back());
  const auto p = plan<float>(exec, schedule::automatic{1'000'000}, w);
  EXPECT_EQ(p.decision().given.value_bytes, 4);
  EXPECT_EQ(p.decision().given.seen.tiles, 5000);
  EXPECT_EQ(p.decision().given.seen.atoms, offsets.back());
  if (p.decision().gathered) {
    EXPECT_EQ(p.decision().given.seen, gather_statistics(exec, w));
    EXPECT_EQ(p.decision().given.seen.longest, 42);
  }
  EXPECT_EQ(p.decision().given.seen.sampled, 0);
}

TYPED_TEST(automatic_plan, SeesTheColumnsThatItIsTold) {
  const TypeParam exec = this->any();
  std::vector<int> offsets{0};
  // More tiles than the host would look at a copy of.
  constexpr std::int64_t tiles = select::most_tiles_copied + 1;
  for (int t = 0; t < tiles; ++t) offsets.push_back(offsets.back() + 3 + t % 40);
  std::vector<int> columns;
  for (int a = 0; a < offsets.back(); ++a) columns.push_back(a * 7919 % 100'003);
  const array<int> there(offsets, exec.memory());
  const array<int> read(columns, exec.memory());
  const segments<int> w(there.data(), tiles, offsets.back());
  const columns_in<int> column{read.data()};
  using plan_type = tile_plan<TypeParam, schedule::automatic, segments<int>, float, shape<128, 16>>;
  const plan_type p(exec, schedule::automatic{1'000'000}, w, reuse::many_times, column);
  if (p.decision().gathered) {
    const bool matter = select::columns_matter(p.decision().given);
    EXPECT_EQ(p.decision().given.seen, gather_statistics(exec, w, column, matter));
    EXPECT_EQ(p.decision().given.seen.strewn > 0, matter);
  }
}

}  // namespace
