// SPDX-License-Identifier: Apache-2.0
/// What SpMV's functors compute, whichever way they read.
#include "algorithms/spmv/functors.hpp"

#include "loops/algorithm/slice_round.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using loops::spmv_detail::nonzero_times_x;

static_assert(loops::can_read_past<nonzero_times_x<float, std::int32_t>>);
static_assert(!loops::can_read_past<nonzero_times_x<float, std::int32_t, true>>);
static_assert(loops::pure_map<nonzero_times_x<double, std::int64_t, true>>);

template <class V, class I>
void expect_the_same_past_the_cache() {
  const V values[] = {V(2), V(-3), V(0.5)};
  const I columns[] = {1, 0, 1};
  const V x[] = {V(5), V(7)};
  const nonzero_times_x<V, I> map{values, columns, x, 3, 2};
  const auto past = map.past();
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(past(a), values[a] * x[columns[a]]) << a;
    EXPECT_EQ(map(a), past(a)) << a;
  }
  EXPECT_EQ(past.lines(), map.lines());
}

TEST(nonzero_times_x, is_the_same_past_the_cache) {
  expect_the_same_past_the_cache<float, std::int32_t>();
  expect_the_same_past_the_cache<double, std::int64_t>();
}

TEST(scaled_store, reads_what_was_there_for_a_beta_only) {
  double y[] = {10, 20};
  loops::spmv_detail::scaled_store<double>{y, 2, 0}(0, 3);
  EXPECT_EQ(y[0], 6);
  loops::spmv_detail::scaled_store<double>{y, 2, -1}(1, 3);
  EXPECT_EQ(y[1], -14);
}

}  // namespace
