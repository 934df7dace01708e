// SPDX-License-Identifier: Apache-2.0
/// A swizzle moves chunks inside their rows and loses none.
#include "loops/tile/shared_tile.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace loops::tile;

template <class Tile>
void is_a_permutation() {
  std::set<int> seen;
  for (int o = 0; o < Tile::outer; ++o)
    for (int k = 0; k < Tile::k; ++k) {
      const int at = Tile::index({o, k});
      const int row = Tile::order == major::k ? o : k;
      EXPECT_EQ(at / Tile::width, row) << "elements stay in their row";
      seen.insert(at);
    }
  EXPECT_EQ(int(seen.size()), Tile::outer * Tile::k);
  EXPECT_EQ(*seen.rbegin(), Tile::outer * Tile::k - 1);
}

TEST(shared_tile, is_a_permutation_that_keeps_rows) {
  is_a_permutation<shared_tile<float, 32, 16, major::k, xor_swizzle<2, 2>>>();
  is_a_permutation<shared_tile<double, 16, 16, major::k, xor_swizzle<0, 3>>>();
  is_a_permutation<shared_tile<short, 64, 32, major::outer, xor_swizzle<0, 3>>>();
  is_a_permutation<shared_tile<double, 64, 16, major::outer, xor_swizzle<2, 2, 1>>>();
  is_a_permutation<shared_tile<char, 48, 16, major::k, no_swizzle>>();
  static_assert(xor_swizzle<2, 2, 1>::period == 16 && no_swizzle::period == 1);
}

}  // namespace
