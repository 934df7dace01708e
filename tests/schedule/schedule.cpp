// SPDX-License-Identifier: Apache-2.0
/// Static schedules are pure: all of their slices, over all small works and many machines.
#include "loops/schedule/schedule.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "geometry.hpp"

namespace {

using geometry::machine;
using loops::composed;
namespace grain = loops::grain;
namespace measure = loops::measure;
namespace order = loops::order;
namespace worker = loops::worker;

std::string to_string(const machine& m) {
  return std::to_string(m.threads) + " threads, wave " + std::to_string(m.wave) + ", " +
         std::to_string(m.items) + " items, batch " + std::to_string(m.batch) + ", " +
         std::to_string(m.blocks) + " blocks";
}

std::string to_string(const std::vector<std::int64_t>& of) {
  std::string out;
  for (const std::int64_t n : of) out += std::to_string(n) + " ";
  return out;
}

/// Calls f(name, composed) for the catalogue's static schedules and for points of the product that
/// are not in it.
template <class F>
void for_each_composition(const F& f) {
  support::for_each_static(f);
  for (const std::int64_t g :
       {grain::worker_capacity, grain::worker_lanes, grain::even_share, grain::whole_turns,
        std::int64_t{1}, std::int64_t{3}, std::int64_t{1000}}) {
    const std::string suffix = ":" + std::to_string(g);
    f("tiles by groups of two" + suffix,
      composed<measure::tiles, worker::group, order::in_order>{{2}, g});
    f("atoms by lane" + suffix, composed<measure::atoms, worker::lane, order::in_order>{{}, g});
    f("atoms by block" + suffix, composed<measure::atoms, worker::block, order::in_order>{{}, g});
    f("atoms by group" + suffix, composed<measure::atoms, worker::group, order::in_order>{{}, g});
    f("path by wave" + suffix, composed<measure::path, worker::group, order::in_order>{{}, g});
    f("path by block" + suffix, composed<measure::path, worker::block, order::in_order>{{}, g});
  }
  for (const std::int64_t n : {1, 2, 5}) {
    const std::string suffix = ":" + std::to_string(n);
    f("pieces by block" + suffix,
      composed<measure::pieces, worker::block, order::last_first>{{}, 0, {n}});
    f("pieces by lane" + suffix,
      composed<measure::pieces, worker::lane, order::in_order>{{}, 0, {n}});
  }
  for (const int waves : {measure::shares_then_tiles::everything, 0, 1, 2, 3}) {
    const std::string suffix = ":" + std::to_string(waves);
    f("shares by block" + suffix,
      composed<measure::shares_then_tiles, worker::block, order::last_first>{
          {}, 0, {.waves = waves}});
    f("shares by two blocks" + suffix,
      composed<measure::shares_then_tiles, worker::block, order::in_order>{
          {}, 0, {.waves = waves}, 2});
    f("shares by lane" + suffix,
      composed<measure::shares_then_tiles, worker::lane, order::in_order>{{}, 0, {.waves = waves}});
  }
  f("path by two blocks", composed<measure::path, worker::block, order::in_order>{{}, 0, {}, 2});
}

/// Exhaustive: every work of at most five tiles and seven atoms, on every small machine.
void expect_partitions(std::size_t first_machine, std::size_t stride) {
  const std::vector<machine> machines = geometry::small_machines();
  support::for_each_small_work(5, 7, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
    for (std::size_t i = first_machine; i < machines.size(); i += stride)
      for_each_composition([&](const std::string& name, const auto& schedule) {
        if (testing::Test::HasFailure()) return;  // one example is enough
        geometry::expect_partition(schedule, w, machines[i]);
        if (testing::Test::HasFailure())
          ADD_FAILURE() << name << " on " << to_string(machines[i]) << ", tiles of "
                        << to_string(of);
      });
  });
}

TEST(schedule, slices_of_all_workers_partition_every_small_work) {
  expect_partitions(0, 2);
}
TEST(schedule, slices_of_all_workers_partition_every_small_work_too) {
  expect_partitions(1, 2);
}

TEST(schedule, slices_partition_awkward_works) {
  for (const machine& m : {machine{8, 4, 3, 1, 3}, machine{1, 1, 24, 4, 2}})
    for (const support::sizes& s : support::awkward_sizes(24, 8)) {
      const auto offsets = s.offsets<std::int64_t>();
      const loops::segments<std::int64_t> w(offsets.data(), s.tiles(), s.atoms());
      for_each_composition([&](const std::string& name, const auto& schedule) {
        if (testing::Test::HasFailure()) return;
        geometry::expect_partition(schedule, w, m);
        if (testing::Test::HasFailure())
          ADD_FAILURE() << name << " on " << to_string(m) << ", " << s.name;
      });
    }
}

TEST(schedule, slices_partition_closed_form_and_renamed_works) {
  const std::vector<std::int64_t> offsets{0, 3, 3, 9, 10};
  const auto renamed =
      loops::permuted(loops::segments<std::int64_t>(offsets.data(), 4, 10), {2, 0, 3, 1});
  for (const machine& m : geometry::small_machines())
    for_each_composition([&](const std::string&, const auto& schedule) {
      geometry::expect_partition(schedule, loops::uniform(7, 5), m);
      geometry::expect_partition(schedule, loops::uniform(9, 0), m);
      geometry::expect_partition(schedule, renamed.view(), m);
    });
}

/// Looks at the slices around each of `numbers`, without walking through the others.
template <class Composed>
void expect_huge(const std::string& name, const Composed& schedule, const loops::uniform& w,
                 const machine& m) {
  SCOPED_TRACE(name);
  const auto a = schedule.bind(w, m);
  ASSERT_GT(a.slices, 0);
  ASSERT_GT(a.blocks, 0);
  ASSERT_LE(a.blocks, std::int64_t{1} << 30);
  ASSERT_GE(a.visits * a.groups * a.batch, a.slices);
  ASSERT_LT((a.visits - 1) * a.groups * a.batch, a.slices);
  EXPECT_EQ(a.cut(w, 0), (loops::coordinate{}));
  EXPECT_EQ(a.cut(w, a.slices), (loops::coordinate{w.tiles(), w.atoms()}));
  for (const std::int64_t s :
       {std::int64_t{0}, std::int64_t{1}, a.slices / 3, a.slices / 2, a.slices - 2, a.slices - 1}) {
    if (s < 0 || s >= a.slices) continue;
    const loops::slice piece = a.at(w, s);
    ASSERT_GE(piece.begin.tile, 0);
    if (!std::is_same_v<typename Composed::measure_type, measure::pieces>) {
      ASSERT_GE(piece.steps(), 1);
    }
    ASSERT_LE(piece.end.atom, w.atoms());
    ASSERT_EQ(piece.end, a.at(w, s + 1).begin);
    if (piece.begin.atom < w.atoms()) {
      const std::int64_t t = loops::tile_of(w, piece.begin.atom);
      const loops::slice holder = a.at(w, a.slice_of(w, t));
      ASSERT_LE(holder.begin.atom, w.offset(t));
      ASSERT_GT(holder.end.atom, w.offset(t));
    }
  }
  // The last worker that has a slice has the last slice, and nobody has one beyond it.
  const std::int64_t visit = (a.slices - 1) / (a.groups * a.batch);
  const std::int64_t index = (visit % a.blocks) * a.groups + (a.slices - 1) / a.batch % a.groups;
  std::int64_t last = -1;
  std::int64_t count = 0;
  const auto mine = schedule.slices(w, m, index);
  for (auto it = mine.begin(); it != mine.end() && count < 1 << 20; ++it, ++count)
    last = it.number();
  if (count < 1 << 20) {
    EXPECT_EQ(last, a.slices - 1);
  }
}

TEST(schedule, more_atoms_than_32_bits_can_count) {
  constexpr std::int64_t big = std::int64_t{1} << 33;
  for (const loops::uniform& w :
       {loops::uniform(big, 1), loops::uniform(1, big), loops::uniform(3, big + 1),
        loops::uniform(std::int64_t{1} << 31, 5), loops::uniform(1 << 16, (1 << 17) + 1),
        loops::uniform(big, 0), loops::uniform(std::int64_t{1} << 61, 0),
        loops::uniform(std::int64_t{1} << 30, std::int64_t{1} << 31)})
    for (const machine& m : {geometry::gpu, geometry::wide_gpu, geometry::cpu})
      for_each_composition([&](const std::string& name, const auto& schedule) {
        // A plan refuses more pieces than 64 bits count.
        if constexpr (requires { schedule.what.per_tile; }) {
          if (w.tiles() > (std::int64_t{1} << 60) / schedule.what.per_tile) return;
        }
        const auto a = schedule.bind(w, m);
        if (a.slices > std::int64_t{1} << 61) return;
        expect_huge(name + ", " + std::to_string(w.tiles()) + " x " + std::to_string(w.width()),
                    schedule, w, m);
      });
}

TEST(schedule, whole_turns_are_as_long_as_leave_several_slices) {
  const composed<measure::atoms, worker::group, order::in_order> waves{{}, grain::whole_turns};
  machine m;
  m.threads = 64;
  m.wave = 32;
  m.items = 16;
  m.blocks = 10;
  m.fewest = 2;
  const auto step = [&](std::int64_t atoms) {
    return waves.bind(loops::uniform(1, atoms), m).step;
  };
  EXPECT_EQ(step(1), 2 * 32);
  constexpr std::int64_t turn = 20 * 32;  // of all resident waves
  EXPECT_EQ(step(8 * turn), 2 * 32);
  EXPECT_EQ(step(8 * turn + 1), 4 * 32);
  EXPECT_EQ(step(16 * turn), 4 * 32);
  EXPECT_EQ(step(16 * turn + 1), 8 * 32);
  EXPECT_EQ(step(1000 * turn), 16 * 32) << "more than the capacity";
}

TEST(schedule, a_grid_too_small_goes_round_again) {
  // 2^35 tiles, one per block of 256 lanes, need more than the 2^31 lanes that a grid has.
  const loops::uniform w(std::int64_t{1} << 35, 1);
  const auto schedule = loops::schedule::block_mapped{}.compose();
  const auto a = schedule.bind(w, geometry::gpu);
  ASSERT_EQ(a.blocks, std::int64_t{1} << 23);
  for (const std::int64_t worker : {std::int64_t{0}, a.blocks - 1}) {
    std::vector<std::int64_t> numbers;
    const auto mine = schedule.slices(w, geometry::gpu, worker);
    for (auto it = mine.begin(); it != mine.end(); ++it) numbers.push_back(it.number());
    ASSERT_EQ(numbers.size(), 4096U);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(numbers[i], worker + (static_cast<std::int64_t>(i) << 23));
  }
}

TEST(schedule, dynamic_orders_launch_no_more_than_is_resident) {
  const loops::uniform w(1 << 20, 3);
  const auto queue = loops::schedule::queue{}.compose().bind(w, geometry::gpu);
  EXPECT_EQ(queue.blocks, geometry::gpu.blocks);
  EXPECT_EQ(queue.visits, (1 << 20) / 8);
  const auto merge = loops::schedule::dynamic_merge_path{}.compose().bind(w, geometry::gpu);
  EXPECT_EQ(merge.blocks, geometry::gpu.blocks);
  EXPECT_EQ(merge.visits, loops::ceil_div(4 << 20, 256 * 7));
  // A small work launches as many blocks as have something to do.
  EXPECT_EQ(loops::schedule::queue{}.compose().bind(loops::uniform(9, 3), geometry::gpu).blocks, 2);
}

TEST(schedule, the_last_cut_is_noted_where_the_atoms_end) {
  const loops::uniform w(7, 9);
  const auto a = loops::schedule::nonzero_split{}.compose().bind(w, {1, 1, 10, 1, 2, 4});
  ASSERT_NE(a.slices * a.step, w.atoms());
  for (std::int64_t s = 0; s <= a.slices; ++s)
    EXPECT_EQ(a.noted(w, s, a.cut(w, s)), a.cut(w, s)) << s;
}

TEST(schedule, does_not_depend_on_the_order_of_asking) {
  // Two roles may iterate copies of their own: begin() starts anew.
  const auto schedule = loops::schedule::merge_path{}.compose();
  const loops::uniform w(10000, 1000);
  const auto mine = schedule.slices(w, geometry::gpu, 2);
  const auto copy = mine;
  auto a = mine.begin();
  ++a;
  EXPECT_EQ((*mine.begin()), (*copy.begin()));
  EXPECT_EQ((*mine.begin()).begin.diagonal(), 2 * 256 * 7);
}

/// The upper bound on visits of binned workers holds whatever the sizes are.
TEST(schedule, binned_visits_are_enough) {
  const auto check = [](const auto& schedule, const std::vector<std::int64_t>& of,
                        const machine& m) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int64_t>();
    const auto a =
        schedule.bind(loops::segments<std::int64_t>(offsets.data(), s.tiles(), s.atoms()), m);
    std::int64_t per_bin[worker::by_bin::bins] = {};
    for (const std::int64_t n : of) ++per_bin[worker::by_bin::bin_of(n)];
    std::int64_t visits = 0;
    for (int b = 0; b < worker::by_bin::bins; ++b)
      visits += loops::ceil_div(per_bin[b], m.threads / a.who.lanes(b, m) * m.batch);
    EXPECT_GE(a.visits, visits) << to_string(of);
    EXPECT_TRUE(a.blocks > 0 || visits == 0);
    EXPECT_LE(a.blocks, m.blocks);
  };
  for (const machine& m : geometry::small_machines())
    support::for_each_small_work(4, 7, [&](const std::vector<std::int64_t>& of) {
      check(loops::schedule::lrb{}.compose(), of, m);
      check(loops::schedule::lrb{1}.compose(), of, m);
      check(loops::schedule::three_bins{2, 4}.compose(), of, m);
    });
}

TEST(schedule, bins_of_ones_own_keep_all_blocks_busy) {
  // Every tile has a block to itself.
  const loops::uniform w(1000, 4);
  const machine m{128, 32, 7, 1, 1584, 2};
  EXPECT_EQ((loops::schedule::three_bins{2, 3}.compose().bind(w, m).blocks), 1000);
  const machine few{128, 32, 7, 1, 100, 2};
  EXPECT_EQ((loops::schedule::three_bins{2, 3}.compose().bind(w, few).blocks), 100);
}

}  // namespace
