// SPDX-License-Identifier: Apache-2.0
/// What SpMV's functors compute, whichever way they read.
#include "algorithms/spmv/functors.hpp"

#include "algorithms/spmv/narrow_columns.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using loops::spmv_detail::near_nonzero_times_x;
using loops::spmv_detail::nonzero_times_x;

static_assert(loops::can_read_past<nonzero_times_x<float, std::int32_t>>);
static_assert(!loops::can_read_past<nonzero_times_x<float, std::int32_t, true>>);
static_assert(loops::pure_map<nonzero_times_x<double, std::int64_t, true>>);
static_assert(loops::can_read_past<near_nonzero_times_x<float, std::int32_t, 2>>);
static_assert(!loops::can_read_past<near_nonzero_times_x<float, std::int32_t, 2, true>>);
static_assert(loops::knows_its_lines<near_nonzero_times_x<float, std::int32_t, 2>>);

/// Values 2, -3, 0.5 in columns 1, 0, 1 times 5, 7.
template <class Map>
void expect_the_same_past_the_cache(const Map& map) {
  const double products[] = {14, -15, 3.5};
  const auto past = map.past();
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(map(a), products[a]) << a;
    EXPECT_EQ(past(a), products[a]) << a;
  }
  EXPECT_EQ(map.lines(), 3);
  EXPECT_EQ(past.lines(), 3);
}

template <class V, class I>
struct three {
  const V values[3] = {V(2), V(-3), V(0.5)};
  const I columns[3] = {1, 0, 1};
  const I bases[2] = {0, 1};  // of runs of two
  const std::uint16_t distances[3] = {1, 0, 0};
  const V x[2] = {V(5), V(7)};
  void check() const {
    expect_the_same_past_the_cache(nonzero_times_x<V, I>{values, columns, x, 3, 2});
    expect_the_same_past_the_cache(
        near_nonzero_times_x<V, I, 2>{values, bases, distances, x, 3, 2});
  }
};

TEST(functors, are_the_same_past_the_cache) {
  three<float, std::int32_t>().check();
  three<double, std::int64_t>().check();
}

TEST(scaled_store, reads_what_was_there_for_a_beta_only) {
  double y[] = {10, 20};
  loops::spmv_detail::scaled_store<double>{y, 2, 0}(0, 3);
  EXPECT_EQ(y[0], 6);
  loops::spmv_detail::scaled_store<double>{y, 2, -1}(1, 3);
  EXPECT_EQ(y[1], -14);
}

TEST(scaled_store, keeps_integers_of_8_bits_in_their_range) {
  const auto stored = []<class V>(V before, auto alpha, auto beta, auto sum) {
    loops::spmv_detail::scaled_store<V>{&before, alpha, beta}(0, sum);
    return before;
  };
  EXPECT_EQ(stored(std::int8_t{5}, 2, 0, 64), 127);
  EXPECT_EQ(stored(std::int8_t{5}, 2, 0, -65), -128);
  EXPECT_EQ(stored(std::int8_t{5}, 2, 0, 63), 126);
  EXPECT_EQ(stored(std::int8_t{-100}, 1, 2, 73), -127);
  EXPECT_EQ(stored(std::int8_t{-100}, 1, 2, 0), -128);
  EXPECT_EQ(stored(std::uint8_t{1}, 1U, 0U, 256U), 255);
  EXPECT_EQ(stored(std::uint8_t{255}, 1U, 1U, 0U), 255);
}

}  // namespace
