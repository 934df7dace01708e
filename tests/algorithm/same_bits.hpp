// SPDX-License-Identifier: Apache-2.0
/// Sums of tiles that are joined inside a launch, use after use and on every variant of an
/// executor.
#pragma once

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

/// A machine of so many blocks: of many, works are cut into short slices.
template <class Exec>
Exec with_blocks(const Exec& exec, int) {
  return exec;
}
#if !LOOPS_CUDA && !LOOPS_HIP
template <int Wave>
loops::emulation_executor<Wave> with_blocks(const loops::emulation_executor<Wave>& exec,
                                            int blocks) {
  loops::emulation_options o = exec.options();
  o.residency = blocks;
  return loops::emulation_executor<Wave>(o);
}
#endif

template <class V>
struct part_of {
  using pure = std::true_type;
  LOOPS_HD V operator()(std::int64_t a) const { return V(1) / static_cast<V>(a % 1021 + 1); }
};
template <class V>
struct store_as {
  V* to;
  LOOPS_HD void operator()(std::int64_t t, V v) const { to[t] = v; }
};
/// The same, and counts how often.
template <class V>
struct store_and_count {
  V* to;
  int* emitted;
  LOOPS_HD void operator()(std::int64_t t, V v) const {
    to[t] = v;
    support::count_up(emitted + t);
  }
};
/// The same bits, emitted once, on every variant of an executor and in every use, and close to the
/// sums, where cut tiles are joined as expected.
template <class V, class Schedule, class Variants, class WithBlocks>
void expect_the_same_bits(const Schedule& schedule, loops::detail::joiner wanted_joiner,
                          const support::sizes& s, const Variants& variants,
                          const WithBlocks& with) {
  const auto offsets = s.template offsets<std::int32_t>();
  std::vector<V> first;
  for (const auto& v : variants) {
    const auto exec = with(v.exec);
    using exec_type = std::remove_const_t<decltype(exec)>;
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::segments<std::int32_t> w(there.data(), s.tiles(), s.atoms());
    loops::array<V> out(s.of.size(), exec.memory());
    loops::array<int> emitted(s.of.size(), exec.memory());
    auto p = loops::plan<V>(exec, schedule, w);
    constexpr bool lone_lanes =
        exec_type::template block<loops::shape_for<sizeof(V)>>::threads == 1;
    ASSERT_EQ(p.joiner(), lone_lanes ? loops::detail::joiner::next_kernel : wanted_joiner);
    for (int use = 0; use < 3; ++use) {
      out.fill(0xff);
      emitted.fill(0);
      loops::reduce_tiles<V>(p, part_of<V>{}, loops::plus{},
                             store_and_count<V>{out.data(), emitted.data()});
      EXPECT_NO_THROW(p.check());
      EXPECT_EQ(emitted.to_vector(), std::vector<int>(s.of.size(), 1));
      const std::vector<V> found = out.to_vector();
      if (first.empty()) first = found;
      ASSERT_TRUE(support::same_bits(found, first)) << v.name << ", use " << use;
    }
  }
  for (std::size_t t = 0; t < s.of.size(); ++t) {
    double wanted = 0;
    for (auto a = offsets[t]; a < offsets[t + 1]; ++a) wanted += double(part_of<V>{}(a));
    // Additions: as many as atoms at most, in any order.
    const double bound =
        double(std::numeric_limits<V>::epsilon()) / 2 * static_cast<double>(s.of[t] + 1) * wanted;
    EXPECT_NEAR(double(first[t]), wanted, 2 * bound) << "tile " << t;
  }
}

}  // namespace
