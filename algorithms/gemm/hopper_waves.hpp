// SPDX-License-Identifier: Apache-2.0
/// GEMM tiles on Hopper of what waves multiply from registers: one wave copies, the others
/// multiply, each at its own pace.
#pragma once

#include "algorithms/gemm/hopper_lane_copy.hpp"
#include "algorithms/gemm/hopper_turn.hpp"
#include "algorithms/gemm/hopper_waves_config.hpp"
#include "algorithms/gemm/hopper_waves_floats.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "algorithms/gemm/wave_output.hpp"
#include "algorithms/gemm/wave_share.hpp"
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
/// doubles take operands from registers, and so do lanes that multiply floats: waves read them from
/// stages that boxes are copied into, and wait for no other wave but the one that copies until
/// groups of them add up.
template <class Tile, bool ATurned, bool BTurned, class Epilogue>
struct waves_program {
  using element = typename Tile::element;
  using shape = team<Tile::copying + Tile::lanes>;
  static constexpr int wanted_lanes = Tile::blocks * shape::threads;
  static constexpr gemm_tile_shape tile_shape{Tile::rows, Tile::columns, Tile::depth};
  static constexpr bool starts_early = true;  ///< calls await_previous before it reads anything
  static constexpr std::int64_t crowds_from = Tile::blocks > 1 ? crowding_steps : INT64_MAX;
  static constexpr std::size_t slot_bytes = sizeof(element) * Tile::rows * Tile::columns;
  static constexpr bool runs_here = gpu::has_wgmma;  ///< sm_90a: registers move between lanes

  CUtensorMap a_map;
  CUtensorMap b_map;
  gemm_tiles tiles;
  Epilogue epilogue;
  bool a_batched = true;  ///< whether every product of the batch has an A of its own
  bool b_batched = true;
  lane_operand<element> a_by_lanes = {};  ///< instead of the map
  lane_operand<element> b_by_lanes = {};
  std::int32_t steps_each = 0;  ///< of parts of k, which a batch consists of; 0: of whole products

  struct stage {
    typename Tile::template copied<Tile::rows, ATurned || Tile::turns> a;
    typename Tile::template copied<Tile::columns, BTurned || Tile::turns> b;
  };
  /// Whether stages are turned between copying and reading.
  static constexpr bool turns = Tile::turns && !(ATurned && BTurned);
  /// Whether floats are multiplied k by k.
  static constexpr bool by_lines = Tile::turns || (ATurned && BTurned);

  template <class Block>
  struct storage {
    stage stages[Tile::stages];
    gpu::transaction_barrier copied[turns ? Tile::stages : 1];  ///< what is to be turned
    gpu::transaction_barrier full[Tile::stages];
    gpu::transaction_barrier empty[Tile::stages];
    alignas(16) element parts[Tile::joined > 0 ? Tile::joined : 1];  ///< of other groups
  };

  template <class Block>
  class agent {
    using atom = typename Tile::atom;

   public:
    using stage = waves_program::stage;
    using sums_type = typename Tile::sums;
    using a_fragment = tile::operand_fragment<atom, tile::operand::a>;
    using b_fragment = tile::operand_fragment<atom, tile::operand::b>;
    static constexpr int part = Tile::depth / Tile::groups;  ///< of a step, that a group multiplies

    __device__ __forceinline__ agent(const waves_program& program, Block& block,
                                     storage<Block>& shared)
        : program_(program),
          block_(block),
          shared_(gpu::at_fixed_address(shared)),
          lane_(block.lane()),
          wave_(block.uniform(lane_ / 32) - Tile::copying / 32),
          row_(wave_ / Tile::across % Tile::down * sums_type::rows),
          col_(wave_ % Tile::across * sums_type::cols) {
      if (lane_ == 0) {
        if (!program_.a_by_lanes.exists()) gpu::prefetch_map(program_.a_map);
        if (!program_.b_by_lanes.exists()) gpu::prefetch_map(program_.b_map);
        for (int s = 0; s < Tile::stages; ++s) {
          if constexpr (turns) shared_.copied[s].at().init(1);
          shared_.full[s].at().init(by_lanes() ? 1 + Tile::copying : turns ? Tile::turners : 1);
          shared_.empty[s].at().init(Tile::readers);
        }
        gpu::publish_barriers();
      }
      block.sync();
      block.let_next_start();
    }

    /// By the unit one lane copies, else all lanes of the waves before those that multiply.
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
    __device__ __forceinline__ bool leads() const { return lane_ == Tile::copying; }
    /// Barrier of the lanes that multiply.
    __device__ __forceinline__ void sync() { gpu::named_sync(1, Tile::lanes); }

    /// Copies the operands of the segment's steps, as stages become free, and turns what is to be.
    __device__ __forceinline__ void produce(const segment& s) {
      if constexpr (Tile::lanes_copy) {
        if (by_lanes()) return produce_by_lanes(s);
      }
      const int steps = static_cast<int>(s.last - s.first);
      if constexpr (turns) {
        const int turner = lane_ / 32 - 1;
        if (turner >= 0) {
          for (int i = 0; i < steps; ++i) turn_stage(turner);
          return;
        }
      }
      if (lane_ >= 32) return;
      const tile_place at = program_.tiles.at(s.tile);
      const int first = at.batch * program_.steps_each + static_cast<int>(s.first);
      for (int i = 0; i < steps; ++i) {
        if (gpu::elect()) {
          shared_.empty[stage_].at().wait(phase_ ^ 1u);
          stage& to = shared_.stages[stage_];
          copy_by_unit(to, arrives(stage_), first + i, at, true, true);
        }
        block_.wave_sync();
        advance();
      }
    }

    __device__ __forceinline__ void clear() {
      sums_.fill(0);
      if constexpr (Tile::groups > 1) share_.clear(group());
    }

    /// Multiplies the segment's steps into the sums.
    __device__ __forceinline__ void step(const segment& s) {
      const int steps = static_cast<int>(s.last - s.first);
      if (steps == 0) return;
      if constexpr (tile::in_lane<atom>) {
        if constexpr (by_lines)
          multiply_by_lines(*this, steps);
        else
          multiply_by_fours<ATurned, BTurned>(*this, steps);
      } else if constexpr (Tile::groups == 1) {
        multiply_steps(steps);
      } else {
        // Each group goes its own way through the stages, and all of them to where they end.
        const int stage = stage_;
        const unsigned phase = phase_;
        advance(group());
        const int mine = (steps - group() + Tile::groups - 1) / Tile::groups;
        if (mine > 0) multiply_steps(mine);
        const int end = stage + steps;
        stage_ = end % Tile::stages;
        phase_ = phase ^ static_cast<unsigned>(end / Tile::stages % 2);
      }
      if constexpr (Tile::groups > 1)
        share_ = gemm_detail::add_shares<Tile::groups, Tile::group_lanes>(
            sums_, shared_.parts, group(), result_lane() - Tile::group_lanes * group(),
            [this] { sync(); });
    }

    __device__ __forceinline__ void store(std::byte* slot) {
      tile::store_lanes<Tile::lanes>(in_any_registers(), reinterpret_cast<element*>(slot),
                                     result_lane());
    }
    __device__ __forceinline__ void add(const std::byte* slot) {
      tile::add_lanes<Tile::lanes>(results(), reinterpret_cast<const element*>(slot),
                                   result_lane());
    }
    __device__ __forceinline__ void finish(std::int64_t tile) {
      if constexpr (tile::in_lane<atom> && !by_lines)
        store_tile(tile, uncrossed<results_type, ATurned, BTurned>(results(), lane()));
      else
        store_tile(tile, in_any_registers());
    }

    // What loops over steps ask for.
    __device__ __forceinline__ Block& block() { return block_; }
    __device__ __forceinline__ sums_type& sums() { return sums_; }
    [[nodiscard]] __device__ __forceinline__ int lane() const { return lane_ % 32; }
    [[nodiscard]] __device__ __forceinline__ int row() const { return row_; }
    [[nodiscard]] __device__ __forceinline__ int col() const { return col_; }
    /// Which part of every step, or which steps, the wave multiplies, and of which sums it has all
    /// after a segment.
    [[nodiscard]] __device__ __forceinline__ int group() const {
      if constexpr (Tile::groups == 1) return 0;
      return wave_ / (Tile::down * Tile::across);
    }
    [[nodiscard]] __device__ __forceinline__ std::uint32_t stage_address() const {
      return gpu::shared_address(&shared_.stages[stage_]);
    }
    /// Waits for the stage that comes now.
    [[nodiscard]] __device__ __forceinline__ std::uint32_t await_stage() const {
      shared_.full[stage_].at().wait(phase_);
      return stage_address();
    }
    /// Goes on to the next stage, or the next of its own; says to whom it `has_read` this one.
    [[nodiscard]] __device__ __forceinline__ gpu::barrier_at leave_stage(int by = 1) {
      const gpu::barrier_at used = shared_.empty[stage_].at();
      advance(by);
      return used;
    }
    __device__ __forceinline__ void has_read(const gpu::barrier_at& stage) {
      block_.wave_sync();
      if (gpu::elect()) stage.arrive();
    }

   private:
    using results_type = std::conditional_t<Tile::groups == 1, sums_type,
                                            gemm_detail::wave_share<sums_type, Tile::groups>>;
    /// What a segment leaves in the wave's registers.
    [[nodiscard]] __device__ __forceinline__ results_type& results() {
      if constexpr (Tile::groups == 1)
        return sums_;
      else
        return share_;
    }
    [[nodiscard]] __device__ __forceinline__ int result_lane() const {
      return lane_ - Tile::copying;
    }
    template <class Results>
    __device__ __forceinline__ void store_tile(std::int64_t tile, const Results& stored) {
      const tile_place at = program_.tiles.at(tile);
      gemm_detail::store_results(block_, stored, program_.epilogue.of_batch(at.batch),
                                 at.row * Tile::rows + row_, at.col * Tile::columns + col_,
                                 program_.tiles.m(), program_.tiles.n());
    }
    /// The results, in registers that are free to be neighbours as vectors of stores want them:
    /// sums that are added up had better lie as the banks of registers want them. Compilers do not
    /// know that nothing changes.
    __device__ __forceinline__ decltype(auto) in_any_registers() {
      if constexpr (tile::in_lane<atom> && by_lines) {
        const int nothing = program_.steps_each >> 31;
        results_type out = results();
#pragma unroll
        for (int i = 0; i < results_type::count; ++i)
          out.flat(i) = __int_as_float(__float_as_int(out.flat(i)) ^ nothing);
        return out;
      } else {
        return (results());
      }
    }
    /// Whether the copy unit cannot address an operand.
    __device__ __forceinline__ bool by_lanes() const {
      return Tile::lanes_copy && (program_.a_by_lanes.exists() || program_.b_by_lanes.exists());
    }
    /// What says that the unit has copied a stage.
    __device__ __forceinline__ gpu::barrier_at arrives(int stage) const {
      if constexpr (turns) return shared_.copied[stage].at();
      return shared_.full[stage].at();
    }
    /// Turns this wave's squares of the next stage, once it has been copied: of both operands,
    /// dealt to all waves that turn.
    __device__ __forceinline__ void turn_stage(int wave) {
      if constexpr (turns) {
        constexpr int waves = Tile::turners;
        constexpr int of_a = ATurned ? 0 : Tile::rows / 32;
        constexpr int of_b = BTurned ? 0 : Tile::columns / 32;
        shared_.copied[turned_stage_].at().wait(turned_phase_);
        const stage& of = shared_.stages[turned_stage_];
        turn_squares<of_a, waves>(gpu::shared_address(&of.a), wave, lane_ % 32);
        turn_squares<of_b, waves>(gpu::shared_address(&of.b), (wave + waves - of_a % waves) % waves,
                                  lane_ % 32);
        gpu::publish_to_async();  // for copies that come next
        block_.wave_sync();
        if (lane_ % 32 == 0) shared_.full[turned_stage_].at().arrive();
        if (++turned_stage_ == Tile::stages) {
          turned_stage_ = 0;
          turned_phase_ ^= 1u;
        }
      }
    }
    /// The same where lanes bring what the unit does not.
    __device__ __forceinline__ void produce_by_lanes(const segment& s) {
      const tile_place at = program_.tiles.at(s.tile);
      const int before = at.batch * program_.steps_each;
      const int last = before + static_cast<int>(s.last);
      const bool a_lanes = program_.a_by_lanes.exists();
      const bool b_lanes = program_.b_by_lanes.exists();
      for (int k = before + static_cast<int>(s.first); k < last; ++k) {
        shared_.empty[stage_].at().wait(phase_ ^ 1u);
        stage& to = shared_.stages[stage_];
        const gpu::barrier_at arrives = shared_.full[stage_].at();
        if (lane_ == 0) copy_by_unit(to, arrives, k, at, !a_lanes, !b_lanes);
        block_.wave_sync();
        if (a_lanes) bring<ATurned>(to.a, program_.a_by_lanes, k, at.row * Tile::rows, at.batch);
        if (b_lanes) bring<BTurned>(to.b, program_.b_by_lanes, k, at.col * Tile::columns, at.batch);
        arrives.arrive_when_copied();
        advance();
      }
    }
    template <bool Turned, class To>
    __device__ __forceinline__ void bring(To& to, const lane_operand<element>& from, int k,
                                          int line, int batch) const {
      if constexpr (Tile::turns && !Turned)
        turn_by_lanes<Tile::copying>(to, from, k, line, batch, lane_);
      else
        copy_by_lanes<Tile::copying>(to, from, k, line, batch, lane_);
    }
    __device__ __forceinline__ void advance(int by = 1) {
      stage_ += by;
      if (stage_ >= Tile::stages) {
        stage_ -= Tile::stages;
        phase_ ^= 1u;
      }
    }
    /// One lane: starts copying step `k` of what the unit brings of a tile's operands.
    __device__ __forceinline__ void copy_by_unit(stage& to, gpu::barrier_at arrives, int k,
                                                 const tile_place& at, bool a, bool b) const {
      arrives.expect((a ? unsigned(sizeof(to.a)) : 0) + (b ? unsigned(sizeof(to.b)) : 0));
      if (a)
        copy<ATurned, Tile::rows>(to.a, program_.a_map, arrives, k, at.row,
                                  program_.a_batched ? at.batch : 0);
      if (b)
        copy<BTurned, Tile::columns>(to.b, program_.b_map, arrives, k, at.col,
                                     program_.b_batched ? at.batch : 0);
    }
    /// Starts copying step `k` of the lines of tile `line` of an operand.
    template <bool Turned, int Lines, class To>
    __device__ __forceinline__ static void copy(To& to, const CUtensorMap& map,
                                                gpu::barrier_at arrives, int k, int line,
                                                int batch) {
      const std::uint32_t at = gpu::shared_address(&to);
      if constexpr (Turned) {
#pragma unroll
        for (int i = 0; i < Lines / Tile::depth; ++i)
          gpu::load_box(at + static_cast<std::uint32_t>(i * Tile::depth * 128), map, arrives,
                        line * Lines + Tile::depth * i, k * Tile::depth, batch);
      } else {
        gpu::load_box(at, map, arrives, k * Tile::depth, line * Lines, batch);
      }
    }

    /// Multiplies steps by matrix instructions. What is multiplied next is read while the
    /// instructions before it run, from one step to the next too; what is read after the last step
    /// is not used.
    __device__ __forceinline__ void multiply_steps(int steps) {
      a_fragment a[2][sums_type::down];
      b_fragment b[2];
      shared_.full[stage_].at().wait(phase_);
      const stage* from = &shared_.stages[stage_];
#pragma unroll
      for (int r = 0; r < sums_type::down; ++r) load(a[0][r], *from, r, 0);
      load(b[0], *from, 0, 0);
      for (int i = 1; i <= steps; ++i) {
        multiply<0>(a[0], a[1], b, *from, *from);
        const gpu::barrier_at used = leave_stage(Tile::groups);
        if (i < steps) shared_.full[stage_].at().wait(phase_);
        const stage* next = &shared_.stages[stage_];
        multiply<1>(a[1], a[0], b, *from, *next);
        has_read(used);
        from = next;
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

    const waves_program& program_;
    Block& block_;
    storage<Block>& shared_;
    int lane_;
    int wave_;
    int row_;
    int col_;
    int stage_ = 0;
    unsigned phase_ = 0;
    int turned_stage_ = 0;
    unsigned turned_phase_ = 0;
    sums_type sums_;
    gemm_detail::wave_share<sums_type, Tile::groups> share_;  ///< of more groups than one
  };
};

}  // namespace loops::hopper
