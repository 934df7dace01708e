// SPDX-License-Identifier: Apache-2.0
/// Values wider than a lane: every share of every tile, once and complete, whatever the schedule.
#include "loops/algorithm/reduce_wide.hpp"

#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using value = loops::row_sums<int, 2>;
using work_type = loops::segments<std::int32_t>;
using shape = loops::shape<64, 3>;

LOOPS_HD int part(int share, int i, std::int64_t atom) {
  return static_cast<int>((atom * 31 + share * 7 + i * 3 + atom / 7) % 11 - 5);
}

struct map_atom {
  LOOPS_HD value operator()(int share, std::int64_t atom) const {
    return {{part(share, 0, atom), part(share, 1, atom)}};
  }
};
struct map_tile {
  LOOPS_HD value operator()(int share, std::int64_t tile, std::int64_t atom) const {
    return {{part(share, 0, atom) + static_cast<int>(tile % 3), part(share, 1, atom)}};
  }
};
/// Reads what all shares need of an atom once for all of them.
struct map_common {
  struct read {
    std::int64_t atom;
    int check;
  };
  LOOPS_HD read common(std::int64_t atom) const { return {atom, static_cast<int>(atom) ^ 0x55}; }
  LOOPS_HD value operator()(int share, const read& r) const {
    const std::int64_t atom = r.check == (static_cast<int>(r.atom) ^ 0x55) ? r.atom : 0;
    return {{part(share, 0, atom), part(share, 1, atom)}};
  }
};
/// The same, and says first where it reads, and all that it will read.
struct map_placed : map_common {
  int* fetched = nullptr;
  std::int64_t count = 0;
  [[nodiscard]] LOOPS_HD std::int64_t place(std::int64_t atom) const { return atom + 5; }
  using map_common::common;
  LOOPS_HD read common(std::int64_t atom, std::int64_t at) const {
    return at == atom + 5 ? common(atom) : read{};
  }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return count; }
  LOOPS_HD void fetch(std::int64_t line) const { support::count_up(fetched + line); }
};
struct store {
  value* values;
  int* calls;
  int shares;
  LOOPS_HD void operator()(int share, std::int64_t tile, const value& v) const {
    values[tile * shares + share] = v;
    support::count_up(calls + tile * shares + share);
  }
};

struct store_anyhow : store {};
/// Is called by neighbours for neighbouring tiles.
struct store_side_by_side : store {
  using neighbours = std::true_type;
};

template <class Exec, int Width, class Store = store_anyhow, class Schedule, class Map>
void check(const Exec& exec, const Schedule& schedule, const support::sizes& s, int copies,
           const Map& map, bool tiles_count) {
  const auto offsets = s.offsets<std::int32_t>();
  const loops::array<std::int32_t> device(offsets, exec.memory());
  const work_type work(device.data(), s.tiles(), s.atoms());
  const loops::wide_plan<Exec, Schedule, work_type, value, Width, shape> plan(exec, schedule, work,
                                                                              copies);
  const int shares = plan.shares();
  ASSERT_EQ(shares, copies * Width);
  const auto count = static_cast<std::size_t>(s.tiles()) * static_cast<std::size_t>(shares);
  loops::array<value> values(count, exec.memory());
  loops::array<int> calls(count, exec.memory());
  for (int run = 1; run <= 2; ++run) {
    values.fill(0x5a);
    calls.fill(0);
    loops::reduce_wide(plan, map, loops::plus{}, Store{{values.data(), calls.data(), shares}});
    const auto got = values.to_vector();
    const auto called = calls.to_vector();
    for (std::int64_t t = 0; t < s.tiles(); ++t)
      for (int share = 0; share < shares; ++share) {
        value wanted{};
        for (auto a = offsets[static_cast<std::size_t>(t)];
             a < offsets[static_cast<std::size_t>(t) + 1]; ++a)
          for (int i = 0; i < 2; ++i)
            wanted.at[i] +=
                part(share, i, a) + (tiles_count && i == 0 ? static_cast<int>(t % 3) : 0);
        const auto at = static_cast<std::size_t>(t * shares + share);
        ASSERT_EQ(called[at], 1) << "tile " << t << ", share " << share << ", run " << run;
        for (int i = 0; i < 2; ++i)
          ASSERT_EQ(got[at].at[i], wanted.at[i])
              << "tile " << t << ", share " << share << ", element " << i << ", run " << run;
      }
  }
}

/// Bundles where there are lanes to make them of.
template <class Exec>
inline constexpr int some_width = Exec::template block<shape>::threads == 1 ? 1 : 4;
template <class Exec>
using chosen_plan =
    loops::wide_plan<Exec, loops::schedule::automatic, work_type, value, some_width<Exec>, shape>;

template <class Exec>
class reduce_wide : public support::on_executor<Exec> {
 protected:
  /// Bundles as plans of slices make them.
  [[nodiscard]] auto in_bundles() const {
    return loops::bundle_executor<Exec, some_width<Exec>>(this->any(), 1, 768);
  }
  /// What is decided for tiles of `usual` atoms and one of `longest`, used so many times.
  [[nodiscard]] loops::select::decision decided(std::int64_t tiles, int usual, int longest,
                                                int uses) const {
    std::vector<std::int32_t> ends{0};
    for (std::int64_t t = 0; t < tiles; ++t)
      ends.push_back(ends.back() + (t == 3 ? longest : usual));
    const loops::array<std::int32_t> offsets(ends, this->any().memory());
    const work_type work(offsets.data(), tiles, ends.back());
    return chosen_plan<Exec>(this->any(), loops::schedule::automatic{uses}, work)
        .schedule_plan()
        .decision();
  }
};
TYPED_TEST_SUITE(reduce_wide, support::executors, support::executor_name);

TYPED_TEST(reduce_wide, every_schedule_on_awkward_works) {
  constexpr int width = some_width<TypeParam>;
  const auto exec = this->any();
  const loops::machine m =
      loops::bundle_executor<TypeParam, width>(exec).template describe<shape>();
  const std::int64_t capacity = static_cast<std::int64_t>(m.threads) * m.items;
  for (const support::sizes& s : support::few_sizes(capacity < 999 ? capacity : 999, m.threads))
    for (const support::named_point& p : support::all_points()) {
      SCOPED_TRACE(p.name + ", " + s.name);
      std::visit(
          [&](const auto& one) { check<TypeParam, width>(exec, one, s, 2, map_atom{}, false); },
          p.schedule);
      std::visit(
          [&](const auto& one) {
            check<TypeParam, width, store_side_by_side>(exec, one, s, 1, map_common{}, false);
          },
          p.schedule);
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(reduce_wide, boundaries_of_slices) {
  constexpr int width = some_width<TypeParam>;
  const auto exec = this->any();
  const loops::machine m =
      loops::bundle_executor<TypeParam, width>(exec).template describe<shape>();
  const std::int64_t capacity = static_cast<std::int64_t>(m.threads) * m.items;
  if (capacity > 999) return;  // the host's slices have no bundles to be shared among
  for (const support::sizes& s : support::awkward_sizes(capacity, m.threads)) {
    SCOPED_TRACE(s.name);
    check<TypeParam, width>(exec, loops::schedule::merge_path{}, s, 1, map_tile{}, true);
    check<TypeParam, width>(exec, loops::schedule::nonzero_split{}, s, 1, map_tile{}, true);
    check<TypeParam, width>(exec, loops::schedule::merge_path{}, s, 3, map_common{}, false);
    check<TypeParam, width, store_side_by_side>(exec, loops::schedule::merge_path{}, s, 3,
                                                map_tile{}, true);
    check<TypeParam, width, store_side_by_side>(exec, loops::schedule::nonzero_split{}, s, 2,
                                                map_common{}, false);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(reduce_wide, what_is_little_is_asked_for_at_once) {
  constexpr int width = some_width<TypeParam>;
  const auto exec = this->any();
  using block = typename loops::bundle_executor<TypeParam, width>::template block<shape>;
  constexpr bool alone = block::threads == 1;
  const auto times = [&](const auto& schedule, const support::sizes& s, int copies, int lines) {
    SCOPED_TRACE(s.name);
    loops::array<int> fetched(static_cast<std::size_t>(lines), exec.memory());
    fetched.fill(0);
    const map_placed map{{}, fetched.data(), lines};
    check<TypeParam, width>(exec, schedule, s, copies, map, false);
    const std::vector<int> counts = fetched.to_vector();
    EXPECT_EQ(counts, std::vector<int>(counts.size(), counts.front()));
    return counts.front();
  };
  for (const support::sizes& s : support::few_sizes(300, 16)) {
    if (s.tiles() == 0) continue;
    for (const int copies : {1, 3}) {
      using namespace loops::schedule;
      // Both runs of a plan ask.
      for (int lanes = 1; lanes <= 16; lanes *= 2)
        EXPECT_EQ(times(group_mapped{lanes}, s, copies, 700), alone || lanes > block::wave ? 0 : 2)
            << lanes << " lanes: there are kernels for bundles of a wave at most";
      EXPECT_EQ(times(merge_path{}, s, copies, 700), alone ? 0 : 2);
      EXPECT_EQ(times(group_mapped{4}, s, copies, 32769), 0);
      EXPECT_EQ(times(merge_path{}, s, copies, 32769), 0);
    }
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(reduce_wide, has_room_for_parts_of_long_tiles_only) {
  constexpr int width = some_width<TypeParam>;
  using long_first = loops::schedule::long_first;
  using plan_type = loops::wide_plan<TypeParam, long_first, work_type, value, width, shape>;
  const auto exec = this->any();
  support::sizes s{"a few long tiles", std::vector<std::int64_t>(300, 2)};
  for (const auto& [at, size] : {std::pair{0, 5000}, {150, 2000}, {299, 1}})
    s.of[static_cast<std::size_t>(at)] = size;
  const loops::array<std::int32_t> offsets(s.offsets<std::int32_t>(), exec.memory());
  const plan_type plan(exec, long_first{}, work_type(offsets.data(), s.tiles(), s.atoms()), 3);
  const auto& inner = plan.schedule_plan();
  const std::int64_t pieces = inner.bound_schedule().piece_count;
  EXPECT_GE(pieces, 2);
  EXPECT_LT(pieces, s.tiles());
  EXPECT_EQ(plan.bytes() - inner.bytes(),
            2 * sizeof(value) * static_cast<std::size_t>(pieces * plan.shares()));
  check<TypeParam, width>(exec, long_first{}, s, 3, map_tile{}, true);
  check<TypeParam, width, store_side_by_side>(exec, long_first{}, s, 1, map_common{}, false);
}

TYPED_TEST(reduce_wide, a_chosen_schedule) {
  constexpr int width = some_width<TypeParam>;
  for (const support::sizes& s : support::few_sizes(64, 8))
    check<TypeParam, width>(this->any(), loops::schedule::automatic{}, s, 3, map_atom{}, false);
}

TYPED_TEST(reduce_wide, a_schedule_is_chosen_for_the_whole_machine) {
  constexpr int width = some_width<TypeParam>;
  using plan_type = chosen_plan<TypeParam>;
  const auto exec = this->any();
  const std::vector<std::int32_t> ends{0, 3, 4, 9};
  const loops::array<std::int32_t> offsets(ends, exec.memory());
  const work_type work(offsets.data(), 3, 9);
  const loops::machine m =
      loops::bundle_executor<TypeParam, width>(exec).template describe<shape>();
  const plan_type plan(exec, loops::schedule::automatic{}, work, 2);
  EXPECT_EQ(plan.schedule_plan().decision().given.all_lanes,
            m.threads * 2 * std::max<std::int64_t>(m.blocks / 2, 1));
}

TYPED_TEST(reduce_wide, a_schedule_is_chosen_for_elements_of_values) {
  constexpr int width = some_width<TypeParam>;
  const auto exec = this->any();
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 3, 4, 9}, exec.memory());
  const auto bytes = [&]<class Value>(Value) {
    using plan_type =
        loops::wide_plan<TypeParam, loops::schedule::automatic, work_type, Value, width, shape>;
    const plan_type plan(exec, loops::schedule::automatic{}, work_type(offsets.data(), 3, 9));
    return plan.schedule_plan().decision().given.value_bytes;
  };
  EXPECT_EQ(bytes(loops::row_sums<float, 4>{}), 4);
  EXPECT_EQ(bytes(loops::row_sums<double, 2>{}), 8);
  EXPECT_EQ(bytes(double{}), 8);
}

TYPED_TEST(reduce_wide, long_tiles_are_not_chosen_to_go_first) {
  const loops::schedule::automatic often{1'000'000};
  const auto exec = this->any();
  std::vector<std::int32_t> ends{0};
  for (int t = 0; t < 600; ++t) ends.push_back(ends.back() + (t == 300 ? 20000 : 2));
  const loops::array<std::int32_t> offsets(ends, exec.memory());
  const work_type work(offsets.data(), 600, ends.back());
  const auto chosen = [](const auto& plan) {
    return std::string(plan.reason().substr(0, plan.reason().find(':')));
  };
  // Lanes take them so where that is what selectors of such machines know, bundles never.
  const loops::machine m = exec.template describe<shape>();
  if (m.threads > 1 && m.wave == 32) {
    EXPECT_EQ(chosen(plan(exec, often, work)), "long_first");
  }
  using plan_type = chosen_plan<TypeParam>;
  EXPECT_EQ(chosen(plan_type(exec, often, work).schedule_plan()), "merge_path");
}

TYPED_TEST(reduce_wide, few_long_tiles_are_cut) {
  using plan_type = chosen_plan<TypeParam>;
  const auto exec = this->any();
  // Lanes would take them whole.
  for (int tiles = 1; tiles <= 8; ++tiles) {
    std::vector<std::int32_t> ends{0};
    for (int t = 0; t < tiles; ++t) ends.push_back(ends.back() + 1500);
    const loops::array<std::int32_t> offsets(ends, exec.memory());
    const plan_type plan(exec, loops::schedule::automatic{},
                         work_type(offsets.data(), tiles, ends.back()));
    const auto bundles = this->in_bundles();
    const loops::machine m = bundles.template describe<shape>();
    if (!bundles.too_few(bundles.for_a_tile(tiles, 1500, m, 1), ends.back(), 1500, m)) continue;
    const std::string reason = plan.schedule_plan().reason();
    EXPECT_EQ(reason.substr(0, reason.find(':')), "merge_path") << reason;
    EXPECT_EQ(plan.schedule_plan().decision().lanes, 0) << reason;
  }
}

TYPED_TEST(reduce_wide, bundles_fit_the_longest_tile) {
  const auto bundles = this->in_bundles();
  const loops::machine m = bundles.template describe<shape>();
  if (m.threads == 1) GTEST_SKIP() << "lanes that are alone follow slices";
  int fitted = 0;
  for (const int longest : {2, 5, 12, 40, 400}) {
    SCOPED_TRACE(longest);
    constexpr int tiles = 8;
    const std::int64_t atoms = 2 * (tiles - 1) + longest;
    const auto d = this->decided(tiles, 2, longest, 1000);
    int enough = bundles.for_a_tile(tiles, longest, m);
    if (bundles.too_few(enough, atoms, longest, m))
      enough = bundles.for_a_tile(tiles, longest, m, 1);
    if (bundles.too_few(enough, atoms, longest, m)) {
      EXPECT_EQ(d.lanes, 0);
    }
    if (d.lanes == 0) continue;
    EXPECT_TRUE(d.gathered) << "a look costs less than a thousand launches";
    EXPECT_EQ(d.lanes, enough);
    ++fitted;
    const auto unseen = this->decided(tiles, 2, longest, 1);
    EXPECT_FALSE(unseen.gathered) << "and more than one";
    if (unseen.lanes > 0) {
      EXPECT_EQ(unseen.lanes, bundles.for_a_tile(tiles, 8 * (atoms / tiles), m));
    }
  }
  EXPECT_GT(fitted, 0) << "tiles of two atoms go whole";
}

TYPED_TEST(reduce_wide, bundles_take_all_of_the_machine_before_tiles_are_cut) {
  const auto bundles = this->in_bundles();
  const loops::machine m = bundles.template describe<shape>();
  if (m.threads == 1) GTEST_SKIP() << "lanes that are alone follow slices";
  // One for a tile occupies half of the machine, and is too few for a tile of 70 among 20s.
  const std::int64_t tiles = m.threads * m.blocks / 2;
  ASSERT_EQ(bundles.for_a_tile(tiles, 70, m), 1);
  ASSERT_TRUE(bundles.too_few(1, 20 * tiles + 50, 70, m));
  const auto d = this->decided(tiles, 20, 70, 1'000'000);
  ASSERT_TRUE(d.gathered);
  EXPECT_EQ(d.lanes, 2);
}

TYPED_TEST(reduce_wide, no_copies_are_refused_and_too_many) {
  using plan_type =
      loops::wide_plan<TypeParam, loops::schedule::merge_path, work_type, value, 1, shape>;
  constexpr int width = TypeParam::template block<shape>::threads > 1 ? 2 : 1;
  using twice =
      loops::wide_plan<TypeParam, loops::schedule::merge_path, work_type, value, width, shape>;
  if (width > 1)
    support::expect_error(loops::errc::overflow, "counted in 32 bits", [&] {
      twice(this->any(), loops::schedule::merge_path{}, work_type(), 1 << 30);
    });
  support::expect_error(loops::errc::invalid_argument, "at least one share", [&] {
    plan_type(this->any(), loops::schedule::merge_path{}, work_type(), 0);
  });
}

}  // namespace
