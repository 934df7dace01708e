// SPDX-License-Identifier: Apache-2.0
/// Tile numbers are permuted, and those of one die stand for neighbours.
#include "algorithms/gemm/die_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using loops::die_order;

TEST(die_order, is_a_permutation) {
  for (const int dies : {1, 2, 3, 6, 8, 32})
    for (const int on_each : {1, 2, 7, 38})
      for (std::int32_t tiles = 0; tiles < 700; tiles += tiles < 80 ? 1 : 37) {
        const die_order order(tiles, dies, on_each);
        std::vector<bool> taken(static_cast<std::size_t>(tiles));
        for (std::int32_t n = 0; n < tiles; ++n) {
          const std::int32_t place = order(n);
          ASSERT_TRUE(place >= 0 && place < tiles) << tiles << ": " << n << " is at " << place;
          ASSERT_FALSE(taken[static_cast<std::size_t>(place)]);
          taken[static_cast<std::size_t>(place)] = true;
        }
      }
}

TEST(die_order, puts_neighbours_on_one_die) {
  // Two turns of 3 dies with 4 tiles each, and a rest.
  const die_order order(26, 3, 4);
  std::vector<int> die_of(26);
  for (std::int32_t n = 0; n < 26; ++n) die_of[static_cast<std::size_t>(order(n))] = n % 3;
  for (std::int32_t place = 0; place < 24; ++place)
    EXPECT_EQ(die_of[static_cast<std::size_t>(place)], place / 4 % 3) << place;
  EXPECT_EQ(order(24), 24);
  EXPECT_EQ(order(25), 25);
}

TEST(die_order, spreads_few_tiles_evenly) {
  const die_order order(17, 8, 38);
  for (std::int32_t n = 0; n < 16; ++n) EXPECT_EQ(order(n), n % 8 * 2 + n / 8);
  EXPECT_EQ(order(16), 16);
}

TEST(die_order, leaves_the_order_of_one_die_alone) {
  for (const int dies : {-3, 0, 1}) {
    const die_order order(100, dies, 0);
    for (std::int32_t n = 0; n < 100; ++n) EXPECT_EQ(order(n), n);
  }
}

TEST(die_order, counts_to_the_end_of_its_range) {
  const std::int32_t tiles = INT32_MAX;
  const die_order order(tiles, 8, 38);
  const std::int32_t moved = tiles - tiles % (8 * 38);
  EXPECT_EQ(order(moved - 1), moved - 1);  // the last of the last die
  EXPECT_EQ(order(moved), moved);
  EXPECT_EQ(order(tiles - 1), tiles - 1);
  EXPECT_EQ(order(moved - 304 + 1), moved - 304 + 38);
}

}  // namespace
