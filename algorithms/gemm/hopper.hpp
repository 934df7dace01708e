// SPDX-License-Identifier: Apache-2.0
/// GEMM tiles on Hopper: one warpgroup copies, one or two multiply, all follow the same segments.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"
#include "algorithms/gemm/hopper_copy.hpp"
#include "algorithms/gemm/hopper_join.hpp"
#include "algorithms/gemm/hopper_multiply.hpp"
#include "algorithms/gemm/hopper_output.hpp"
#include "algorithms/gemm/hopper_turns.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/path.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// A tile program of `run` whose work is tiles of Config's shape, which `Source` knows to find.
template <class Config, class Source>
struct gemm_program {
  using config = Config;
  using source_type = Source;
  using out = typename Source::epilogue_type::output;
  using shape = team<Config::threads>;
  static constexpr bool starts_early = true;  ///< calls await_previous before it reads anything
  static constexpr bool whole_tiles = Config::teams > 1;
  static constexpr std::size_t slot_bytes = std::size_t{4} * Config::rows * Config::columns;
  static constexpr bool runs_here = gpu::has_wgmma;
  using output = tile_output<Config, typename Source::epilogue_type>;

  Source source;
  cluster_shape shape_of_cluster;

  /// Blocks per tile of the work.
  [[nodiscard]] constexpr int cluster() const { return shape_of_cluster.blocks(); }
  /// The tile of the work that a cluster of this shape computes.
  static constexpr gemm_tile_shape tile_of(cluster_shape c) {
    const int rows = Config::rows * c.tall;
    const int columns = Config::columns * c.wide;
    return Config::swapped ? gemm_tile_shape{columns, rows, Config::depth}
                           : gemm_tile_shape{rows, columns, Config::depth};
  }

  struct stage {
    unsigned char a[Config::a_bytes];
    unsigned char b[Config::b_bytes];
  };
  /// Whether blocks may share the steps of a tile.
  static constexpr bool joins = Config::deepest > 1;
  static constexpr bool looks_up = Source::ragged;  ///< tiles, in a table: once each
  /// Whether a warpgroup leaves out what lies outside of C altogether. One alone has a tile's rows.
  static constexpr bool skips = Source::ragged && !joins && Config::team > 1;
  using join = tile_join<Config>;
  using landing =
      typename std::conditional_t<joins, typename join::meeting, typename output::staging>;
  template <class Block>
  struct storage {
    stage stages[Config::stages];
    landing out;
    gpu::transaction_barrier full[Config::stages];
    gpu::transaction_barrier empty[Config::stages];
    typename turns<Config::teams>::barriers turn;
  };

  template <class Block>
  class agent {
    static constexpr std::uint32_t barrier_bytes = sizeof(gpu::transaction_barrier);

   public:
    __device__ __forceinline__ agent(const gemm_program& program, Block& block,
                                     storage<Block>& shared)
        : program_(program),
          block_(block),
          shared_(shared),
          lane_(block.lane()),
          group_(block.uniform(lane_ / 128) - 1),
          part_(whole_tiles ? 0 : group_),
          spot_(program.shape_of_cluster, static_cast<int>(gpu::cluster_rank())),
          output_(shared.out, lane_, group_),
          turns_(shared.turn, group_),
          alone_(spot_.alone()),
          address_(gpu::fixed_address(&shared)),
          a_operand_(gpu::wgmma_operand(
              address_ + static_cast<std::uint32_t>(part_ * Config::row_blocks * 64 * 128),
              Config::depth * 128, 1024)),
          b_operand_(gpu::wgmma_operand(address_ + Config::a_bytes, Config::depth * 128, 1024)) {
      program_.source.prepare(lane_, Config::threads);
      if (lane_ == 0) {
        for (int s = 0; s < Config::stages; ++s) {
          full(s).init(1);
          empty(s).init(Config::team * spot_.neighbours());
        }
        turns<Config::teams>::init(shared.turn);
        if constexpr (joins) shared_.out.arrived.at().init(1);
        gpu::publish_barriers();
      }
      if (const int i = lane_ & 127; i < spot_.neighbours())
        tells_ = alone_ ? empty(0).address : empty(0).in(spot_.neighbour(i)).address;
      block.sync();
      if (spot_.blocks() > 1) {
        gpu::cluster_arrive_only();
        met_ = false;
        if (!joins || !alone_) meet();
      }
      block.let_next_start();
    }

    /// The first warpgroup copies.
    __device__ __forceinline__ bool produces() const { return group_ < 0; }
    __device__ __forceinline__ void start() {
      if (!produces()) block_.await_previous();
      if constexpr (Config::moves_registers) {
        if (produces()) {
          gpu::give_registers<Config::copying_registers>();
        } else {
          gpu::take_registers<Config::multiplying_registers>();
        }
      }
    }

    /// Copies the operands of the segment's steps, as stages become free.
    __device__ __forceinline__ void produce(segment s) {
      begin_tile();
      joined_ = s.ends;
      if (lane_ >= 32) return;
      const place at = place_of(s.tile);
      // As late as can be: all that leads here overlaps with the end of the kernel before.
      if (!awaited_) block_.await_previous();
      awaited_ = true;
      if (gpu::elect()) {
        // A loop for each way to share: small tiles wait for whoever copies, and a branch is dear.
        const cluster_shape& shape = program_.shape_of_cluster;
        const steps_of_tile what{s, at, program_.source.a_layer(at.of),
                                 program_.source.b_layer(at.of)};
        if (shape.wide == 1 && shape.tall == 1) {
          copy_steps<false, false>(what);
        } else if (shape.wide == 1) {
          copy_steps<false, true>(what);
        } else if (shape.tall == 1) {
          copy_steps<true, false>(what);
        } else {
          copy_steps<true, true>(what);
        }
      }
      block_.wave_sync();
    }

    /// Whether this warpgroup takes a tile; the stages of another's pass it by.
    __device__ __forceinline__ bool takes(const segment& s) requires(whole_tiles) {
      const bool mine = turns_.next();
      if (!mine) advance(static_cast<int>(s.size()));
      return mine;
    }
    __device__ __forceinline__ void clear() { fresh_ = true; }

    /// Multiplies the segment's steps into the sums.
    __device__ __forceinline__ void step(segment s) {
      begin_tile();
      // While the first copies are under way.
      if constexpr (joins || looks_up) at_ = place_of(s.tile);
      if constexpr (joins) meet();
      const int last = static_cast<int>(s.last);
      int k = first_step(s);
      if constexpr (skips) {
        outside_ = block_.uniform(own_row(at_) >= output::rows(program_.source.result(at_.of)));
        if (outside_) {
          leave_out(k, last);
          return;
        }
      }
      if (k >= last) {
        if (fresh_) zero();
        return;
      }
      turns_.await();
      // The matrix units always have the next step's instructions before one is released.
      full(stage_).wait(phase_);
      multiply(stage_, !fresh_);
      fresh_ = false;
      int previous = stage_;
      advance();
      for (k += stride(); k < last; k += stride()) {
        full(stage_).wait(phase_);
        multiply(stage_, true);
        gpu::wgmma_wait<1>();
        release(previous);
        previous = stage_;
        advance();
      }
      if ((lane_ & 127) == 0) turns_.pass();
      gpu::wgmma_wait<0>();
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r) gpu::wgmma_hold(sums_[r]);
      release(previous);
    }

    /// Partial sums, neighbouring lanes side by side.
    __device__ __forceinline__ void store(std::byte* slot) const {
      if (skips && outside_) return;
      float4* to = lanes_part(slot);
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j)
          __stcg(to + (r * (Config::per_lane / 4) + j) * 128,
                 make_float4(sums_[r][4 * j], sums_[r][4 * j + 1], sums_[r][4 * j + 2],
                             sums_[r][4 * j + 3]));
    }
    __device__ __forceinline__ void add(const std::byte* slot) {
      if (skips && outside_) return;
      const float4* from = lanes_part(const_cast<std::byte*>(slot));
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j) {
          const float4 v = __ldcg(from + (r * (Config::per_lane / 4) + j) * 128);
          sums_[r][4 * j] += v.x;
          sums_[r][4 * j + 1] += v.y;
          sums_[r][4 * j + 2] += v.z;
          sums_[r][4 * j + 3] += v.w;
        }
    }

    __device__ __forceinline__ void finish(std::int64_t tile) {
      const place at = joins || looks_up ? at_ : place_of(tile);
      if (skips && outside_) return;
      const auto to = program_.source.result(at.of);
      const int row = own_row(at);
      if constexpr (joins) {
        join_(
            sums_, spot_, shared_.out, shared_.stages, lane_ - 128, [this] { sync(); },
            [&](int block, int group, const float4& v) {
              const int y = row + 64 * block;
              const int x = at.column + 8 * group;
              output_.store_pair(to, y, 0, x, v.x, v.y);
              output_.store_pair(to, y, 1, x, v.z, v.w);
            });
        joined_ = true;
      } else {
#pragma unroll
        for (int r = 0; r < Config::row_blocks; ++r)
          output_.store(to, sums_[r], row + 64 * r, at.column);
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

    /// Nobody leaves while a neighbour may still use its shared memory. What others copied into it
    /// has been waited for; what remains is that they say so of what they were sent. Not a barrier
    /// of the cluster with its release, which waits for the results to reach memory.
    __device__ __forceinline__ void drain() {
      if (produces()) {
        if (!alone_ && lane_ < 32 && gpu::elect())
          for (int s = 0; s < Config::stages; ++s) {
            empty(stage_).wait(phase_ ^ 1u);
            advance();
          }
      } else if ((lane_ & 127) == 0) {
        gpu::await_store_reads<0>();
      }
      if (joins && spot_.blocks() > 1) {
        // Sums that were sent here have come, so nobody is behind with anything but reading.
        meet();
        gpu::cluster_arrive_only();
        gpu::cluster_wait();
      }
    }

   private:
    /// Waits until all blocks of the cluster have made their barriers.
    __device__ __forceinline__ void meet() {
      if (!met_) gpu::cluster_wait();
      met_ = true;
    }
    /// Stages are copied into again when nobody needs the sums of the last tile in them.
    __device__ __forceinline__ void begin_tile() {
      if constexpr (joins) {
        if (joined_) {
          if (spot_.blocks() == 1) {
            block_.sync();
          } else {
            meet();
            gpu::cluster_sync();
          }
        }
        joined_ = false;
      }
    }

    __device__ __forceinline__ float4* lanes_part(std::byte* slot) const {
      constexpr int per_group = Config::row_blocks * Config::per_lane / 4 * 128;
      return reinterpret_cast<float4*>(slot) + group_ * per_group + (lane_ & 127);
    }

    /// Lets steps pass of which this warpgroup has no rows. One wave looks at them: nothing keeps
    /// the four together, and one that falls behind would wait for ever.
    __device__ __forceinline__ void leave_out(int k, int last) {
      for (; k < last; k += stride()) {
        if ((lane_ & 127) < 32) {
          full(stage_).wait(phase_);
          block_.wave_sync();
          release(stage_);
        }
        advance();
      }
      gpu::named_sync(2 + group_, 128);
    }

    __device__ __forceinline__ void zero() {
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int i = 0; i < Config::per_lane; ++i) sums_[r][i] = 0;
    }

    /// First element of a tile that this block computes, in rows and columns of the matrix units.
    struct place {
      int row, column;
      typename Source::who of;
    };
    [[nodiscard]] __device__ __forceinline__ place place_of(std::int64_t tile) const {
      const auto at = program_.source.at(tile);
      const cluster_shape& shape = program_.shape_of_cluster;
      const int row = Config::swapped ? at.col : at.row;
      const int column = Config::swapped ? at.row : at.col;
      return {(row * shape.tall + spot_.down()) * Config::rows,
              (column * shape.wide + spot_.across()) * Config::columns, at.of};
    }
    /// The first row of this warpgroup.
    [[nodiscard]] __device__ __forceinline__ int own_row(const place& at) const {
      return at.row + part_ * Config::row_blocks * 64;
    }
    /// Blocks that share steps take them in turn.
    [[nodiscard]] __device__ __forceinline__ int first_step(const segment& s) const {
      return static_cast<int>(s.first) + (joins ? spot_.part() : 0);
    }
    [[nodiscard]] __device__ __forceinline__ int stride() const {
      return joins ? spot_.parts() : 1;
    }

    __device__ __forceinline__ void advance() {
      if (++stage_ == Config::stages) {
        stage_ = 0;
        phase_ ^= 1u;
      }
    }
    __device__ __forceinline__ void advance(int steps) {
      const int stage = stage_ + steps;
      phase_ ^= static_cast<unsigned>(stage / Config::stages) & 1u;
      stage_ = stage % Config::stages;
    }
    /// The warpgroup's matrix instructions are through with a stage: one lane of it says so to
    /// every block that copies into it.
    __device__ __forceinline__ void release(int stage) {
      gpu::barrier_at{tells_ + barrier_bytes * static_cast<std::uint32_t>(stage)}.arrive_there(
          tells_ != 0);
    }

    struct steps_of_tile {
      const segment& steps;
      const place& at;
      int a_layer, b_layer;
    };
    /// Copies the operands of some steps; `SharesA` and `SharesB` say what others copy parts of.
    template <bool SharesA, bool SharesB>
    __device__ __forceinline__ void copy_steps(const steps_of_tile& what) {
      const cluster_shape& shape = program_.shape_of_cluster;
      const int a_part = !SharesA ? 0
                                  : (Config::a_turned ? Config::depth : Config::rows) / shape.wide *
                                        spot_.across();
      const int b_part = !SharesB ? 0
                                  : (Config::b_turned ? Config::depth : Config::columns) /
                                        shape.tall * spot_.down();
      const std::uint16_t beside = spot_.beside();
      const std::uint16_t below = spot_.above_and_below();
      const int last = static_cast<int>(what.steps.last);
      bool free = empty(stage_).is_completed(phase_ ^ 1u);
      for (int k = first_step(what.steps); k < last; k += stride()) {
        if (!free) empty(stage_).wait(phase_ ^ 1u);
        const gpu::barrier_at arrives = full(stage_);
        const std::uint32_t to = address_ + stage_ * std::uint32_t{sizeof(stage)};
        copy_step<Config::depth, Config::a_turned, Config::rows, SharesA>(
            to, program_.source.a(what.at.of), arrives, k * Config::depth, what.at.row,
            what.a_layer, a_part, beside);
        copy_step<Config::depth, Config::b_turned, Config::columns, SharesB>(
            to + Config::a_bytes, program_.source.b(what.at.of), arrives, k * Config::depth,
            what.at.column, what.b_layer, b_part, below);
        // Only then, so that the copies do not wait for it: the phase ends with this at the
        // earliest.
        arrives.expect(Config::a_bytes + Config::b_bytes);
        advance();
        // The answer comes while the next copies are prepared.
        free = empty(stage_).is_completed(phase_ ^ 1u);
      }
    }

    __device__ __forceinline__ void multiply(int from, bool accumulate) {
      const int offset = from * int(sizeof(stage));
      multiply_step<Config>(sums_, gpu::wgmma_advanced(a_operand_, offset),
                            gpu::wgmma_advanced(b_operand_, offset), accumulate);
    }
    /// The barriers of a stage: its operands have come, and its operands have been used.
    [[nodiscard]] __device__ __forceinline__ gpu::barrier_at full(int stage) const {
      return {address_ + std::uint32_t{offsetof(storage<Block>, full)} +
              barrier_bytes * static_cast<std::uint32_t>(stage)};
    }
    [[nodiscard]] __device__ __forceinline__ gpu::barrier_at empty(int stage) const {
      return {address_ + std::uint32_t{offsetof(storage<Block>, empty)} +
              barrier_bytes * static_cast<std::uint32_t>(stage)};
    }

    const gemm_program& program_;
    Block& block_;
    storage<Block>& shared_;
    int lane_;
    int group_;  ///< number of this multiplying warpgroup; -1 copies
    int part_;   ///< its number among those that have a tile together
    cluster_place spot_;
    output output_;
    turns<Config::teams> turns_;
    bool alone_;                           ///< shares no operand
    std::uint32_t address_;                ///< of the block's shared memory
    std::uint64_t a_operand_, b_operand_;  ///< of the first stage, as the matrix units are told
    std::uint32_t tells_ = 0;  ///< the first barrier of the neighbour that this lane tells
    int stage_ = 0;
    unsigned phase_ = 0;
    bool fresh_ = true;
    bool awaited_ = false;
    place at_{};            ///< of the tile whose steps were taken last, where that is kept
    bool outside_ = false;  ///< whether no rows of this warpgroup lie in the matrix
    bool met_ = true;       ///< all of the cluster
    bool joined_ = false;   ///< sums, since the last step
    std::conditional_t<joins, join, int> join_{};
    float sums_[Config::row_blocks][Config::per_lane];
  };
};

}  // namespace loops::hopper
