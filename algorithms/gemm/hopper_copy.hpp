// SPDX-License-Identifier: Apache-2.0
/// How a block copies its part of a step's operands into shared memory.
#pragma once

#include "loops/backend/cuda/async.hpp"

#include <cstdint>

namespace loops::hopper {

/// Starts copying this block's part of the `Lines` lines of an operand's step, `Depth` elements
/// deep, to `to`: from line `skip` on, or from there on in depth where the operand is turned; where
/// it is shared, for all blocks that `mask` names. By one lane.
template <int Depth, bool Turned, int Lines, bool Shares>
__device__ __forceinline__ void copy_step(std::uint32_t to, const CUtensorMap& map,
                                          gpu::barrier_at arrives, int k, int line, int batch,
                                          int skip, std::uint16_t mask) {
#pragma unroll
  for (int i = 0; i < (Turned ? Lines / 64 : 1); ++i) {
    const std::uint32_t at = to + static_cast<std::uint32_t>((i * Depth + skip) * 128);
    const int x = Turned ? line + 64 * i : k;
    const int y = (Turned ? k : line) + skip;
    if constexpr (Shares) {
      gpu::load_box_to(at, map, arrives, x, y, batch, mask);
    } else {
      gpu::load_box(at, map, arrives, x, y, batch);
    }
  }
}

}  // namespace loops::hopper
