// SPDX-License-Identifier: Apache-2.0
/// How operands that the matrix units do not turn on Hopper are turned where they have been copied.
#pragma once

#include "algorithms/gemm/turned_square.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/intrinsics.hpp"

#include <cstdint>

namespace loops::hopper {

/// Turns what has been copied of B, for the warpgroups that multiply. By waves that do nothing
/// else, so that neither the copies nor the matrix units wait for it; they take stages in turn.
template <class Config>
class stage_turner {
 public:
  static constexpr int waves = 3;  ///< that turn

  /// Lane `lane` of them.
  __device__ __forceinline__ explicit stage_turner(int lane) : lane_(lane % 32), pass_(lane / 32) {}

  /// Turns this wave's of the stages that the steps from `k` to `last` come in.
  template <class Block, class Ring>
  __device__ __forceinline__ void operator()(Block& block, Ring& ring, int k, int last,
                                             int stride) {
    for (; k < last; k += stride) {
      if (pass_ == 0) {
        pass_ = waves;
        // One bit tells phases apart where there can be two: what was in the stage before has come,
        // and what comes after this waits for it.
        ring.await_operands_before();
        ring.await_copies();
        turn(ring.operands() + std::uint32_t{Config::a_bytes});
        gpu::publish_to_async();
        block.wave_sync();
        if (lane_ == 0) ring.ready(ring.stage()).arrive();
      }
      --pass_;
      ring.advance();
    }
  }

 private:
  static constexpr int squares = Config::b_bytes / turned_square::bytes;
  struct held {
    float4 at[2][2];
  };

  /// One half after the other, the next one read before the last one is written.
  __device__ __forceinline__ void turn(std::uint32_t first) const {
    turned_square places(first, static_cast<std::uint32_t>(lane_));
    held upper;
    held lower;
    read(upper, places, 0);
#pragma unroll 1
    for (int i = 1; i < squares; ++i) {
      read(lower, places, 1);
      write(upper, places, 0);
      // Moved, and not added to each place: the compiler would keep all places in registers.
      const turned_square next = places.next();
      read(upper, next, 0);
      write(lower, places, 1);
      places = next;
    }
    read(lower, places, 1);
    write(upper, places, 0);
    write(lower, places, 1);
  }
  static __device__ __forceinline__ void read(held& to, const turned_square& places,
                                              std::uint32_t half) {
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i)
#pragma unroll
      for (std::uint32_t r = 0; r < 2; ++r)
        to.at[i][r] = gpu::read_16_bytes(places.read(half, i, r));
    // Others write where this lane has read.
    gpu::wave_sync();
  }
  static __device__ __forceinline__ void write(const held& from, const turned_square& places,
                                               std::uint32_t half) {
#pragma unroll
    for (std::uint32_t i = 0; i < 2; ++i)
#pragma unroll
      for (std::uint32_t r = 0; r < 2; ++r) {
        gpu::write_4_bytes(places.write(half, i, r, 0), from.at[i][r].x);
        gpu::write_4_bytes(places.write(half, i, r, 1), from.at[i][r].y);
        gpu::write_4_bytes(places.write(half, i, r, 2), from.at[i][r].z);
        gpu::write_4_bytes(places.write(half, i, r, 3), from.at[i][r].w);
      }
  }

  int lane_;
  int pass_;  ///< stages until the next one is this wave's
};

}  // namespace loops::hopper
