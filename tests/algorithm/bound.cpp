// SPDX-License-Identifier: Apache-2.0
/// A kernel of one's own iterates any schedule: every slice once, barriers included.
#include "loops/algorithm/bound.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

/// What a user writes who wants the slices and nothing else. Counts, per atom and per closed tile,
/// who came by; where it `meets`, at a barrier in every visit, which only works when all lanes
/// come.
template <class Bound, bool meets = true>
struct own_kernel {
  Bound bound;
  int* atoms;
  int* closed;
  int* odd;  ///< slices that contradict themselves

  template <class Block>
  struct storage {
    loops::visit_storage visit;
    int anybody;
  };

  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    loops::for_each_visit(block, shared.visit, bound, [&](const loops::visited& v) {
      if constexpr (meets) block.sync();
      if (block.lane() % v.lanes != 0 || !v.valid) return;
      if constexpr (Bound::binned) {
        for (const std::int64_t a : loops::atoms_of(bound.w, v.tile)) support::count_up(atoms + a);
        support::count_up(closed + v.tile);
      } else {
        const loops::slice s = bound.at(v.number);
        if constexpr (!Bound::long_first)
          if (s != bound.a.at(bound.w, v.number)) support::count_up(odd);
        if constexpr (Bound::long_first)
          if (v.number >= bound.piece_count && s.end.tile == s.begin.tile) support::count_up(odd);
        for (const std::int64_t a : s.atoms()) support::count_up(atoms + a);
        for (std::int64_t t = s.begin.tile; t < s.end.tile; ++t) support::count_up(closed + t);
        using measure = typename Bound::measure_type;
        if (std::is_same_v<measure, loops::measure::one_tile> &&
            (v.tile != s.begin.tile || s.end.tile != v.tile + 1))
          support::count_up(odd);
      }
    });
  }
};

/// All slices by their numbers, whoever takes them.
template <class Bound>
struct by_numbers {
  Bound bound;
  int* atoms;
  int* closed;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if (block.lane() > 0) return;
    for (std::int64_t n = 0; n < bound.a.slices; ++n) {
      const loops::slice s = bound.at(n);
      for (const std::int64_t a : s.atoms()) support::count_up(atoms + a);
      for (std::int64_t t = s.begin.tile; t < s.end.tile; ++t) support::count_up(closed + t);
    }
  }
};

template <class Exec>
class bound : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(bound, support::executors, support::executor_name);

template <bool meets = true, class Exec, class Schedule>
void check(const Exec& exec, const Schedule& schedule, const support::sizes& s) {
  using shape = loops::shape<64, 3>;
  using work = loops::segments<std::int64_t>;
  using plan_type = loops::tile_plan<Exec, Schedule, work, float, shape>;
  using bound_type = typename plan_type::bound_type;
  const auto offsets = s.offsets<std::int64_t>();
  const loops::array<std::int64_t> device(offsets, exec.memory());
  const work w(device.data(), s.tiles(), s.atoms());
  loops::array<int> atoms(static_cast<std::size_t>(s.atoms()), exec.memory());
  loops::array<int> closed(s.of.size(), exec.memory());
  loops::array<int> odd(1, exec.memory());
  atoms.fill(0);
  closed.fill(0);
  odd.fill(0);
  const plan_type plan(exec, schedule, w);
  // And once by their numbers; tiles in bins have no other number than their own.
  if (!bound_type::binned)
    exec.template launch<shape>(
        1, by_numbers<bound_type>{plan.bound_schedule(), atoms.data(), closed.data()});
  // Six launches of one plan: whoever draws tickets finds them reset.
  for (int i = 0; i < 6; ++i)
    exec.template launch<shape>(plan.blocks(),
                                own_kernel<bound_type, meets>{plan.bound_schedule(), atoms.data(),
                                                              closed.data(), odd.data()});
  EXPECT_EQ(odd.to_vector()[0], 0) << "slices that differ from their own cuts";
  const auto wrong = [](const std::vector<int>& counts) {
    int bad = 0;
    for (const int n : counts) bad += n != (bound_type::binned ? 6 : 7);
    return bad;
  };
  EXPECT_EQ(wrong(atoms.to_vector()), 0) << "atoms not visited once per launch";
  EXPECT_EQ(wrong(closed.to_vector()), 0) << "tiles not closed once per launch";
}

TYPED_TEST(bound, kernels_of_ones_own_get_every_slice_once) {
  for (const auto& v : this->variants()) {
    const loops::machine m = v.exec.template describe<loops::shape<64, 3>>();
    for (const support::sizes& s :
         support::few_sizes(std::int64_t{m.threads} * m.items, std::int64_t{m.threads} * m.batch))
      for (const support::named_point& p : support::all_points()) {
        SCOPED_TRACE(p.name + ", " + s.name + ", " + v.name);
        std::visit([&](const auto& schedule) { check(v.exec, schedule, s); }, p.schedule);
        if (this->HasFailure()) return;
      }
  }
}

TYPED_TEST(bound, blocks_take_their_tiles_one_at_a_time) {
  using loops::composed;
  namespace measure = loops::measure;
  using own_schedules =
      std::tuple<composed<measure::one_tile, loops::worker::block, loops::order::in_order>,
                 composed<measure::one_tile, loops::worker::block, loops::order::arrival>,
                 composed<measure::tiles, loops::worker::block, loops::order::last_first>>;
  for (const auto& v : this->variants()) {
    const loops::machine m = v.exec.template describe<loops::shape<64, 3>>();
    for (const support::sizes& s :
         support::few_sizes(std::int64_t{m.threads} * m.items, std::int64_t{m.threads} * m.batch)) {
      SCOPED_TRACE(s.name + ", " + v.name);
      std::apply(
          [&](const auto&... c) {
            (check(v.exec, support::point<std::decay_t<decltype(c)>>{c}, s), ...);
          },
          own_schedules{});
      if (this->HasFailure()) return;
    }
  }
}

// Lanes that never wait in a visit may be a visit ahead of each other: a ticket is drawn only when
// all have read the one before.
TYPED_TEST(bound, lanes_that_never_meet_have_the_same_ticket) {
  for (const auto& v : this->variants())
    for (const support::sizes& s : support::few_sizes(192, 64)) {
      SCOPED_TRACE(s.name + ", " + v.name);
      check<false>(v.exec, loops::schedule::queue{1}, s);
      check<false>(v.exec, loops::schedule::queue{8}, s);
      if (this->HasFailure()) return;
    }
}

}  // namespace
