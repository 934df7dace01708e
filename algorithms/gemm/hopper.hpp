// SPDX-License-Identifier: Apache-2.0
/// GEMM tiles on Hopper: one warpgroup copies, others multiply, all follow the same segments.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"
#include "algorithms/gemm/hopper_copy.hpp"
#include "algorithms/gemm/hopper_join.hpp"
#include "algorithms/gemm/hopper_multiply.hpp"
#include "algorithms/gemm/hopper_output.hpp"
#include "algorithms/gemm/hopper_registers.hpp"
#include "algorithms/gemm/hopper_relay.hpp"
#include "algorithms/gemm/hopper_stages.hpp"
#include "algorithms/gemm/hopper_turn.hpp"
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
  /// Whether a lane keeps where its tile is, which takes a look into a table, or registers.
  static constexpr bool keeps_place =
      !whole_tiles && (joins || Source::ragged || Config::row_blocks * Config::per_lane <= 96);
  /// Whether a warpgroup leaves out what lies outside of C altogether. One alone has a tile's rows.
  static constexpr bool skips = Source::ragged && !joins && Config::team > 1;
  using join = tile_join<Config>;
  using landing =
      typename std::conditional_t<joins, typename join::meeting, typename output::staging>;
  using place = block_place<typename Source::who>;
  /// What teams are told: steps of a whole tile and where that is; `last` is negative after all.
  struct task {
    int first, last;
    place at;
  };
  using tasks = relay<task, whole_tiles ? 8 : 0>;

  template <class Block>
  struct storage {
    stage stages[Config::stages];
    landing out;
    gpu::transaction_barrier full[Config::stages];
    gpu::transaction_barrier empty[Config::stages];
    gpu::transaction_barrier turned[Config::turns_stages ? Config::stages : 1];
    typename turns<Config::teams>::barriers turn;
    typename tasks::room tasks;
  };

  template <class Block>
  class agent {
    static_assert(sizeof(storage<Block>) <= 227 * 1024, "more than a block's shared memory");
    using ring = stage_ring<Config::stages, sizeof(stage), offsetof(storage<Block>, full),
                            Config::turns_stages ? offsetof(storage<Block>, turned)
                                                 : offsetof(storage<Block>, full),
                            offsetof(storage<Block>, empty)>;
    using turner = std::conditional_t<Config::turns_stages, stage_turner<Config>, int>;
    using quad = typename gpu::four_of<typename Config::sum_type>::type;

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
          tasks_(shared.tasks),
          alone_(spot_.alone()),
          ring_(gpu::fixed_address(&shared)),
          turner_(lane_ - 32),
          a_operand_(gpu::wgmma_operand(
              ring_.operands() + static_cast<std::uint32_t>(part_ * Config::row_blocks * 64 * 128),
              Config::depth * 128, 1024)),
          b_operand_(
              gpu::wgmma_operand(ring_.operands() + Config::a_bytes, Config::depth * 128, 1024)) {
      program_.source.prepare(lane_, Config::threads);
      if (lane_ == 0) {
        for (int s = 0; s < Config::stages; ++s) {
          ring_.full(s).init(1);
          ring_.empty(s).init(Config::team * spot_.neighbours());
          if constexpr (Config::turns_stages) ring_.ready(s).init(1);
        }
        turns<Config::teams>::init(shared.turn);
        tasks::init(shared.tasks, Config::threads / 32 - 1);
        if constexpr (joins) shared_.out.arrived.at().init(1);
        gpu::publish_barriers();
      }
      if (const int i = lane_ & 127; i < spot_.neighbours())
        ring_.tell(alone_ ? ring_.empty(0) : ring_.empty(0).in(spot_.neighbour(i)));
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

    /// Copies, or turns what has come.
    __device__ __forceinline__ void produce(segment s) {
      begin_tile();
      joined_ = s.ends;
      if (lane_ < 32) {
        if constexpr (keeps_place) at_ = place_of(s.tile);
        copy(s, place_here(s.tile));
      } else if constexpr (Config::turns_stages) {
        turner_(block_, ring_, first_step(s), static_cast<int>(s.last), stride());
      }
    }

    /// Teams wait for the copies, and these for nothing but what is next: a wave that does nothing
    /// else finds it, or where all others turn stages, the one that copies.
    __device__ __forceinline__ bool finds() const requires(whole_tiles) {
      return produces() && lane_ / 32 == (Config::turns_stages ? 0 : 1);
    }
    __device__ __forceinline__ void tell(const segment& s) requires(whole_tiles) {
      const place at = place_of(s.tile);
      tasks_.tell(block_, lane_ & 31, {static_cast<int>(s.first), static_cast<int>(s.last), at});
      if constexpr (Config::turns_stages) copy(s, at);
    }
    __device__ __forceinline__ void tell_end() requires(whole_tiles) {
      tasks_.tell(block_, lane_ & 31, {0, -1, {}});
    }
    __device__ __forceinline__ bool told(segment& s) requires(whole_tiles) {
      tasks_.listen(block_, lane_ & 31);
      s = {0, gpu::agreed(tasks_.heard().first), gpu::agreed(tasks_.heard().last), true, true, 0};
      return s.last >= 0;
    }
    /// Whether this warpgroup takes a tile; the stages of another's pass it by.
    __device__ __forceinline__ bool takes(const segment& s) requires(whole_tiles) {
      const bool mine = turns_.next();
      if (!mine) ring_.advance(static_cast<int>(s.size()));
      return mine;
    }
    __device__ __forceinline__ void clear() { fresh_ = true; }
    /// Multiplies the segment's steps into the sums.
    __device__ __forceinline__ void step(segment s) {
      begin_tile();
      // While the first copies are under way.
      if constexpr (keeps_place) at_ = place_of(s.tile);
      if constexpr (joins) meet();
      const int last = static_cast<int>(s.last);
      int k = first_step(s);
      if constexpr (skips) {
        const int row = own_row(at_);
        outside_ = block_.uniform(row + Config::row_blocks * 64 <= at_.from.row ||
                                  row >= output::rows(program_.source.result(at_.of)));
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
      const int previous = multiply_steps(k, last);
      if ((lane_ & 127) == 0) turns_.pass();
      gpu::wgmma_wait<0>();
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r) gpu::wgmma_hold(sums_[r]);
      ring_.release(previous);
    }

    /// Partial sums, neighbouring lanes side by side.
    __device__ __forceinline__ void store(std::byte* slot) const {
      if (skips && outside_) return;
      quad* to = lanes_part(slot);
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j)
          __stcg(
              to + (r * (Config::per_lane / 4) + j) * 128,
              quad{sums_[r][4 * j], sums_[r][4 * j + 1], sums_[r][4 * j + 2], sums_[r][4 * j + 3]});
    }
    __device__ __forceinline__ void add(const std::byte* slot) {
      if (skips && outside_) return;
      const quad* from = lanes_part(const_cast<std::byte*>(slot));
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int j = 0; j < Config::per_lane / 4; ++j) {
          const quad v = __ldcg(from + (r * (Config::per_lane / 4) + j) * 128);
          sums_[r][4 * j] += v.x;
          sums_[r][4 * j + 1] += v.y;
          sums_[r][4 * j + 2] += v.z;
          sums_[r][4 * j + 3] += v.w;
        }
    }

    __device__ __forceinline__ void finish(std::int64_t tile) {
      const place at = place_here(tile);
      if (skips && outside_) return;
      const auto to = program_.source.result(at.of);
      const int row = own_row(at);
      if constexpr (joins) {
        join_(
            sums_, spot_, shared_.out, shared_.stages, lane_ - 128, [this] { sync(); },
            [&](int block, int group, const quad& v) {
              const int y = row + 64 * block;
              const int x = at.column + 8 * group;
              output_.store_pair(to, at.from, y, 0, x, v.x, v.y);
              output_.store_pair(to, at.from, y, 1, x, v.z, v.w);
            });
        joined_ = true;
      } else {
#pragma unroll
        for (int r = 0; r < Config::row_blocks; ++r)
          output_.store(to, at.from, sums_[r], row + 64 * r, at.column);
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
            ring_.await_room();
            ring_.advance();
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
    /// Copies the operands of a segment's steps, as stages become free.
    __device__ __forceinline__ void copy(const segment& s, const place& at) {
      // As late as can be: all that leads here overlaps with the end of the kernel before.
      if (!awaited_) block_.await_previous();
      awaited_ = true;
      if (gpu::elect()) {
        tile_copier<Config, Source>(program_.source, program_.shape_of_cluster, spot_)(
            ring_, tile_to_copy<typename Source::who>{at.of, at.row, at.column, first_step(s),
                                                      static_cast<int>(s.last), stride()});
      }
      block_.wave_sync();
    }

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

    __device__ __forceinline__ quad* lanes_part(std::byte* slot) const {
      constexpr int per_group = Config::row_blocks * Config::per_lane / 4 * 128;
      return reinterpret_cast<quad*>(slot) + group_ * per_group + (lane_ & 127);
    }

    /// Lets steps pass of which this warpgroup has no rows. One wave looks at them: nothing keeps
    /// the four together, and one that falls behind would wait for ever.
    __device__ __forceinline__ void leave_out(int k, int last) {
      for (; k < last; k += stride()) {
        if ((lane_ & 127) < 32) {
          ring_.await_operands();
          block_.wave_sync();
          ring_.release(ring_.stage());
        }
        ring_.advance();
      }
      gpu::named_sync(2 + group_, 128);
    }

    __device__ __forceinline__ void zero() {
#pragma unroll
      for (int r = 0; r < Config::row_blocks; ++r)
#pragma unroll
        for (int i = 0; i < Config::per_lane; ++i) sums_[r][i] = 0;
    }

    /// Where a tile is whose segment is at hand, and where any is.
    [[nodiscard]] __device__ __forceinline__ place place_here(std::int64_t tile) const {
      if constexpr (whole_tiles) return tasks_.heard().at;
      return keeps_place ? at_ : place_of(tile);
    }
    [[nodiscard]] __device__ __forceinline__ place place_of(std::int64_t tile) const {
      const auto at = program_.source.at(tile);
      const auto to = program_.source.result(at.of);
      const cluster_shape& shape = program_.shape_of_cluster;
      const int row =
          ((Config::swapped ? at.col : at.row) * shape.tall + spot_.down()) * Config::rows;
      const int column =
          ((Config::swapped ? at.row : at.col) * shape.wide + spot_.across()) * Config::columns;
      if (!program_.source.stays_inside()) return {row, column, {row, column}, at.of};
      return {inside(row, Config::rows, output::rows(to)),
              inside(column, Config::columns, output::columns(to)),
              {row, column},
              at.of};
    }
    static __device__ __forceinline__ int inside(int first, int length, int end) {
      return max(0, min(first, ((end + 7) & ~7) - length));
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

    /// Multiplies the steps from `k` to `last`, one at least; returns the stage that is still in
    /// use.
    __device__ __forceinline__ int multiply_steps(int k, int last) {
      if constexpr (Config::a_in_registers) {
        if (fresh_) zero();
        fresh_ = false;
        return register_multiplier<Config>(lane_ & 127, part_ * Config::row_blocks * 64 * 128)(
            sums_, ring_, b_operand_, k, last, stride());
      } else {
        // The matrix units always have the next step's instructions before one is released.
        ring_.await_operands();
        multiply(!fresh_);
        fresh_ = false;
        int previous = ring_.stage();
        ring_.advance();
        for (k += stride(); k < last; k += stride()) {
          ring_.await_operands();
          multiply(true);
          gpu::wgmma_wait<1>();
          ring_.release(previous);
          previous = ring_.stage();
          ring_.advance();
        }
        return previous;
      }
    }
    __device__ __forceinline__ void multiply(bool accumulate) {
      const int offset = ring_.stage() * int(sizeof(stage));
      multiply_step<Config>(sums_, gpu::wgmma_advanced(a_operand_, offset),
                            gpu::wgmma_advanced(b_operand_, offset), accumulate);
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
    tasks tasks_;
    bool alone_;  ///< shares no operand
    ring ring_;
    turner turner_;                        ///< of a lane that turns
    std::uint64_t a_operand_, b_operand_;  ///< of the first stage, as the matrix units are told
    bool fresh_ = true;
    bool awaited_ = false;
    place at_{};            ///< of the tile whose steps were taken last, where that is kept
    bool outside_ = false;  ///< whether no rows of this warpgroup lie in the matrix
    bool met_ = true;       ///< all of the cluster
    bool joined_ = false;   ///< sums, since the last step
    std::conditional_t<joins, join, int> join_{};
    typename Config::sum_type sums_[Config::row_blocks][Config::per_lane];
  };
};

}  // namespace loops::hopper
