// SPDX-License-Identifier: Apache-2.0
/// The matrix instructions of waves of 32 lanes: NVIDIA's mma.sync, and multiply-adds of every
/// lane.
#pragma once

#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "loops/core/numeric.hpp"
#include "loops/tile/atom.hpp"

namespace loops::tile {

/// mma.sync m16n8 with 32 bytes of k: eight rows of four lanes; a lane holds registers of 4 bytes,
/// neighbours along k together. `T` has 1, 2 or 4 bytes: k is 32, 16 or 8.
template <class TA, class TB = TA>
struct mma_m16n8 {
  static_assert(sizeof(TA) == sizeof(TB) && sizeof(TA) <= 4);
  static constexpr int m = 16;
  static constexpr int n = 8;
  static constexpr int k = 32 / int(sizeof(TA));
  static constexpr int wave = 32;
  using input_a = TA;
  using input_b = TB;
  using sum = accumulator_t<TA>;
  /// Elements in one register.
  static constexpr int packed = 4 / int(sizeof(TA));
  static constexpr int a_count = 4 * packed;
  static constexpr int b_count = 2 * packed;
  static constexpr int c_count = 4;
  static LOOPS_HD constexpr operand_place a(int lane, int i) {
    const int reg = i / packed;
    return {lane / 4 + 8 * (reg % 2), packed * (lane % 4) + i % packed + 4 * packed * (reg / 2)};
  }
  static LOOPS_HD constexpr operand_place b(int lane, int i) {
    return {lane / 4, packed * (lane % 4) + i % packed + 4 * packed * (i / packed)};
  }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
  }
};

/// mma.sync m16n8k8 (sm_90) for doubles: not the deepest there is, so that what is multiplied next
/// fits in registers beside what is multiplied now. The instruction contracts k = lane % 4 + 4 j;
/// memory's k is 2 (lane % 4) + j instead, the same for A and B, so that a lane's two are
/// neighbours.
struct mma_m16n8k8_f64 {
  static constexpr int m = 16;
  static constexpr int n = 8;
  static constexpr int k = 8;
  static constexpr int wave = 32;
  using input_a = double;
  using input_b = double;
  using sum = double;
  static constexpr int a_count = 4;
  static constexpr int b_count = 2;
  static constexpr int c_count = 4;
  static LOOPS_HD constexpr operand_place a(int lane, int i) {
    return {lane / 4 + 8 * (i % 2), 2 * (lane % 4) + i / 2};
  }
  static LOOPS_HD constexpr operand_place b(int lane, int i) {
    return {lane / 4, 2 * (lane % 4) + i};
  }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
  }
};

/// mma.sync m8n8k4 (sm_80) for doubles.
struct mma_m8n8k4_f64 {
  static constexpr int m = 8;
  static constexpr int n = 8;
  static constexpr int k = 4;
  static constexpr int wave = 32;
  using input_a = double;
  using input_b = double;
  using sum = double;
  static constexpr int a_count = 1;
  static constexpr int b_count = 1;
  static constexpr int c_count = 2;
  static LOOPS_HD constexpr operand_place a(int lane, int) { return {lane / 4, lane % 4}; }
  static LOOPS_HD constexpr operand_place b(int lane, int) { return {lane / 4, lane % 4}; }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {lane / 4, 2 * (lane % 4) + i};
  }
};

/// No matrix instruction: every lane adds the products of a 4 x 4 corner, four steps of k at a
/// time, so that both orientations of an operand are read four elements at once. Of four
/// neighbours among 32 lanes two share rows and two columns: NVIDIA's shared memory delivers 16
/// bytes per lane in half the time when these are the same for pairs of four neighbours.
template <class T, int Wave = 32>
struct lane_products {
  static constexpr int across = 4;            ///< lanes along n
  static constexpr int down = Wave / across;  ///< lanes along m
  /// A lane's place among these.
  static LOOPS_HD constexpr int row_of(int lane) {
    return Wave == 32 ? (lane & 1) | (lane >> 1 & 6) : lane / across;
  }
  static LOOPS_HD constexpr int col_of(int lane) {
    return Wave == 32 ? (lane >> 1 & 1) | (lane >> 3 & 2) : lane % across;
  }
  static constexpr int m = 4 * down;
  static constexpr int n = 4 * across;
  static constexpr int k = 4;
  static constexpr int wave = Wave;
  using input_a = T;
  using input_b = T;
  using sum = T;
  static constexpr int a_count = 16;
  static constexpr int b_count = 16;
  static constexpr int c_count = 16;
  static LOOPS_HD constexpr operand_place a(int lane, int i) {
    return {4 * row_of(lane) + i / 4, i % 4};
  }
  static LOOPS_HD constexpr operand_place b(int lane, int i) {
    return {4 * col_of(lane) + i / 4, i % 4};
  }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {4 * row_of(lane) + i / 4, 4 * col_of(lane) + i % 4};
  }
};

static_assert(mma_atom<mma_m16n8<half>> && mma_atom<mma_m16n8k8_f64> && mma_atom<mma_m8n8k4_f64> &&
              mma_atom<lane_products<float>>);

}  // namespace loops::tile
