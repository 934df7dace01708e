// SPDX-License-Identifier: Apache-2.0
/// Every atom learns, once, what its tile comes to, whatever the schedule.
#include "loops/algorithm/reduce_to_atoms.hpp"

#include "loops/core/functional.hpp"
#include "loops/schedule/automatic.hpp"
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

LOOPS_HD std::int64_t number(std::int64_t atom) {
  return (atom * 31 + atom / 7) % 11 - 5;
}
struct map_atom {
  LOOPS_HD std::int64_t operator()(std::int64_t atom) const { return number(atom); }
};
struct map_both {
  LOOPS_HD std::int64_t operator()(std::int64_t tile, std::int64_t atom) const {
    return number(atom) + tile % 3;
  }
};
struct told {
  std::int64_t tile, value, total;
};
struct store {
  told* out;
  int* calls;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom, std::int64_t value,
                           std::int64_t total) const {
    out[atom] = {tile, value, total};
    support::count_up(calls + atom);
  }
};

template <class Exec>
class reduce_to_atoms : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(reduce_to_atoms, support::executors, support::executor_name);

TYPED_TEST(reduce_to_atoms, every_schedule_on_awkward_works) {
  const auto exec = this->any();
  using work_type = loops::segments<std::int32_t>;
  const loops::machine m = exec.template describe<shape>();
  for (const support::sizes& s :
       support::few_sizes(static_cast<std::int64_t>(m.threads) * m.items, m.threads)) {
    const auto offsets = s.offsets<std::int32_t>();
    const loops::array<std::int32_t> device(offsets, exec.memory());
    const work_type work(device.data(), s.tiles(), s.atoms());
    const auto check = [&](const auto& schedule) {
      using schedule_type = std::remove_cvref_t<decltype(schedule)>;
      const loops::tile_plan<TypeParam, schedule_type, work_type, std::int64_t, shape> plan(
          exec, schedule, work);
      const auto atoms = static_cast<std::size_t>(s.atoms());
      loops::array<std::int64_t> totals(static_cast<std::size_t>(s.tiles()), exec.memory());
      loops::array<told> out(atoms, exec.memory());
      loops::array<int> calls(atoms, exec.memory());
      totals.fill(0x5a);
      out.fill(0x5a);
      calls.fill(0);
      loops::reduce_to_atoms(plan, totals.data(), map_both{}, loops::plus{},
                             store{out.data(), calls.data()});
      const auto got = out.to_vector();
      const auto called = calls.to_vector();
      const auto sums = totals.to_vector();
      for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
        const auto tile = static_cast<std::int64_t>(t);
        std::int64_t sum = 0;
        for (auto a = offsets[t]; a < offsets[t + 1]; ++a) sum += number(a) + tile % 3;
        ASSERT_EQ(sums[t], sum) << "tile " << t;
        for (auto a = offsets[t]; a < offsets[t + 1]; ++a) {
          const auto i = static_cast<std::size_t>(a);
          ASSERT_EQ(called[i], 1) << "atom " << a;
          ASSERT_EQ(got[i].tile, tile) << "atom " << a;
          ASSERT_EQ(got[i].value, number(a) + tile % 3) << "atom " << a;
          ASSERT_EQ(got[i].total, sum) << "atom " << a;
        }
      }
    };
    for (const support::named_point& p : support::all_points()) {
      SCOPED_TRACE(p.name + ", " + s.name);
      std::visit(check, p.schedule);
      if (this->HasFatalFailure()) return;
    }
    SCOPED_TRACE("automatic, " + s.name);
    check(loops::schedule::automatic{});
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(reduce_to_atoms, a_selection_has_the_names_of_its_base) {
  const auto exec = this->any();
  const loops::uniform base(100, 4);
  const auto chosen = loops::select_tiles(base, {7, 99}).to(exec.memory(), base);
  loops::array<told> out(400, exec.memory());
  loops::array<int> calls(400, exec.memory());
  calls.fill(0);
  loops::reduce_to_atoms<std::int64_t>(exec, loops::schedule::merge_path{}, chosen.view(),
                                       map_atom{}, loops::plus{}, store{out.data(), calls.data()});
  const auto got = out.to_vector();
  const auto called = calls.to_vector();
  for (std::int64_t a = 0; a < 400; ++a) {
    const bool mine = a / 4 == 7 || a / 4 == 99;
    const auto i = static_cast<std::size_t>(a);
    ASSERT_EQ(called[i], mine ? 1 : 0) << "atom " << a;
    if (!mine) continue;
    const std::int64_t first = a / 4 * 4;
    EXPECT_EQ(got[i].tile, a / 4);
    EXPECT_EQ(got[i].total,
              number(first) + number(first + 1) + number(first + 2) + number(first + 3));
  }
}

TYPED_TEST(reduce_to_atoms, says_of_a_work_that_is_none_what_plans_say) {
  const auto exec = this->any();
  support::expect_error(loops::errc::overflow, "cannot be scheduled", [&] {
    loops::reduce_to_atoms<std::int64_t>(exec, loops::schedule::merge_path{}, loops::uniform(-1, 4),
                                         map_atom{}, loops::plus{}, store{nullptr, nullptr});
  });
}

}  // namespace
