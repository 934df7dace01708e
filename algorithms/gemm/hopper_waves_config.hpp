// SPDX-License-Identifier: Apache-2.0
/// How waves multiply from registers on Hopper: sizes, and how operands lie in shared memory.
#pragma once

#include "algorithms/gemm/copied_lines.hpp"
#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/mma.hpp"
#include "loops/tile/register_tile.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::hopper {

/// Which k of a step of 16 lane t of four multiplies `turn`th, of four turns. The copy unit
/// permutes the chunks of 16 bytes of a row r: c lies at c ^ (r % 8). These k are such that lanes
/// meet no bank twice, whether rows run along k or across: `tests/tile/banks.cpp` proves it.
LOOPS_HD constexpr int k_of_doubles(int lane, int turn) {
  const int upper = lane % 4 / 2;
  const int chunk = 2 * upper ^ 5 * (lane % 2) ^ turn;
  return 2 * chunk + upper;
}

/// Lines of doubles, 16 steps of k each, as lanes read them for matrix instructions.
template <int Lines, bool Turned>
struct copied_doubles : copied_lines<double, Lines, Turned> {
  using copied_lines<double, Lines, Turned>::index;
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
    for (int i = 0; i < Fragment::count; ++i)
      to.at[i] = this->at[index<Fragment>(lane, line, half, i)];
  }
};

/// What multiplies elements of a type from registers, and how `Lines` of them are copied.
template <class T>
struct multiplied_from_registers;
template <>
struct multiplied_from_registers<double> {
  using atom = tile::mma_m16n8k8_f64;
  template <int Lines, bool Turned>
  using copied = copied_doubles<Lines, Turned>;
};
template <>
struct multiplied_from_registers<float> {
  using atom = tile::lane_products<float>;
  template <int Lines, bool Turned>
  using copied = copied_lines<float, Lines, Turned>;
};

/// A tile of Rows x Columns of T, `Down` x `Across` waves that multiply, `Stages` steps in flight.
/// `Groups` of as many waves each multiply their part of the steps, and add up, each its share of
/// the sums: more waves than there is room for side by side. Lanes that multiply by themselves take
/// a part of every step, matrix instructions every `Groups`th step. `Blocks` share a processor, so
/// that one stores while others multiply: faster for many tiles of few steps, slower for few tiles.
template <class T, int Rows, int Columns, int Down, int Across, int Stages, int Groups = 1,
          int Blocks = 1>
struct waves_tile : multiplied_from_registers<T> {
  using element = T;
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int down = Down;
  static constexpr int across = Across;
  static constexpr int stages = Stages;
  static constexpr int depth = 128 / int(sizeof(T));  ///< elements of a step
  static constexpr int groups = Groups;
  static constexpr int blocks = Blocks;  ///< of a processor
  static constexpr int group_lanes = 32 * Down * Across;
  static constexpr int lanes = Groups * group_lanes;  ///< that multiply
  static constexpr int waves = lanes / 32;
  static constexpr int joined = (Groups - 1) * Rows * Columns;  ///< sums that groups give others
  using sums = tile::register_tile<typename multiplied_from_registers<T>::atom, Rows / Down,
                                   Columns / Across>;
  /// Whether lines that do not lie k by k are turned where they have been copied, where lanes gain
  /// more by it than turning costs.
  static constexpr bool turns = std::is_same_v<T, float> && Rows * Columns >= 128 * 128;
  /// Many sums take registers from the warpgroup that copies, which needs them where it turns.
  static constexpr bool moves_registers = Blocks == 1 && sums::count > 32 && waves > 4 && !turns;
  /// Whether lanes copy what the unit cannot address: if they have registers for it, and are many.
  static constexpr bool lanes_copy = Blocks == 1 && !moves_registers;
  static constexpr int copying = Blocks == 1 ? 128 : 32;  ///< lanes, before those that multiply
  static constexpr bool shares_steps = tile::in_lane<typename multiplied_from_registers<T>::atom>;
  static constexpr int turners = copying / 32 - 1;  ///< waves that turn: those that do not copy
  static_assert(!turns || turners > 0);
  static_assert(shares_steps || Stages % Groups == 0,
                "who waits for a stage has read what was in it before");
  static constexpr int readers = shares_steps ? waves : waves / Groups;  ///< waves, of every step
};

}  // namespace loops::hopper
