// SPDX-License-Identifier: Apache-2.0
/// Imbalance is what counting by hand gives, and no schedule loses a step on the way.
#include "loops/model/imbalance.hpp"

#include "loops/schedule/catalogue.hpp"
#include "loops/schedule/data_parallel.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using offsets = std::vector<std::int64_t>;
using loops::model::balance_of;

offsets of_sizes(const std::vector<std::int64_t>& sizes) {
  offsets o{0};
  for (const auto s : sizes) o.push_back(o.back() + s);
  return o;
}

loops::segments<std::int64_t> work_of(const offsets& o) {
  return {o.data(), static_cast<std::int64_t>(o.size()) - 1, o.back()};
}

loops::machine tiny_gpu() {
  return {4, 4, 2, 1, 2};  // 2 blocks of 4 lanes, 2 steps per lane
}

/// The slot that makes each visit.
template <class Composed, loops::work W>
offsets slots_of(const Composed& schedule, const W& w, const loops::machine& m) {
  offsets slots;
  balance_of(schedule, w, m, [&](std::int64_t slot) { slots.push_back(slot); });
  return slots;
}

TEST(imbalance, equal_stretches_are_perfect) {
  const offsets o = of_sizes(std::vector<std::int64_t>(16, 3));  // 64 steps: 8 slices of 8
  const auto b = balance_of(loops::schedule::merge_path{}.compose(), work_of(o), tiny_gpu());
  EXPECT_EQ(b.steps, 64);
  EXPECT_EQ(b.slots, 2);
  EXPECT_EQ(b.lanes, 8);
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{8, 8}));
  EXPECT_DOUBLE_EQ(b.imbalance(), 1);
}

TEST(imbalance, a_long_row_holds_up_the_lanes_beside_it) {
  const offsets o = of_sizes({1, 1, 99, 1, 1, 1, 1, 1});
  const auto b = balance_of(loops::schedule::thread_mapped{}.compose(), work_of(o), tiny_gpu());
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{100, 2}));
  EXPECT_DOUBLE_EQ(b.mean(), 114.0 / 8);
  EXPECT_DOUBLE_EQ(b.imbalance(), 100 / (114.0 / 8));
}

TEST(imbalance, lanes_without_an_atom_count_as_idle) {
  const offsets o = of_sizes({1, 1});  // a wave of 4 for a single atom each
  const auto b = balance_of(loops::schedule::wave_mapped{}.compose(), work_of(o), tiny_gpu());
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{2, 2}));
  EXPECT_DOUBLE_EQ(b.imbalance(), 4);
}

TEST(imbalance, who_is_free_takes_the_next_slice) {
  // Costs, atoms over 4 lanes and the end: 11, 2, 2, 2, 2, 2, 2.
  const offsets o = of_sizes({40, 4, 4, 4, 4, 4, 4});
  const auto b = balance_of(loops::schedule::queue{4}.compose(), work_of(o), tiny_gpu());
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{11, 12}));
  EXPECT_EQ(slots_of(loops::schedule::queue{4}.compose(), work_of(o), tiny_gpu()),
            (offsets{0, 1, 1, 1, 1, 1, 1}));
}

TEST(imbalance, binned_blocks_go_round_whatever_their_loads_are) {
  const offsets o = of_sizes({100, 1, 1, 1, 1, 1, 1, 1, 1});
  const auto b = balance_of(loops::schedule::lrb{}.compose(), work_of(o), tiny_gpu());
  // The long row, then two visits of four short ones.
  EXPECT_EQ(slots_of(loops::schedule::lrb{}.compose(), work_of(o), tiny_gpu()), (offsets{0, 1, 0}));
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{26 + 2, 2}));
}

TEST(imbalance, the_longest_tiles_of_bins_come_first_and_the_last_visit_of_each) {
  const offsets o = of_sizes({1, 1, 1, 100, 1, 1});
  std::vector<std::vector<std::int64_t>> tiles;
  loops::model::for_each_assigned(loops::schedule::lrb{}.compose(), work_of(o), tiny_gpu(),
                                  [&](const loops::model::assigned_slice& s) {
                                    tiles.resize(static_cast<std::size_t>(s.visit) + 1);
                                    tiles.back().push_back(s.range.begin.tile);
                                  });
  EXPECT_EQ(tiles, (std::vector<std::vector<std::int64_t>>{{3}, {5}, {0, 1, 2, 4}}));
}

TEST(imbalance, processors_are_blocks_at_a_time) {
  const loops::uniform w(64, 15);  // 4 steps of a lane each
  const loops::machine m{4, 4, 2, 1, 8};
  const auto one = balance_of(loops::schedule::data_parallel{.processors = 1}.compose(), w, m);
  EXPECT_EQ(one.slots, 1);
  EXPECT_EQ(one.longest(), 64 * 4);
  const auto three = balance_of(loops::schedule::data_parallel{.processors = 3}.compose(), w, m);
  EXPECT_EQ(three.lanes, 12);
  EXPECT_EQ(three.loads, (std::vector<std::int64_t>{22 * 4, 21 * 4, 21 * 4}));
  EXPECT_EQ(slots_of(loops::schedule::data_parallel{.processors = 3}.compose(), w, m)[3], 0);
  // A tile that lanes stride over has its end on every lane: 5 steps.
  auto arriving = loops::schedule::queue{4}.compose();
  arriving.processors = 2;
  EXPECT_EQ(balance_of(arriving, w, m).loads, (std::vector<std::int64_t>{32 * 5, 32 * 5}));
}

TEST(imbalance, blocks_of_long_tiles_and_of_others_start_when_there_is_room) {
  std::vector<std::int64_t> sizes(201, 1);
  sizes[0] = 4000;
  const offsets o = of_sizes(sizes);
  const loops::machine m{32, 32, 4, 1, 4, 1};
  using point =
      loops::composed<loops::measure::long_first, loops::worker::by_length, loops::order::in_order>;
  point s{{32}, 0, {8, 1024, 1 << 20}};
  // The piece takes 4000 / 32 steps and the end; then comes a visit of the tile it is no more, and
  // 200 of two steps each.
  const auto b = balance_of(s, work_of(o), m);
  EXPECT_EQ(b.lanes, 4 * 32);
  EXPECT_EQ(b.loads, (std::vector<std::int64_t>{132, 132, 132, 130}));
  const offsets slots = slots_of(s, work_of(o), m);
  ASSERT_EQ(slots.size(), 202U);
  EXPECT_EQ(std::count(slots.begin(), slots.end(), 0), 1 + 3);
  EXPECT_DOUBLE_EQ(b.imbalance(), 132 / (4401 / 128.0));
  EXPECT_EQ(s.bind(work_of(o), m).blocks, s.bind(work_of(o), m).visits);

  s.processors = 2;  // then they go round
  const auto two = balance_of(s, work_of(o), m);
  EXPECT_EQ(two.slots, 2);
  EXPECT_EQ(two.loads, (std::vector<std::int64_t>{126 + 100 * 2, 100 * 2}));
  const offsets turns = slots_of(s, work_of(o), m);
  EXPECT_EQ(offsets(turns.begin(), turns.begin() + 4), (offsets{0, 1, 0, 1}));
}

TEST(imbalance, nothing_to_do_is_balanced) {
  const offsets o{0};
  for (const auto& s : loops::all_schedules())
    std::visit(
        [&](const auto& named) {
          const auto b = balance_of(named.compose(), work_of(o), tiny_gpu());
          EXPECT_DOUBLE_EQ(b.imbalance(), 1) << s.name;
          EXPECT_TRUE(b.loads.empty()) << s.name;
          EXPECT_TRUE(b.shares(5).empty()) << s.name;
        },
        s.schedule);
}

TEST(imbalance, shares_run_from_the_largest_to_the_smallest) {
  loops::model::load_balance b;
  b.loads = {1, 9, 5, 3, 7};
  b.steps = 25;
  b.lanes = 5;
  EXPECT_EQ(b.shares(5), (std::vector<double>{9 / 5.0, 7 / 5.0, 1, 3 / 5.0, 1 / 5.0}));
  EXPECT_EQ(b.shares(3), (std::vector<double>{9 / 5.0, 1, 1 / 5.0}));
  EXPECT_EQ(b.shares(1), (std::vector<double>{9 / 5.0}));
}

/// Every atom and every end marker is assigned once, and loads add up to at least the steps.
TEST(imbalance, every_schedule_assigns_every_step_once) {
  std::vector<std::vector<std::int64_t>> shapes{{5},
                                                {0, 0, 0},
                                                {0, 7, 0, 0, 1, 300, 0},
                                                std::vector<std::int64_t>(1000, 0),
                                                {1000, 1},
                                                std::vector<std::int64_t>(517, 3)};
  for (const loops::machine& m :
       {tiny_gpu(), loops::machine{1, 1, 4096, 256, 2}, loops::machine{256, 32, 9, 1, 64}})
    for (const auto& sizes : shapes) {
      const offsets o = of_sizes(sizes);
      const auto w = work_of(o);
      for (const auto& s : loops::all_schedules())
        std::visit(
            [&](const auto& named) {
              std::vector<int> atoms(static_cast<std::size_t>(w.atoms()));
              std::vector<int> ends(static_cast<std::size_t>(w.tiles()));
              std::int64_t visit = 0;
              loops::model::for_each_assigned(
                  named.compose(), w, m, [&](const loops::model::assigned_slice& a) {
                    EXPECT_GE(a.visit, visit);
                    visit = a.visit;
                    EXPECT_LE((a.group + 1) * a.lanes, m.threads);
                    EXPECT_GE(a.cost * a.lanes, a.range.steps());
                    for (const auto i : a.range.atoms()) ++atoms[static_cast<std::size_t>(i)];
                    for (auto t = a.range.begin.tile; t < a.range.end.tile; ++t)
                      ++ends[static_cast<std::size_t>(t)];
                  });
              EXPECT_EQ(atoms, std::vector<int>(atoms.size(), 1)) << s.name;
              EXPECT_EQ(ends, std::vector<int>(ends.size(), 1)) << s.name;
              const auto b = balance_of(named.compose(), w, m);
              EXPECT_GE(
                  std::accumulate(b.loads.begin(), b.loads.end(), std::int64_t{0}) * m.threads,
                  b.steps)
                  << s.name;
              EXPECT_GE(b.imbalance(), 1) << s.name;
            },
            s.schedule);
    }
}

}  // namespace
