// SPDX-License-Identifier: Apache-2.0
/// GEMM tiles of doubles on Hopper: one wave copies, the others multiply, each at its own pace.
#pragma once

#include "algorithms/gemm/hopper_doubles_config.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "algorithms/gemm/wave_output.hpp"
#include "loops/backend/cuda/async.hpp"
#include "loops/backend/cuda/wgmma.hpp"
#include "loops/core/machine.hpp"
#include "loops/core/path.hpp"
#include "loops/tile/mma.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// A tile program of `run` whose work is `gemm_tiles` of Tile's shape. Matrix instructions for
/// doubles take operands from registers: waves read them from stages that boxes are copied into,
/// and wait for no other wave but the one that copies.
template <class Tile, bool ATurned, bool BTurned, class Epilogue>
struct doubles_program {
  using shape = team<Tile::lanes + 128>;
  static constexpr gemm_tile_shape tile_shape{Tile::rows, Tile::columns, Tile::depth};
  static constexpr bool starts_early = true;  ///< calls await_previous before it reads anything
  static constexpr std::size_t slot_bytes = sizeof(double) * Tile::rows * Tile::columns;
  static constexpr bool runs_here = gpu::has_wgmma;  ///< sm_90a: registers move between lanes

  CUtensorMap a_map;
  CUtensorMap b_map;
  gemm_tiles tiles;
  Epilogue epilogue;
  bool a_batched = true;  ///< whether every product of the batch has an A of its own
  bool b_batched = true;

  struct stage {
    copied_doubles<Tile::rows, ATurned> a;
    copied_doubles<Tile::columns, BTurned> b;
  };
  template <class Block>
  struct storage {
    stage stages[Tile::stages];
    gpu::transaction_barrier full[Tile::stages];
    gpu::transaction_barrier empty[Tile::stages];
  };

  template <class Block>
  class agent {
    using atom = typename Tile::atom;
    using sums_type = typename Tile::sums;
    using a_fragment = tile::operand_fragment<atom, tile::operand::a>;
    using b_fragment = tile::operand_fragment<atom, tile::operand::b>;

   public:
    __device__ __forceinline__ agent(const doubles_program& program, Block& block,
                                     storage<Block>& shared)
        : program_(program),
          block_(block),
          shared_(gpu::at_fixed_address(shared)),
          lane_(block.lane()),
          wave_(block.uniform(lane_ / 32) - 4),
          row_(wave_ / Tile::across * sums_type::rows),
          col_(wave_ % Tile::across * sums_type::cols) {
      if (lane_ == 0) {
        gpu::prefetch_map(program_.a_map);
        gpu::prefetch_map(program_.b_map);
        for (int s = 0; s < Tile::stages; ++s) {
          shared_.full[s].at().init(1);
          shared_.empty[s].at().init(Tile::waves);
        }
        gpu::publish_barriers();
      }
      block.sync();
      block.let_next_start();
    }

    /// The first warpgroup copies, by one wave.
    __device__ __forceinline__ bool produces() const { return wave_ < 0; }
    __device__ __forceinline__ void start() {
      block_.await_previous();
      if constexpr (Tile::moves_registers) {
        if (produces()) {
          gpu::give_registers<40>();
        } else {
          gpu::take_registers<232>();
        }
      }
    }
    __device__ __forceinline__ bool leads() const { return lane_ == 128; }
    /// Barrier of the lanes that multiply.
    __device__ __forceinline__ void sync() { gpu::named_sync(1, Tile::lanes); }

    /// Copies the operands of the segment's steps, as stages become free.
    __device__ __forceinline__ void produce(const segment& s) {
      if (lane_ >= 32) return;
      const tile_place at = program_.tiles.at(s.tile);
      const int a_batch = program_.a_batched ? at.batch : 0;
      const int b_batch = program_.b_batched ? at.batch : 0;
      const int last = static_cast<int>(s.last);
      for (int k = static_cast<int>(s.first); k < last; ++k) {
        if (gpu::elect()) {
          shared_.empty[stage_].at().wait(phase_ ^ 1u);
          stage& to = shared_.stages[stage_];
          const gpu::barrier_at arrives = shared_.full[stage_].at();
          arrives.expect(sizeof(stage));
          copy<ATurned, Tile::rows>(to.a, program_.a_map, arrives, k, at.row, a_batch);
          copy<BTurned, Tile::columns>(to.b, program_.b_map, arrives, k, at.col, b_batch);
        }
        block_.wave_sync();
        advance();
      }
    }

    __device__ __forceinline__ void clear() { sums_.fill(0); }

    /// Multiplies the segment's steps into the sums. What is multiplied next is read while the
    /// instructions before it run, from one step to the next too; what is read after the last step
    /// is not used.
    __device__ __forceinline__ void step(const segment& s) {
      const int steps = static_cast<int>(s.last - s.first);
      if (steps == 0) return;
      a_fragment a[2][sums_type::down];
      b_fragment b[2];
      shared_.full[stage_].at().wait(phase_);
      const stage* from = &shared_.stages[stage_];
#pragma unroll
      for (int r = 0; r < sums_type::down; ++r) load(a[0][r], *from, r, 0);
      load(b[0], *from, 0, 0);
      for (int i = 1; i <= steps; ++i) {
        const gpu::barrier_at read = shared_.empty[stage_].at();
        multiply<0>(a[0], a[1], b, *from, *from);
        advance();
        if (i < steps) shared_.full[stage_].at().wait(phase_);
        const stage* next = &shared_.stages[stage_];
        multiply<1>(a[1], a[0], b, *from, *next);
        block_.wave_sync();
        if (gpu::elect()) read.arrive();
        from = next;
      }
    }

    __device__ __forceinline__ void store(std::byte* slot) const {
      tile::store_lanes<Tile::lanes>(sums_, reinterpret_cast<double*>(slot), lane_ - 128);
    }
    __device__ __forceinline__ void add(const std::byte* slot) {
      tile::add_lanes<Tile::lanes>(sums_, reinterpret_cast<const double*>(slot), lane_ - 128);
    }
    __device__ __forceinline__ void finish(std::int64_t tile) const {
      const tile_place at = program_.tiles.at(tile);
      gemm_detail::store_results(sums_, program_.epilogue.of_batch(at.batch), lane_ % 32,
                                 at.row * Tile::rows + row_, at.col * Tile::columns + col_,
                                 program_.tiles.m(), program_.tiles.n());
    }

   private:
    __device__ __forceinline__ void advance() {
      if (++stage_ == Tile::stages) {
        stage_ = 0;
        phase_ ^= 1u;
      }
    }
    /// Starts copying step `k` of the lines of tile `line` of an operand.
    template <bool Turned, int Lines, class To>
    __device__ __forceinline__ static void copy(To& to, const CUtensorMap& map,
                                                gpu::barrier_at arrives, int k, int line,
                                                int batch) {
      const std::uint32_t at = gpu::shared_address(&to);
      if constexpr (Turned) {
#pragma unroll
        for (int i = 0; i < Lines / 16; ++i)
          gpu::load_box(at + static_cast<std::uint32_t>(i * 16 * 128), map, arrives,
                        line * Lines + 16 * i, k * Tile::depth, batch);
      } else {
        gpu::load_box(at, map, arrives, k * Tile::depth, line * Lines, batch);
      }
    }

    static_assert(sums_type::across % 2 == 0, "the first columns' turn comes after the last ones'");
    /// Reads half a step of the wave's rows or columns number `i`.
    __device__ __forceinline__ void load(a_fragment& to, const stage& from, int i, int half) const {
      from.a.load(to, lane_ % 32, row_ + atom::m * i, half);
    }
    __device__ __forceinline__ void load(b_fragment& to, const stage& from, int i, int half) const {
      from.b.load(to, lane_ % 32, col_ + atom::n * i, half);
    }
    /// Multiplies half a step of `from`, of which `now` and b[0] have been read, and reads the same
    /// of the other half, in `then`.
    template <int Half>
    __device__ __forceinline__ void multiply(const a_fragment (&now)[sums_type::down],
                                             a_fragment (&next)[sums_type::down],
                                             b_fragment (&b)[2], const stage& from,
                                             const stage& then) {
      constexpr int across = sums_type::across;
      constexpr int down = sums_type::down;
#pragma unroll
      for (int j = 0; j < across; ++j) {
        if (j + 1 < across) {
          load(b[(j + 1) % 2], from, j + 1, Half);
        } else {
          load(b[0], then, 0, 1 - Half);
        }
#pragma unroll
        for (int r = 0; r < down; ++r)
          if (r * across / down == j) load(next[r], then, r, 1 - Half);
#pragma unroll
        for (int r = 0; r < down; ++r) tile::mma(block_, sums_.at[r][j], now[r], b[j % 2]);
      }
    }

    const doubles_program& program_;
    Block& block_;
    storage<Block>& shared_;
    int lane_;
    int wave_;
    int row_;
    int col_;
    int stage_ = 0;
    unsigned phase_ = 0;
    sums_type sums_;
  };
};

}  // namespace loops::hopper
