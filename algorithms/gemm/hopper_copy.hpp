// SPDX-License-Identifier: Apache-2.0
/// How a block copies its part of a step's operands into shared memory.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
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
  for (int i = 0; i < (Turned ? Lines / Depth : 1); ++i) {
    const std::uint32_t at = to + static_cast<std::uint32_t>((i * Depth + skip) * 128);
    const int x = Turned ? line + Depth * i : k;
    const int y = (Turned ? k : line) + skip;
    if constexpr (Shares) {
      gpu::load_box_to(at, map, arrives, x, y, batch, mask);
    } else {
      gpu::load_box(at, map, arrives, x, y, batch);
    }
  }
}

/// The steps of a tile whose operands a block copies.
template <class Who>
struct tile_to_copy {
  Who of;                   ///< which product
  int row, column;          ///< of its first element, in rows and columns of the matrix units
  int first, last, stride;  ///< steps
};

/// Copies the operands of a tile's steps, as stages become free. By one lane.
template <class Config, class Source>
class tile_copier {
 public:
  __device__ __forceinline__ tile_copier(const Source& source, const cluster_shape& shape,
                                         const cluster_place& spot)
      : source_(source), shape_(shape), spot_(spot) {}

  template <class Ring, class Tile>
  __device__ __forceinline__ void operator()(Ring& ring, const Tile& tile) const {
    // A loop for each way to share: small tiles wait for whoever copies, and a branch is dear.
    if (shape_.wide == 1 && shape_.tall == 1) {
      copy<false, false>(ring, tile);
    } else if (shape_.wide == 1) {
      copy<false, true>(ring, tile);
    } else if (shape_.tall == 1) {
      copy<true, false>(ring, tile);
    } else {
      copy<true, true>(ring, tile);
    }
  }

 private:
  /// `SharesA` and `SharesB` say what others copy parts of.
  template <bool SharesA, bool SharesB, class Ring, class Tile>
  __device__ __forceinline__ void copy(Ring& ring, const Tile& tile) const {
    const int a_part =
        !SharesA ? 0
                 : (Config::a_turned ? Config::depth : Config::rows) / shape_.wide * spot_.across();
    const int b_part = !SharesB ? 0
                                : (Config::b_turned ? Config::depth : Config::columns) /
                                      shape_.tall * spot_.down();
    const std::uint16_t beside = spot_.beside();
    const std::uint16_t below = spot_.above_and_below();
    const int a_layer = source_.a_layer(tile.of);
    const int b_layer = source_.b_layer(tile.of);
    const int before = source_.first_step(tile.of);
    const int last = before + tile.last;
    bool free = ring.has_room();
    for (int k = before + tile.first; k < last; k += tile.stride) {
      if (!free) ring.await_room();
      const gpu::barrier_at arrives = ring.full(ring.stage());
      const std::uint32_t to = ring.operands();
      copy_step<Config::depth, Config::a_turned, Config::rows, SharesA>(
          to, source_.a(tile.of), arrives, k * Config::depth, tile.row, a_layer, a_part, beside);
      copy_step<Config::depth, Config::b_turned, Config::b_bytes / 128, SharesB>(
          to + Config::a_bytes, source_.b(tile.of), arrives, k * Config::depth, tile.column,
          b_layer, b_part, below);
      // Only then, so that the copies do not wait for it: the phase ends with this at the
      // earliest.
      arrives.expect(Config::a_bytes + Config::b_bytes);
      ring.advance();
      // The answer comes while the next copies are prepared.
      free = ring.has_room();
    }
  }

  const Source& source_;
  const cluster_shape& shape_;
  const cluster_place& spot_;
};

}  // namespace loops::hopper
