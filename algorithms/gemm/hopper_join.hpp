// SPDX-License-Identifier: Apache-2.0
/// How blocks of a cluster that share the steps of a tile on Hopper join their sums.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/wgmma.hpp"

#include <utility>

namespace loops::hopper {

/// Every block finishes some of the tile's columns: each of the others copies it its sums of these,
/// through distributed shared memory, and it adds them to its own in the order of the parts. All go
/// through the block's own memory first. That is few instructions, of which a launch meets each for
/// the first time, and lets the copies run at the rate of the network, about 13 bytes per cycle.
template <class Config>
class tile_join {
  using sum_type = typename Config::sum_type;
  using quad = typename gpu::four_of<sum_type>::type;
  static constexpr int groups = Config::groups;
  static constexpr int blocks = Config::row_blocks;
  static constexpr int lanes = 128 * Config::consumers;
  static constexpr int group_bytes = 16 * blocks * lanes;

 public:
  /// Shared memory: the sums of the others, and a barrier that counts their bytes.
  struct meeting {
    quad sums[Config::room_groups * blocks][lanes];
    gpu::transaction_barrier arrived;
  };

  /// Adds up a tile and calls `store(row block, group of 8 columns, sums)` for what this block
  /// finishes. `staged`: room for the tile's sums that nobody uses any more, at the same place in
  /// all blocks. Every lane that multiplies calls it, and `sync` is their barrier; the cluster has
  /// met. Ends while others may still read `staged`.
  template <class Sync, class Store>
  __device__ __forceinline__ void operator()(const sum_type (&sum)[blocks][Config::per_lane],
                                             const cluster_place& spot, meeting& room, void* staged,
                                             int lane, const Sync& sync, const Store& store) {
    const int part = spot.part();
    const int parts = spot.parts();
    const int each = spot.shared_by_parts(groups);
    quad* const own = static_cast<quad*>(staged) + lane;
    if constexpr (Config::consumers > 1) sync();
#pragma unroll
    for (int j = 0; j < groups; ++j)
#pragma unroll
      for (int r = 0; r < blocks; ++r)
        own[(j * blocks + r) * lanes] =
            quad{sum[r][4 * j], sum[r][4 * j + 1], sum[r][4 * j + 2], sum[r][4 * j + 3]};
    gpu::publish_to_async();
    sync();
    const gpu::barrier_at arrived = room.arrived.at();
    if (lane < parts) {
      const int bytes = finished_by(lane, each) * group_bytes;
      if (lane == part) {
        arrived.expect(static_cast<unsigned>((parts - 1) * bytes));
      } else if (bytes > 0) {
        gpu::send_bytes(room.sums[place_of(part, lane) * each * blocks],
                        static_cast<quad*>(staged) + lane * each * blocks * lanes, bytes, arrived,
                        spot.same_place(lane));
      }
    }
    arrived.template wait<true>(turn_++ & 1u);
    const int mine = finished_by(part, each) * blocks;
    const int stride = each * blocks * lanes;
    const quad* const others = &room.sums[0][lane];
#pragma unroll 1
    for (int i = 0; i < mine; ++i) {
      const quad v = added(own[part * stride + i * lanes], others + i * lanes, stride, parts,
                           std::make_integer_sequence<int, Config::deepest - 1>());
      store(blocks > 1 ? i % blocks : 0, part * each + i / blocks, v);
    }
  }

 private:
  /// The block's own sums and those of the others. Of the code for so many others, a launch meets
  /// that for its own number only.
  template <int... Others>
  static __device__ __forceinline__ quad added(const quad& own, const quad* others, int stride,
                                               int parts, std::integer_sequence<int, Others...>) {
    quad v = own;
    (void)((parts == Others + 2 && (add<Others + 1>(v, others, stride), true)) || ...);
    return v;
  }
  template <int Others>
  static __device__ __forceinline__ void add(quad& v, const quad* others, int stride) {
    quad from[Others];
#pragma unroll
    for (int p = 0; p < Others; ++p) from[p] = others[p * stride];
#pragma unroll
    for (int p = 0; p < Others; ++p) {
      v.x += from[p].x;
      v.y += from[p].y;
      v.z += from[p].z;
      v.w += from[p].w;
    }
  }
  /// How many groups of columns a part finishes.
  static __device__ __forceinline__ int finished_by(int part, int each) {
    return max(0, min(each, groups - part * each));
  }
  /// Where a part's sums are in the room of another.
  static __device__ __forceinline__ int place_of(int part, int other) {
    return part - (part > other ? 1 : 0);
  }

  unsigned turn_ = 0;
};

}  // namespace loops::hopper
