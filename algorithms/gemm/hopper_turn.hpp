// SPDX-License-Identifier: Apache-2.0
/// How operands that the matrix units do not turn on Hopper are turned where they have been copied.
#pragma once

#include "algorithms/gemm/turned_square.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/intrinsics.hpp"

#include <cstdint>

namespace loops::hopper {

/// What a lane has of a square in one round: four lines of four elements.
struct block_of_square {
  float4 line[4];

  __device__ __forceinline__ void read(const turned_square& at, std::uint32_t round) {
#pragma unroll
    for (std::uint32_t u = 0; u < 4; ++u) line[u] = gpu::read_16_bytes(at.read(round, u));
    gpu::wave_sync();  // others write where this lane has read
  }
  __device__ __forceinline__ void write(const turned_square& at, std::uint32_t round) const {
    gpu::write_16_bytes(at.write(round, 0), {line[0].x, line[1].x, line[2].x, line[3].x});
    gpu::write_16_bytes(at.write(round, 1), {line[0].y, line[1].y, line[2].y, line[3].y});
    gpu::write_16_bytes(at.write(round, 2), {line[0].z, line[1].z, line[2].z, line[3].z});
    gpu::write_16_bytes(at.write(round, 3), {line[0].w, line[1].w, line[2].w, line[3].w});
  }
};

/// Turns every `Stride`th of so many squares behind each other, from number `first` on. A wave that
/// turns all of them reads one round before it writes the last one; several do not, beside lanes
/// that multiply: reading ahead delays those (decision 72). Lanes: a wave, `lane` one of 32.
template <int Squares, int Stride>
__device__ __forceinline__ void turn_squares(std::uint32_t begin, int first, int lane) {
  if (first >= Squares) return;
  turned_square at(begin + static_cast<std::uint32_t>(turned_square::bytes * first),
                   static_cast<std::uint32_t>(lane));
  block_of_square one;
  block_of_square other;
  if constexpr (Stride > 1) {
#pragma unroll 1
    for (int i = first; i < Squares; i += Stride) {
      one.read(at, 0);
      one.write(at, 0);
      other.read(at, 1);
      other.write(at, 1);
      at = at.next(Stride);
    }
    return;
  }
  one.read(at, 0);
#pragma unroll 1
  for (int i = first + 1; i < Squares; ++i) {
    other.read(at, 1);
    one.write(at, 0);
    // Moved, and not added to each place: the compiler would keep all places in registers.
    const turned_square next = at.next();
    one.read(next, 0);
    other.write(at, 1);
    at = next;
  }
  other.read(at, 1);
  one.write(at, 0);
  other.write(at, 1);
}

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
        turn_squares<squares, 1>(ring.operands() + std::uint32_t{Config::a_bytes}, 0, lane_);
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

  int lane_;
  int pass_;  ///< stages until the next one is this wave's
};

}  // namespace loops::hopper
