// SPDX-License-Identifier: Apache-2.0
/// The steps of a tile on Hopper whose A lies in shared memory so that the matrix units cannot read
/// it: through registers.
#pragma once

#include "algorithms/gemm/turned_square.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/wgmma.hpp"
#include "loops/backend/cuda/wgmma_widths.hpp"

#include <cstdint>

namespace loops::hopper {

/// Multiplies steps into the sums of a warpgroup. What is multiplied next is read while the
/// instructions before it run, from one step to the next too.
template <class Config>
class register_multiplier {
  static constexpr int blocks = Config::row_blocks;
  /// Instructions of a row block whose A is held at a time, twice: fewer where sums are many.
  static constexpr int room =
      (Config::moves_registers ? Config::multiplying_registers : 168) - 40 - Config::sums;
  static constexpr int together = blocks == 1 && room >= 32 ? 4 : room >= 16 * blocks ? 2 : 1;
  static constexpr int rounds = 4 / together;  ///< of a step

 public:
  /// Of the rows that begin so many bytes into a stage; lane `lane` of the warpgroup.
  __device__ __forceinline__ register_multiplier(int lane, int rows) : lane_(lane), rows_(rows) {}

  /// Adds the steps from `k` to `last`, of which there is one at least. `b`: the operand in the
  /// first stage. Returns the stage that is still in use. Lanes: all of the warpgroup. Requires:
  /// nobody has instructions under way.
  template <class Ring>
  __device__ __forceinline__ int operator()(float (&sum)[blocks][Config::per_lane], Ring& ring,
                                            std::uint64_t b, int k, int last, int stride) const {
    steps at{k, last, stride, -1};
    unsigned a[2][together][blocks][4];
    ring.await_operands();
    read(a[0], ring, 0);
    while (one<0>(sum, a, ring, b, at) && one<rounds % 2>(sum, a, ring, b, at)) {
    }
    return at.previous;
  }

 private:
  struct steps {
    int k, last, stride;
    int previous;  ///< stage that instructions may still read; -1: none
  };
  /// Multiplies a step that begins with A in `a[First]`, and reads what comes first of the next;
  /// false where there is none.
  template <int First, class Ring>
  __device__ __forceinline__ bool one(float (&sum)[blocks][Config::per_lane],
                                      unsigned (&a)[2][together][blocks][4], Ring& ring,
                                      std::uint64_t b, steps& at) const {
    const std::uint64_t b_here =
        gpu::wgmma_advanced(b, ring.stage() * (Config::a_bytes + Config::b_bytes));
#pragma unroll
    for (int i = 0; i < rounds; ++i) {
      gpu::wgmma_fence();
#pragma unroll
      for (int q = 0; q < together; ++q)
#pragma unroll
        for (int r = 0; r < blocks; ++r)
          gpu::wgmma_columns<Config::columns, gpu::wgmma_tf32, gpu::wgmma_straight>::add(
              sum[r], a[(First + i) % 2][q][r],
              gpu::wgmma_advanced(b_here, (i * together + q) * 32));
      gpu::wgmma_commit();
      // All but these have read their registers, and the step before its stage.
      gpu::wgmma_wait<1>();
      if (i == 0 && at.previous >= 0) ring.release(at.previous);
      if (i + 1 < rounds) read(a[(First + i + 1) % 2], ring, i + 1);
    }
    at.previous = ring.stage();
    ring.advance();
    at.k += at.stride;
    if (at.k >= at.last) return false;
    ring.await_operands();
    read(a[(First + rounds) % 2], ring, 0);
    return true;
  }

  template <class Ring>
  __device__ __forceinline__ void read(unsigned (&a)[together][blocks][4], const Ring& ring,
                                       int round) const {
#pragma unroll
    for (int r = 0; r < blocks; ++r) {
      const square_fragment places(
          ring.operands() + static_cast<std::uint32_t>(rows_ + r * 64 * 128), lane_);
#pragma unroll
      for (int q = 0; q < together; ++q)
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
          const uint2 rows = gpu::read_8_bytes(places.at(
              static_cast<std::uint32_t>(round * together + q), static_cast<std::uint32_t>(i / 2)));
          a[q][r][i] = rows.x;
          a[q][r][i + 1] = rows.y;
        }
    }
  }

  int lane_;
  int rows_;
};

}  // namespace loops::hopper
