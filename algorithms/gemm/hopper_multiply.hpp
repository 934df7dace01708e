// SPDX-License-Identifier: Apache-2.0
/// One step of a tile on Hopper: what a warpgroup's matrix instructions do with a stage.
#pragma once

#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/wgmma.hpp"
#include "loops/backend/cuda/wgmma_widths.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// Starts the instructions that add the product of two operands in shared memory, 128 bytes deep,
/// to the sums of a warpgroup, whose rows of A begin where `a` says; they are one group to wait
/// for. The sums are overwritten where `accumulate` is false. An instruction that adds to the sums
/// of the one before follows it at the rate of the matrix units.
template <class Config>
__device__ __forceinline__ void multiply_step(
    typename Config::sum_type (&sum)[Config::row_blocks][Config::per_lane], std::uint64_t a,
    std::uint64_t b, bool accumulate) {
  using floats = std::conditional_t<Config::element_bytes == 2,
                                    gpu::wgmma_turned<Config::a_turned, Config::b_turned>,
                                    gpu::wgmma_straight>;
  using major = std::conditional_t<std::is_integral_v<typename Config::sum_type>,
                                   gpu::wgmma_integers, floats>;
  // What the units turn is blocks of 64 contiguous elements by `depth` lines of 128 bytes.
  constexpr int a_advance = Config::a_turned ? Config::kind::depth * 128 : 32;
  constexpr int b_advance =
      Config::b_turned && !Config::turns_stages ? Config::kind::depth * 128 : 32;
  gpu::wgmma_fence();
#pragma unroll
  for (int q = 0; q < 4; ++q)
#pragma unroll
    for (int r = 0; r < Config::row_blocks; ++r)
      gpu::wgmma_columns<Config::columns, typename Config::kind, major>::run(
          sum[r], gpu::wgmma_advanced(a, r * 64 * 128 + q * a_advance),
          gpu::wgmma_advanced(b, q * b_advance), q > 0 || accumulate);
  gpu::wgmma_commit();
}

}  // namespace loops::hopper
