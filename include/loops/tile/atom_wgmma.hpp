// SPDX-License-Identifier: Apache-2.0
/// Where a warpgroup's accumulators lie: the result of Hopper's wgmma.
#pragma once

#include "loops/tile/atom.hpp"

namespace loops::tile {

/// wgmma m64nN: 128 lanes hold 64 x N sums, N / 2 each; neighbours in a row come in pairs. Its
/// operands lie in shared memory, so there is nothing else to know.
template <int N>
struct wgmma_result {
  static_assert(N % 8 == 0 && N >= 8 && N <= 256, "wgmma has 8 … 256 columns, in steps of 8");
  static constexpr int m = 64;
  static constexpr int n = N;
  static constexpr int lanes = 128;
  static constexpr int c_count = N / 2;
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {16 * (lane / 32) + (lane % 32) / 4 + 8 * (i / 2 % 2),
            8 * (i / 4) + 2 * (lane % 4) + i % 2};
  }
};

}  // namespace loops::tile
