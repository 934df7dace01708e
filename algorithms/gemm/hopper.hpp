// SPDX-License-Identifier: Apache-2.0
/// GEMM tiles on Hopper: one warpgroup copies, one or two multiply, all follow the same segments.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"
#include "algorithms/gemm/hopper_multiply.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/path.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// A tile program of `run` whose work is `gemm_tiles` of Config's shape.
template <class Config, class Epilogue>
struct gemm_program {
  using config = Config;
  using out = typename Epilogue::output;
  using shape = team<Config::threads>;
  using spot = cluster_place<Config::tall, Config::wide, Config::split>;
  static constexpr int cluster = spot::blocks;
  static constexpr bool starts_early = true;  ///< calls await_previous before it reads anything
  static constexpr std::size_t slot_bytes = std::size_t{4} * Config::rows * Config::columns;
  static constexpr bool runs_here = gpu::has_wgmma;
  static constexpr gemm_tile_shape tile_shape{Config::rows * Config::tall,
                                              Config::columns* Config::wide, Config::depth};
  static constexpr int chunk = 128 / int(sizeof(out));  ///< columns of C staged at a time
  static constexpr bool can_stage = sizeof(out) >= 2 && sizeof(out) <= 4 && Config::split == 1;

  CUtensorMap a_map;
  CUtensorMap b_map;
  CUtensorMap c_map;  ///< used where `boxes`
  gemm_tiles tiles;
  Epilogue epilogue;
  bool boxes = false;     ///< whether C can be stored in boxes, its rows on 16-byte boundaries
  bool a_batched = true;  ///< whether every product of the batch has an A of its own
  bool b_batched = true;

  struct stage {
    unsigned char a[Config::a_bytes];
    unsigned char b[Config::b_bytes];
  };
  /// Where C waits to be stored in boxes, or, where steps are shared, the sums of the columns that
  /// this block finishes, from every other.
  struct staging {
    unsigned char staged[Config::consumers][2][64 * 128];
  };
  struct meeting {
    static constexpr int others = Config::split > 1 ? Config::split - 1 : 1;
    float4 sums[others][Config::row_blocks * Config::per_lane / 4 / Config::split]
               [128 * Config::consumers];
    gpu::transaction_barrier arrived;
    gpu::transaction_barrier read;
  };
  template <class Block>
  struct storage {
    stage stages[Config::stages];
    std::conditional_t<(Config::split > 1), meeting, staging> out;
    gpu::transaction_barrier full[Config::stages];
    gpu::transaction_barrier empty[Config::stages];
  };

  template <class Block>
  class agent {
   public:
    __device__ __forceinline__ agent(const gemm_program& program, Block& block,
                                     storage<Block>& shared)
        : program_(program),
          block_(block),
          shared_(shared),
          lane_(block.lane()),
          group_(block.uniform(lane_ / 128) - 1) {
      if constexpr (cluster > 1) spot_.rank = static_cast<int>(gpu::cluster_rank());
      if (lane_ == 0) {
        gpu::prefetch_map(program_.a_map);
        gpu::prefetch_map(program_.b_map);
        for (int s = 0; s < Config::stages; ++s) {
          shared_.full[s].init(1);
          shared_.empty[s].init(Config::consumers * spot::neighbours);
        }
        if constexpr (Config::split > 1) {
          shared_.out.arrived.init(1);
          shared_.out.read.init(4 * Config::consumers * Config::split);
        }
        gpu::publish_barriers();
      }
      block.sync();
      if constexpr (cluster > 1) gpu::cluster_sync();
      block.let_next_start();
    }

    /// The first warpgroup copies.
    __device__ __forceinline__ bool produces() const { return group_ < 0; }
    __device__ __forceinline__ void start() {
      if (!produces()) block_.await_previous();
      if constexpr (Config::moves_registers) {
        if (produces()) {
          gpu::give_registers<40>();
        } else {
          gpu::take_registers<232>();
        }
      }
    }

    /// Copies the operands of the segment's steps, as stages become free.
    __device__ __forceinline__ void produce(segment s) {
      share(s);
      if (lane_ >= 32) return;
      const place at = place_of(s.tile);
      const int a_batch = program_.a_batched ? at.batch : 0;
      const int b_batch = program_.b_batched ? at.batch : 0;
      // As late as can be: all that leads here overlaps with the end of the kernel before.
      if (!awaited_) block_.await_previous();
      awaited_ = true;
      if (gpu::elect()) {
        const std::uint16_t beside = spot_.beside();
        const std::uint16_t below = spot_.above_and_below();
        for (int k = static_cast<int>(s.first); k < static_cast<int>(s.last); ++k) {
          shared_.empty[stage_].wait(phase_ ^ 1u);
          gpu::transaction_barrier& full = shared_.full[stage_];
          full.expect(Config::a_bytes + Config::b_bytes);
          copy<Config::a_turned, Config::rows, Config::wide>(
              shared_.stages[stage_].a, program_.a_map, full, k * Config::depth, at.row, a_batch,
              spot_.across(), beside);
          copy<Config::b_turned, Config::columns, Config::tall>(
              shared_.stages[stage_].b, program_.b_map, full, k * Config::depth, at.column, b_batch,
              spot_.down(), below);
          advance();
        }
      } else {
        skip(static_cast<int>(s.last - s.first));
      }
      block_.wave_sync();
    }

    __device__ __forceinline__ void clear() { fresh_ = true; }

    /// Multiplies the segment's steps into the sums.
    __device__ __forceinline__ void step(segment s) {
      share(s);
      const int steps = static_cast<int>(s.last - s.first);
      if (steps == 0) {
        if (fresh_) zero();
        return;
      }
      // The matrix units always have the next step's instructions before one is released.
      shared_.full[stage_].wait(phase_);
      multiply(shared_.stages[stage_], !fresh_);
      fresh_ = false;
      int previous = stage_;
      advance();
      for (int i = 1; i < steps; ++i) {
        shared_.full[stage_].wait(phase_);
        multiply(shared_.stages[stage_], true);
        gpu::wgmma_wait<1>();
        release(previous);
        previous = stage_;
        advance();
      }
      gpu::wgmma_wait<0>();
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r) gpu::wgmma_hold(sum_[r]);
      release(previous);
    }

    /// Partial sums, neighbouring lanes side by side.
    __device__ __forceinline__ void store(std::byte* slot) const {
      float4* to = lanes_part(slot);
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j)
          __stcg(to + (r * (Config::per_lane / 4) + j) * 128,
                 make_float4(sum_[r][4 * j], sum_[r][4 * j + 1], sum_[r][4 * j + 2],
                             sum_[r][4 * j + 3]));
    }
    __device__ __forceinline__ void add(const std::byte* slot) {
      const float4* from = lanes_part(const_cast<std::byte*>(slot));
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j) {
          const float4 v = __ldcg(from + (r * (Config::per_lane / 4) + j) * 128);
          sum_[r][4 * j] += v.x;
          sum_[r][4 * j + 1] += v.y;
          sum_[r][4 * j + 2] += v.z;
          sum_[r][4 * j + 3] += v.w;
        }
    }

    __device__ __forceinline__ void finish(std::int64_t tile) {
      const place at = place_of(tile);
      const Epilogue epilogue = program_.epilogue.of_batch(at.batch);
      const int row = at.row + group_ * Config::row_blocks * 64;
      if constexpr (Config::split > 1) {
        join(epilogue, row, at.column);
      } else {
#pragma unroll
        for (int r = 0; r < Config::row_blocks; ++r) {
          if (can_stage && program_.boxes) {
            store_boxes(epilogue, r, row + 64 * r, at.column, at.batch);
          } else {
            store_elements(epilogue, r, row + 64 * r, at.column);
          }
        }
      }
    }

    /// Barrier of the lanes that multiply.
    __device__ __forceinline__ void sync() {
      gpu::named_sync(1, 128 * Config::consumers);
    }
    /// The lane that speaks for them.
    __device__ __forceinline__ bool leads() const {
      return lane_ == 128;
    }

    /// Nobody leaves while a neighbour may still write into its shared memory.
    __device__ __forceinline__ void drain() {
      if (!produces() && (lane_ & 127) == 0) gpu::await_store_reads<0>();
      if constexpr (cluster > 1) gpu::cluster_sync();
    }

   private:
    [[nodiscard]] __device__ __forceinline__ int warp_lane() const {
      return lane_ & 31;
    }
    /// First row of 64 that this lane has sums of.
    [[nodiscard]] __device__ __forceinline__ int warp_row() const {
      return (lane_ & 127) / 32 * 16 + warp_lane() / 4;
    }
    __device__ __forceinline__ float4* lanes_part(std::byte* slot) const {
      constexpr int per_group = Config::row_blocks * Config::per_lane / 4 * 128;
      return reinterpret_cast<float4*>(slot) + group_ * per_group + (lane_ & 127);
    }

    __device__ __forceinline__ void zero() {
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int i = 0; i < Config::per_lane; ++i) sum_[r][i] = 0;
    }

    /// First element of a tile that this block computes.
    struct place {
      int row, column, batch;
    };
    [[nodiscard]] __device__ __forceinline__ place place_of(std::int64_t tile) const {
      const tile_place at = program_.tiles.at(tile);
      return {(at.row * Config::tall + spot_.down()) * Config::rows,
              (at.col * Config::wide + spot_.across()) * Config::columns, at.batch};
    }
    /// This block's part of a segment's steps.
    __device__ __forceinline__ void share(segment& s) const {
      if constexpr (Config::split > 1) {
        const int steps = static_cast<int>(s.last - s.first);
        s.last = s.first + steps * (spot_.part() + 1) / Config::split;
        s.first += steps * spot_.part() / Config::split;
      }
    }

    __device__ __forceinline__ void advance() {
      if (++stage_ == Config::stages) {
        stage_ = 0;
        phase_ ^= 1u;
      }
    }
    __device__ __forceinline__ void skip(int steps) {
      const int at = stage_ + steps;
      phase_ ^= static_cast<unsigned>(at / Config::stages) & 1u;
      stage_ = at % Config::stages;
    }
    /// The warpgroup's matrix instructions are through with a stage: one lane of it says so to
    /// every block that copies into it.
    __device__ __forceinline__ void release(int stage) {
      const int lane = lane_ & 127;
      if constexpr (spot::neighbours > 1) {
        if (lane < spot::neighbours) shared_.empty[stage].arrive_at(spot_.neighbour(lane));
      } else {
        if (lane == 0) shared_.empty[stage].arrive();
      }
    }

    /// Starts copying this block's part of an operand's step for all that `mask` names, `Sharers`
    /// of them: some of its `Lines` lines, or of the depth where the operand is turned.
    template <bool Turned, int Lines, int Sharers>
    __device__ __forceinline__ void copy(unsigned char* to, const CUtensorMap& map,
                                         gpu::transaction_barrier& full, int k, int line, int batch,
                                         int part, std::uint16_t mask) {
      const int skip = part * ((Turned ? Config::depth : Lines) / Sharers);
#pragma unroll
      for (int i = 0; i < (Turned ? Lines / 64 : 1); ++i) {
        unsigned char* const at = to + (i * Config::depth + skip) * 128;
        const int x = Turned ? line + 64 * i : k;
        const int y = (Turned ? k : line) + skip;
        if constexpr (Sharers > 1) {
          gpu::load_box_to(at, map, full, x, y, batch, mask);
        } else {
          gpu::load_box(at, map, full, x, y, batch);
        }
      }
    }

    __device__ __forceinline__ void multiply(stage& from, bool accumulate) {
      multiply_step<Config>(sum_, from.a, from.b, group_, accumulate);
    }

    [[nodiscard]] __device__ __forceinline__ int pair_column() const {
      return 2 * (warp_lane() & 3);
    }

    /// 64 rows through shared memory, 128 bytes of each at a time, the swizzle as boxes have it; a
    /// rest of less, element by element. Lanes outside C compute something for its last row or
    /// column; boxes end where C does.
    __device__ __forceinline__ void store_boxes(const Epilogue& epilogue, int r, int row,
                                                int column, int batch) {
      struct alignas(2 * sizeof(out)) pair {
        out first, second;
      };
      constexpr int groups = chunk / 8;  // of 8 columns, per chunk
      const int last_row = program_.tiles.m() - 1;
      const int last_column = program_.tiles.n() - 1;
#pragma unroll
      for (int c = 0; c < Config::columns / chunk; ++c) {
        unsigned char* const staged = shared_.out.staged[group_][boxes_++ & 1u];
        if ((lane_ & 127) == 0) gpu::await_store_reads<1>();
        gpu::named_sync(2 + group_, 128);
#pragma unroll
        for (int j = 0; j < groups; ++j)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int line = warp_row() + 8 * h;
            const int byte = (8 * j + pair_column()) * static_cast<int>(sizeof(out));
            const int i = 4 * (c * groups + j) + 2 * h;
            const int y = min(row + line, last_row);
            const int x = column + c * chunk + 8 * j + pair_column();
            *reinterpret_cast<pair*>(staged + line * 128 + (byte ^ ((line & 7) << 4))) =
                pair{epilogue.value(y, min(x, last_column), sum_[r][i]),
                     epilogue.value(y, min(x + 1, last_column), sum_[r][i + 1])};
          }
        gpu::publish_to_async();
        gpu::named_sync(2 + group_, 128);
        if ((lane_ & 127) == 0) {
          gpu::store_box(program_.c_map, staged, column + c * chunk, row, batch);
          gpu::commit_stores();
        }
      }
      store_elements<Config::columns / chunk * groups>(epilogue, r, row, column);
    }

    /// Two neighbours of a row, for a C that boxes cannot describe or a tile that was shared.
    __device__ __forceinline__ void store_pair(const Epilogue& epilogue, int row, int column,
                                               float first, float second) const {
      const float sums[2] = {first, second};
      if (row >= program_.tiles.m()) return;
      if (column + 1 < program_.tiles.n()) {
        epilogue.template store_span<2>(row, column, sums);
      } else if (column < program_.tiles.n()) {
        epilogue.store(row, column, first);
      }
    }
    /// The columns from group `First` of eight on.
    template <int First = 0>
    __device__ __forceinline__ void store_elements(const Epilogue& epilogue, int r, int row,
                                                   int column) const {
#pragma unroll
      for (int j = First; j < Config::columns / 8; ++j)
#pragma unroll
        for (int h = 0; h < 2; ++h)
          store_pair(epilogue, row + warp_row() + 8 * h, column + 8 * j + pair_column(),
                     sum_[r][4 * j + 2 * h], sum_[r][4 * j + 2 * h + 1]);
    }

    /// Blocks that shared the steps of a tile each finish some of its columns: every block sends
    /// its sums to where they are finished; there they are added in order of the steps.
    __device__ __forceinline__ void join(const Epilogue& epilogue, int row, int column) {
      constexpr int mine = Config::columns / 8 / Config::split;  // groups of 8 columns
      meeting& out = shared_.out;
      const int lane = lane_ - 128;
      const int part = spot_.part();
      if (joins_ > 0) out.read.template wait<true>((joins_ - 1) & 1u);
      if (lane == 0) out.arrived.expect(sizeof(out.sums));
      float4 own[Config::row_blocks][mine];
#pragma unroll
      for (int to = 0; to < Config::split; ++to)
#pragma unroll
        for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
          for (int j = 0; j < mine; ++j) {
            const int i = 4 * (to * mine + j);
            const float4 v =
                make_float4(sum_[r][i], sum_[r][i + 1], sum_[r][i + 2], sum_[r][i + 3]);
            if (to == part) {
              own[r][j] = v;
            } else {
              gpu::send(v, &out.sums[part - (part > to)][r * mine + j][lane], out.arrived,
                        spot_.same_place(to));
            }
          }
      out.arrived.template wait<true>(joins_ & 1u);
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < mine; ++j) {
          float4 v = make_float4(0, 0, 0, 0);
#pragma unroll
          for (int p = 0; p < Config::split; ++p) {
            const float4 next =
                p == part ? own[r][j] : out.sums[p - (p > part)][r * mine + j][lane];
            v.x += next.x;
            v.y += next.y;
            v.z += next.z;
            v.w += next.w;
          }
          const int y = row + 64 * r + warp_row();
          const int x = column + 8 * (part * mine + j) + pair_column();
          store_pair(epilogue, y, x, v.x, v.y);
          store_pair(epilogue, y + 8, x, v.z, v.w);
        }
      block_.wave_sync();
      if (warp_lane() < Config::split) out.read.arrive_at(spot_.same_place(warp_lane()));
      ++joins_;
    }

    const gemm_program& program_;
    Block& block_;
    storage<Block>& shared_;
    int lane_;
    int group_;  ///< number of this multiplying warpgroup; -1 copies
    spot spot_;
    int stage_ = 0;
    unsigned phase_ = 0;
    bool fresh_ = true;
    bool awaited_ = false;
    unsigned joins_ = 0;
    unsigned boxes_ = 0;  ///< stored so far: they take turns in two places
    float sum_[Config::row_blocks][Config::per_lane];
  };
};

}  // namespace loops::hopper
