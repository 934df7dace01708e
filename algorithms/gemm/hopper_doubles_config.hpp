// SPDX-License-Identifier: Apache-2.0
/// How a block multiplies doubles on Hopper: sizes, and how operands lie in shared memory.
#pragma once

#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/register_tile.hpp"

namespace loops::hopper {

/// Which k of a step of 16 lane t of four multiplies `turn`th, of four turns. The copy unit
/// permutes the chunks of 16 bytes of a row r: c lies at c ^ (r % 8). These k are such that lanes
/// meet no bank twice, whether rows run along k or across: `tests/tile/banks.cpp` proves it.
LOOPS_HD constexpr int k_of_doubles(int lane, int turn) {
  const int upper = lane % 4 / 2;
  const int chunk = 2 * upper ^ 5 * (lane % 2) ^ turn;
  return 2 * chunk + upper;
}

/// `Lines` rows of A (columns of B), 16 steps of k each, in shared memory. `Turned`: they are
/// contiguous in memory instead, and come in boxes of 16, k by k.
template <int Lines, bool Turned>
struct copied_doubles {
  static_assert(Lines % 16 == 0);
  alignas(1024) double at[Lines * 16];

  /// The index in `at` of an element.
  static LOOPS_HD constexpr int index(tile::operand_place p) {
    if constexpr (Turned) {
      const int in_box = p.outer % 16;
      return p.outer / 16 * 256 + 16 * p.k + 2 * ((in_box / 2) ^ (p.k % 8)) + in_box % 2;
    } else {
      return 16 * p.outer + 2 * ((p.k / 2) ^ (p.outer % 8)) + p.k % 2;
    }
  }
  /// The index of element `i` of what a lane multiplies in the first or second half of the step, of
  /// the lines from `line` on.
  template <class Fragment>
  static LOOPS_HD constexpr int index(int lane, int line, int half, int i) {
    const tile::operand_place p = Fragment::place(lane, i);
    const int box = Turned ? line / 16 : line / 8;
    const int k = k_of_doubles(lane, 2 * half + p.k % 2);
    return box * (Turned ? 256 : 128) + index({line % (Turned ? 16 : 8) + p.outer, k});
  }
  template <class Fragment>
  LOOPS_HD void load(Fragment& to, int lane, int line, int half) const {
    LOOPS_UNROLL
    for (int i = 0; i < Fragment::count; ++i) to.at[i] = at[index<Fragment>(lane, line, half, i)];
  }
};

/// A tile of Rows x Columns of doubles, `Down` x `Across` waves that multiply, `Stages` steps in
/// flight.
template <int Rows, int Columns, int Down, int Across, int Stages>
struct doubles_tile {
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int down = Down;
  static constexpr int across = Across;
  static constexpr int stages = Stages;
  static constexpr int depth = 16;  ///< elements of a step: 128 bytes
  static constexpr int waves = Down * Across;
  static constexpr int lanes = 32 * waves;  ///< that multiply
  using atom = tile::mma_m16n8k8_f64;
  using sums = tile::register_tile<atom, Rows / Down, Columns / Across>;
  /// Many sums take registers from the warpgroup that copies.
  static constexpr bool moves_registers = sums::count > 32;
};

}  // namespace loops::hopper
