// SPDX-License-Identifier: Apache-2.0
/// A warpgroup's accumulators cover their tile.
#include "loops/tile/atom_wgmma.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace {

template <int N>
void check() {
  using result = loops::tile::wgmma_result<N>;
  std::set<std::pair<int, int>> held;
  for (int lane = 0; lane < 128; ++lane)
    for (int i = 0; i < result::c_count; ++i) {
      const auto p = result::c(lane, i);
      EXPECT_TRUE(p.row >= 0 && p.row < 64 && p.col >= 0 && p.col < N);
      // The manual: d[j * 4 + {0, 1}] lie in row 16 w + l / 4, {2, 3} eight rows below.
      EXPECT_EQ(p.row, 16 * (lane / 32) + lane % 32 / 4 + (i % 4 >= 2 ? 8 : 0));
      held.insert({p.row, p.col});
    }
  EXPECT_EQ(int(held.size()), 64 * N);
}

TEST(atom_wgmma, covers_its_tile) {
  check<8>();
  check<64>();
  check<256>();
}

}  // namespace
