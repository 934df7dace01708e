// SPDX-License-Identifier: Apache-2.0
/// Shares of atoms: every atom once and complete, with its own tile, whatever the schedule.
#include "loops/algorithm/reduce_shares.hpp"

#include "loops/core/functional.hpp"
#include "loops/work/noted.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace {

using shape = loops::shape<64, 3>;

LOOPS_HD std::int64_t of_tile(int share, std::int64_t tile) {
  return tile * 5 + share + 1;
}
LOOPS_HD std::int64_t of_atom(int share, std::int64_t atom) {
  return atom * 3 - share * 2;
}

/// Shares differ in size, so that none can stand for another. With `Common`, what they need of an
/// atom is asked for once for all of them.
template <bool Common>
struct map_shares {
  struct tile_part {
    std::int64_t value;
  };
  struct atom_part {
    std::int64_t value;
  };
  LOOPS_HD tile_part of_tile(int share, std::int64_t tile) const {
    return {::of_tile(share, tile)};
  }
  /// Wide and in pieces, to be handed round whole.
  struct whole {
    std::int32_t low;
    std::int32_t high;
    std::int32_t sign;
  };
  LOOPS_HD whole common(std::int64_t atom) const requires(Common) {
    return {static_cast<std::int32_t>(atom % 1000), static_cast<std::int32_t>(atom / 1000), -1};
  }
  LOOPS_HD atom_part of_atom(int share, const whole& w) const requires(Common) {
    return {::of_atom(share, w.low + std::int64_t{1000} * w.high) * w.sign};
  }
  LOOPS_HD atom_part of_atom(int share, std::int64_t atom) const requires(!Common) {
    return {-::of_atom(share, atom)};
  }
  LOOPS_HD std::int64_t operator()(int share, const tile_part& t, const atom_part& a) const {
    return t.value * a.value * (share + 1);
  }
};
struct store {
  std::int64_t* values;
  int* calls;
  LOOPS_HD void operator()(std::int64_t atom, std::int64_t v) const {
    values[atom] = v;
    support::count_up(calls + atom);
  }
};

/// A plan over the same work as `host`, whose atoms are named 0 … `names` - 1.
template <int Width, bool Common = false, class Exec, class Plan, class Work>
void check_plan(const Exec& exec, const Plan& plan, const Work& host, std::int64_t names) {
  loops::array<std::int64_t> values(static_cast<std::size_t>(names), exec.memory());
  loops::array<int> calls(static_cast<std::size_t>(names), exec.memory());
  values.fill(0x5a);
  calls.fill(0);
  for (int run = 0; run < 2; ++run)
    loops::reduce_shares(plan, map_shares<Common>{}, loops::plus{},
                         store{values.data(), calls.data()});
  const std::vector<std::int64_t> got = values.to_vector();
  const std::vector<int> called = calls.to_vector();
  std::vector<int> wanted(static_cast<std::size_t>(names), 0);
  for (std::int64_t t = 0; t < host.tiles(); ++t)
    for (const std::int64_t a : loops::atoms_of(host, t)) {
      const std::int64_t name = loops::atom_id(host, t, a);
      std::int64_t sum = 0;
      for (int s = 0; s < Width; ++s)
        sum -= of_tile(s, loops::tile_id(host, t)) * of_atom(s, name) * (s + 1);
      ASSERT_EQ(got[static_cast<std::size_t>(name)], sum) << "atom " << name;
      wanted[static_cast<std::size_t>(name)] = 2;
    }
  EXPECT_TRUE(called == wanted) << "an atom was missed, or emitted too often";
}

/// `host` and `device` are the same work.
template <int Width, bool Common = false, class Exec, class Work>
void check(const Exec& exec, const support::named_point& p, const Work& host, const Work& device,
           std::int64_t names) {
  SCOPED_TRACE(p.name + ", bundles of " + std::to_string(Width));
  std::visit(
      [&](const auto& schedule) {
        using schedule_type = std::decay_t<decltype(schedule)>;
        using bundles = loops::bundle_executor<Exec, Width>;
        const loops::tile_plan<bundles, schedule_type, Work, char, shape> plan(bundles(exec),
                                                                               schedule, device);
        check_plan<Width, Common>(exec, plan, host, names);
      },
      p.schedule);
}

/// Bundles where there are lanes to make them of.
template <class Exec>
inline constexpr bool in_bundles = Exec::template block<shape>::threads > 1;

template <class Exec, class Work>
void check_widths(const Exec& exec, const support::named_point& p, const Work& host,
                  const Work& device, std::int64_t names) {
  check<1>(exec, p, host, device, names);
  if constexpr (in_bundles<Exec>) {
    check<4>(exec, p, host, device, names);
    check<8, true>(exec, p, host, device, names);
    check<32>(exec, p, host, device, names);
  }
}

template <class Exec>
class reduce_shares : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(reduce_shares, support::executors, support::executor_name);

TYPED_TEST(reduce_shares, every_schedule_on_awkward_works) {
  constexpr int width = in_bundles<TypeParam> ? 4 : 1;
  for (const auto& v : this->variants()) {
    const loops::machine m =
        loops::bundle_executor<TypeParam, width>(v.exec).template describe<shape>();
    const std::int64_t capacity = std::int64_t{m.threads} * m.items;
    for (const support::sizes& s : support::few_sizes(capacity < 999 ? capacity : 999, m.threads)) {
      SCOPED_TRACE(s.name + ", " + v.name);
      const auto offsets = s.template offsets<std::int32_t>();
      const loops::array<std::int32_t> there(offsets, v.exec.memory());
      using work = loops::segments<std::int32_t>;
      for (const support::named_point& p : support::all_points())
        check_widths(v.exec, p, work(offsets.data(), s.tiles(), s.atoms()),
                     work(there.data(), s.tiles(), s.atoms()), s.atoms());
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(reduce_shares, every_kind_of_work) {
  constexpr int width = in_bundles<TypeParam> ? 4 : 1;
  const auto exec = this->any();
  const support::sizes s{"", {0, 300, 1, 0, 0, 64, 2, 5, 0, 700, 0}};
  const auto offsets = s.template offsets<std::int32_t>();
  const auto keys = s.template keys<std::int16_t>();
  const loops::array<std::int32_t> there(offsets, exec.memory());
  const loops::array<std::int16_t> keys_there(keys, exec.memory());
  using work = loops::segments<std::int32_t>;
  const work host(offsets.data(), s.tiles(), s.atoms());
  const work device(there.data(), s.tiles(), s.atoms());
  const auto chosen = loops::select_tiles(host, {9, 4, 5, 1, 10, 2});
  const auto chosen_there = chosen.to(exec.memory(), device);
  for (const support::named_point& p : support::all_points()) {
    check<width>(exec, p, loops::noted(host, keys.data()), loops::noted(device, keys_there.data()),
                 s.atoms());
    check<width>(exec, p, chosen.view(), chosen_there.view(), s.atoms());
    check<width, true>(exec, p, chosen.view(), chosen_there.view(), s.atoms());
    for (const loops::uniform& w : {loops::uniform(0, 4), loops::uniform(9, 0),
                                    loops::uniform(1, 499), loops::uniform(31, 7)})
      check<width>(exec, p, w, w, w.atoms());
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(reduce_shares, whatever_is_chosen) {
  constexpr int width = in_bundles<TypeParam> ? 4 : 1;
  const auto exec = this->any();
  const support::sizes s{"", {0, 300, 1, 0, 0, 64, 2, 5, 0, 700, 0}};
  const auto offsets = s.template offsets<std::int32_t>();
  const loops::array<std::int32_t> there(offsets, exec.memory());
  using work = loops::segments<std::int32_t>;
  const work host(offsets.data(), s.tiles(), s.atoms());
  const work device(there.data(), s.tiles(), s.atoms());
  using bundles = loops::bundle_executor<TypeParam, width>;
  using plan_type = loops::tile_plan<bundles, loops::schedule::automatic, work, char, shape>;
  const plan_type chosen(bundles(exec), {}, device);
  check_plan<width>(exec, chosen, host, s.atoms());
  loops::select::decision other = chosen.decision();
  other.choice = 0;
  for (const loops::select::candidate& c : chosen.selector().schedules) {
    other.lanes = c.lanes == 0 ? 0 : 2;
    const plan_type plan(bundles(exec), other, device);
    SCOPED_TRACE(plan.reason());
    check_plan<width>(exec, plan, host, s.atoms());
    ++other.choice;
  }
}

/// Counts how often a tile is asked for, and refuses to know it.
struct count_tiles {
  int* asked;
  LOOPS_HD int of_tile(int, std::int64_t) const {
    support::count_up(asked);
    return 1;
  }
  LOOPS_HD int of_atom(int, std::int64_t) const { return 1; }
  LOOPS_HD int operator()(int, int t, int a) const { return t * a; }
};
struct drop {
  LOOPS_HD void operator()(std::int64_t, int) const {}
};

TYPED_TEST(reduce_shares, a_tile_is_asked_for_once_by_a_bundle_that_stays) {
  constexpr int width = in_bundles<TypeParam> ? 4 : 1;
  const auto exec = this->any();
  using bundles = loops::bundle_executor<TypeParam, width>;
  const loops::tile_plan<bundles, loops::schedule::block_mapped, loops::uniform, char, shape> plan(
      bundles(exec), {}, loops::uniform(3, 1000));
  loops::array<int> asked(1, exec.memory());
  asked.fill(0);
  loops::reduce_shares(plan, count_tiles{asked.data()}, loops::plus{}, drop{});
  EXPECT_EQ(asked.to_vector()[0], 3 * (TypeParam::template block<shape>::threads));
}

TYPED_TEST(reduce_shares, one_bundle_holds_all_shares) {
  using bundles = loops::bundle_executor<TypeParam, 1>;
  const loops::tile_plan<bundles, loops::schedule::block_mapped, loops::uniform, char, shape> plan(
      bundles(this->any(), 2), {}, loops::uniform(1, 1));
  support::expect_error(loops::errc::invalid_argument, "holds all shares", [&] {
    loops::reduce_shares(plan, map_shares<false>{}, loops::plus{}, store{});
  });
}

}  // namespace
