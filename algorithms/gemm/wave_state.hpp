// SPDX-License-Identifier: Apache-2.0
/// What every block of waves does in a GEMM, however it gets its operands: sums, partials, results.
#pragma once

#include "algorithms/gemm/blocking.hpp"
#include "algorithms/gemm/source.hpp"
#include "algorithms/gemm/wave_output.hpp"
#include "loops/tile/load.hpp"
#include "loops/tile/mma.hpp"
#include "loops/tile/register_tile.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::gemm_detail {

/// The types of a program for one source and blocking.
template <class Source, class Blocking>
struct wave_types {
  using problem = typename Source::problem_type;
  using ta = typename problem::a_type;
  using tb = typename problem::b_type;
  using sum = typename problem::sum;
  using atom = typename atom_for<ta, tb, Blocking::wave, Blocking::generation>::type;
  using a_plan = operand_plan<Blocking, atom, ta, tile::operand::a, problem::a_order>;
  using b_plan = operand_plan<Blocking, atom, tb, tile::operand::b, problem::b_order>;
  static_assert(a_plan::k == b_plan::k, "operands of one product have elements of one size");
  static constexpr int k = a_plan::k;
  static_assert(k % atom::k == 0, "a step is made of whole instructions");
  using sums =
      tile::register_tile<atom, Blocking::m / Blocking::waves_m, Blocking::n / Blocking::waves_n>;
};

/// A wave's part of the block's tile: its sums in registers, and what is done with them.
template <class Source, class Blocking, class Block>
class wave_state {
 public:
  using types = wave_types<Source, Blocking>;
  using atom = typename types::atom;
  using sum = typename types::sum;
  using a_tile = typename types::a_plan::tile_type;
  using b_tile = typename types::b_plan::tile_type;
  static_assert(Block::threads == Blocking::lanes, "a block has the lanes of the blocking");
  static_assert(Block::wave == Blocking::wave,
                "a wave has the lanes that the blocking says: of AMD's GPUs, GEMM is compiled for "
                "gfx90a, gfx942 and gfx950");

  LOOPS_HD wave_state(const Source& source, Block& block)
      : source_(&source),
        block_(&block),
        row_(block.lane() / Blocking::wave / Blocking::waves_n * types::sums::rows),
        col_(block.lane() / Blocking::wave % Blocking::waves_n * types::sums::cols) {}

  LOOPS_HD void clear() { sums_.fill(sum(0)); }

  /// What a wave holds of both operands for one instruction's depth.
  struct operands {
    typename types::a_plan::fragment a[types::sums::down];
    typename types::b_plan::fragment b[types::sums::across];
  };
  /// Reads the operands at k of the tiles.
  LOOPS_HD void load(operands& o, const a_tile& a, const b_tile& b, int at_k) const {
    const int lane = block_->lane() % Blocking::wave;
    LOOPS_UNROLL
    for (int i = 0; i < types::sums::down; ++i)
      tile::load(o.a[i], a, lane, row_ + i * atom::m, at_k);
    LOOPS_UNROLL
    for (int j = 0; j < types::sums::across; ++j)
      tile::load(o.b[j], b, lane, col_ + j * atom::n, at_k);
  }
  /// Adds their products.
  LOOPS_HD void multiply(const operands& o) {
    LOOPS_UNROLL
    for (int i = 0; i < types::sums::down; ++i) LOOPS_UNROLL
    for (int j = 0; j < types::sums::across; ++j)
      tile::mma(*block_, sums_.at[i][j], o.a[i], o.b[j]);
  }

  LOOPS_HD void store(std::byte* slot) const {
    tile::store_lanes<Blocking::lanes>(sums_, reinterpret_cast<sum*>(slot), block_->lane());
  }
  LOOPS_HD void add(const std::byte* slot) {
    tile::add_lanes<Blocking::lanes>(sums_, reinterpret_cast<const sum*>(slot), block_->lane());
  }
  LOOPS_HD void finish(std::int64_t tile) const {
    const auto place = source_->at(tile);
    const auto epilogue = source_->epilogue(tile);
    store_results(*block_, sums_, epilogue, place.row + row_, place.col + col_, place.m, place.n,
                  scale());
  }
  LOOPS_HD void sync() { block_->sync(); }

  [[nodiscard]] LOOPS_HD const Source& source() const { return *source_; }
  [[nodiscard]] LOOPS_HD Block& block() const { return *block_; }
  /// The wave's row in the grid of waves.
  [[nodiscard]] LOOPS_HD int wave_row() const {
    return block_->lane() / Blocking::wave / Blocking::waves_n;
  }

 private:
  /// gfx942 multiplies 8-bit floats as if they were half as large.
  static LOOPS_HD constexpr sum scale() {
#if LOOPS_HIP
    if (is_float8<typename atom::input_a>) return sum(gpu::float8_sum_scale);
#endif
    return sum(1);
  }
  const Source* source_;
  Block* block_;
  int row_;
  int col_;
  typename types::sums sums_;
};

}  // namespace loops::gemm_detail
