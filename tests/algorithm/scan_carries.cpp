// SPDX-License-Identifier: Apache-2.0
/// What is open where slices begin: the atoms before it in its tile, in their order.
#include "loops/algorithm/scan_carries.hpp"

#include "loops/algorithm/plan.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/schedules.hpp"
#include "support/words.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <variant>
#include <vector>

namespace {

using shape = loops::shape<64, 3>;
using value = support::word<std::uint32_t>;

/// Says of every slice that may hold a part of a tile where it is.
template <class Bound>
struct show_slices {
  Bound bound;
  loops::slice* out;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    for (std::int64_t s = block.lane(); s < bound.slices_with_parts(); s += Block::threads)
      out[s] = bound.at(s);
  }
};

template <class Plan>
void check(const Plan& plan, const std::vector<std::int32_t>& offsets) {
  using bound_type = typename Plan::bound_type;
  if constexpr (bound_type::measure_type::splits_tiles) {
    const auto& exec = plan.executor();
    const auto& b = plan.bound_schedule();
    const auto slices = static_cast<std::size_t>(b.slices_with_parts());
    if (slices == 0) return;
    loops::array<loops::slice> where(slices, exec.memory());
    loops::array<value> carries(slices, exec.memory()), tails(slices, exec.memory());
    carries.fill(0x5a);
    tails.fill(0x5a);
    exec.template launch<shape>(1, show_slices<bound_type>{b, where.data()});
    loops::detail::find_carries<value>(plan, support::letter<value>{}, support::chain{},
                                       carries.data(), tails.data());
    const auto ranges = where.to_vector();
    const auto found = carries.to_vector();
    for (std::size_t s = 0; s < slices; ++s) {
      const auto [tile, atom] = ranges[s].begin;
      if (ranges[s].begin == ranges[s].end) continue;
      value open{};
      for (std::int64_t a = offsets[static_cast<std::size_t>(tile)]; a < atom; ++a)
        open = support::chain{}(open, support::letter<value>{}(a));
      ASSERT_TRUE(found[s] == open) << "slice " << s << " of " << slices;
    }
  }
}

template <class Exec>
class scan_carries : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(scan_carries, support::executors, support::executor_name);

TYPED_TEST(scan_carries, are_what_is_before_a_slice) {
  const auto exec = this->any();
  using work_type = loops::segments<std::int32_t>;
  const loops::machine m = exec.template describe<shape>();
  for (const support::sizes& s : support::few_sizes(std::int64_t{m.threads} * m.items, m.threads)) {
    const auto offsets = s.template offsets<std::int32_t>();
    const loops::array<std::int32_t> device(offsets, exec.memory());
    const work_type work(device.data(), s.tiles(), s.atoms());
    for (const support::named_point& p : support::all_points()) {
      SCOPED_TRACE(p.name + ", " + s.name);
      std::visit(
          [&](const auto& one) {
            using schedule = std::remove_cvref_t<decltype(one)>;
            check(loops::tile_plan<TypeParam, schedule, work_type, value, shape>(exec, one, work),
                  offsets);
          },
          p.schedule);
      if (this->HasFatalFailure()) return;
    }
  }
}

/// Equal atoms for workers of a kind.
template <class Worker>
auto slices_of_atoms(std::int64_t atoms) {
  loops::composed<loops::measure::atoms, Worker, loops::order::in_order> how;
  how.grain = atoms;
  return support::point<decltype(how)>{how};
}

TYPED_TEST(scan_carries, go_on_for_many_slices_and_long_ones) {
  using work_type = loops::segments<std::int32_t>;
  const support::sizes s{"a long tile", {1, 0, 4000, 17000, 3}};
  const auto offsets = s.template offsets<std::int32_t>();
  for (const auto& v : this->variants()) {
    SCOPED_TRACE(v.name);
    const loops::array<std::int32_t> device(offsets, v.exec.memory());
    const work_type work(device.data(), s.tiles(), s.atoms());
    const auto check_one = [&](const auto& schedule) {
      using type = std::remove_cvref_t<decltype(schedule)>;
      const loops::tile_plan<TypeParam, type, work_type, value, shape> plan(v.exec, schedule, work);
      check(plan, offsets);
      return plan.bound_schedule().a.slices;
    };
    // More than eight for each of the 512 lanes that join them.
    EXPECT_GT(check_one(slices_of_atoms<loops::worker::lane>(2)), 2 * 8 * 512);
    // A block takes four atoms a lane, and goes on.
    EXPECT_LT(check_one(slices_of_atoms<loops::worker::block>(3000)), 9);
    if (this->HasFatalFailure()) return;
  }
}

}  // namespace
