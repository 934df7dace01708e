// SPDX-License-Identifier: Apache-2.0
/// Histograms, unevenness and patterns are what counting by hand gives.
#include "loops/model/histogram.hpp"

#include "loops/work/segments.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

loops::model::size_histogram histogram(const std::vector<std::int64_t>& offsets) {
  const auto tiles = static_cast<std::int64_t>(offsets.size()) - 1;
  return loops::model::histogram_of(
      loops::segments<std::int64_t>(offsets.data(), tiles, offsets.back()));
}

TEST(histogram, counts_sizes_by_their_bits) {
  const auto h = histogram({0, 0, 8, 9, 9, 12});  // sizes 0 8 1 0 3
  EXPECT_EQ(h.tiles, 5);
  EXPECT_EQ(h.atoms, 12);
  EXPECT_EQ(h.empty(), 2);
  EXPECT_EQ(h.bins[1], 1);
  EXPECT_EQ(h.bins[2], 1);
  EXPECT_EQ(h.bins[3], 0);
  EXPECT_EQ(h.bins[4], 1);
  EXPECT_EQ(h.shortest, 0);
  EXPECT_EQ(h.longest, 8);
  EXPECT_DOUBLE_EQ(h.mean, 2.4);
  EXPECT_NEAR(h.deviation * h.deviation, (2.4 * 2.4 * 2 + 5.6 * 5.6 + 1.4 * 1.4 + 0.36) / 5, 1e-12);
  EXPECT_NEAR(h.variation(), h.deviation / 2.4, 1e-15);
  EXPECT_NEAR(h.gini, 38.0 / 60, 1e-12);  // (2*3 + 4*8) / (5 * 12)
}

TEST(histogram, knows_the_extremes_of_unevenness) {
  EXPECT_DOUBLE_EQ(histogram({0, 4, 8, 12}).gini, 0);
  EXPECT_DOUBLE_EQ(histogram({0, 4, 8, 12}).variation(), 0);
  EXPECT_DOUBLE_EQ(histogram({0, 0, 0, 0, 9}).gini, 0.75);
}

TEST(histogram, takes_works_without_tiles_or_atoms) {
  const auto none = histogram({0});
  EXPECT_EQ(none.tiles, 0);
  EXPECT_EQ(none.empty(), 0);
  const auto empty = histogram({0, 0, 0});
  EXPECT_EQ(empty.empty(), 2);
  EXPECT_DOUBLE_EQ(empty.variation(), 0);
  EXPECT_DOUBLE_EQ(empty.gini, 0);
}

template <class Index = int>
loops::model::pattern_facts pattern(Index rows, Index cols, const std::vector<Index>& offsets,
                                    const std::vector<Index>& indices) {
  loops::csr_view<float, Index> a;
  a.rows = rows;
  a.cols = cols;
  a.nonzeros = static_cast<Index>(indices.size());
  a.offsets = offsets.data();
  a.indices = indices.data();
  return loops::model::pattern_of(a);
}

TEST(pattern, sees_symmetry_bandwidth_and_diagonals) {
  const auto arrow = pattern(3, 3, {0, 3, 5, 7}, {0, 1, 2, 0, 1, 0, 2});
  EXPECT_TRUE(arrow.symmetric);
  EXPECT_EQ(arrow.bandwidth, 2);
  EXPECT_EQ(arrow.diagonals, 5);
  EXPECT_FALSE(pattern(3, 3, {0, 3, 5, 6}, {0, 1, 2, 0, 1, 2}).symmetric);  // (2, 0) is missing
  EXPECT_FALSE(pattern(3, 3, {0, 1, 2, 3}, {1, 2, 0}).symmetric);           // a cycle
  EXPECT_FALSE(pattern(2, 2, {0, 0, 1}, {0}).symmetric);
  EXPECT_FALSE(pattern(2, 2, {0, 1, 1}, {1}).symmetric);
}

TEST(pattern, counts_entries_that_are_given_twice) {
  EXPECT_TRUE(pattern(2, 2, {0, 2, 4}, {1, 1, 0, 0}).symmetric);
  EXPECT_FALSE(pattern(2, 2, {0, 2, 3}, {1, 1, 0}).symmetric);
  EXPECT_FALSE(pattern(2, 2, {0, 1, 3}, {1, 0, 0}).symmetric);
}

TEST(pattern, takes_what_is_not_square_and_what_is_empty) {
  const auto wide = pattern(1, 4, {0, 2}, {0, 3});
  EXPECT_FALSE(wide.square);
  EXPECT_FALSE(wide.symmetric);
  EXPECT_EQ(wide.bandwidth, 3);
  const auto tall = pattern(4, 1, {0, 0, 0, 0, 1}, {0});
  EXPECT_EQ(tall.bandwidth, 3);
  const auto none = pattern(0, 0, {0}, {});
  EXPECT_TRUE(none.square);
  EXPECT_TRUE(none.symmetric);
  EXPECT_EQ(none.diagonals, 0);
}

TEST(pattern, takes_more_columns_than_there_is_memory_for) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto wide = pattern<std::int64_t>(3, most, {0, 2, 4, 4}, {0, most - 2, 1, most - 1});
  EXPECT_EQ(wide.bandwidth, most - 2);
  EXPECT_EQ(wide.diagonals, 2);
  EXPECT_FALSE(wide.symmetric);
}

}  // namespace
