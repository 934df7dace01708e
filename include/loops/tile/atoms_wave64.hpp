// SPDX-License-Identifier: Apache-2.0
/// The matrix instructions of waves of 64 lanes: AMD's MFMA on gfx90a, gfx942 and gfx950.
#pragma once

#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "loops/core/numeric.hpp"
#include "loops/tile/atom.hpp"

namespace loops::tile {

/// v_mfma_f32_32x32, v_mfma_i32_32x32: a lane holds `PerLane` neighbours along k of one row of A
/// and one column of B. 16-bit types: 4 on gfx90a and gfx942, 8 on gfx950; 8-bit types: 8. `float`
/// takes four instructions of one element each, so that memory's k is 4 (lane / 32) + j for those
/// as well.
template <class TA, class TB, int PerLane>
struct mfma_32x32 {
  static constexpr int m = 32;
  static constexpr int n = 32;
  static constexpr int k = 2 * PerLane;
  static constexpr int wave = 64;
  using input_a = TA;
  using input_b = TB;
  using sum = accumulator_t<TA>;
  static constexpr int a_count = PerLane;
  static constexpr int b_count = PerLane;
  static constexpr int c_count = 16;
  static LOOPS_HD constexpr operand_place a(int lane, int i) {
    return {lane % 32, PerLane * (lane / 32) + i};
  }
  static LOOPS_HD constexpr operand_place b(int lane, int i) { return a(lane, i); }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {8 * (i / 4) + 4 * (lane / 32) + i % 4, lane % 32};
  }
};

/// v_mfma_f64_16x16x4 twice, so that a lane reads two neighbours along k. Its result is spread
/// unlike that of the others: register i holds row 4 i + lane / 16.
struct mfma_16x16_f64 {
  static constexpr int m = 16;
  static constexpr int n = 16;
  static constexpr int k = 8;
  static constexpr int wave = 64;
  using input_a = double;
  using input_b = double;
  using sum = double;
  static constexpr int a_count = 2;
  static constexpr int b_count = 2;
  static constexpr int c_count = 4;
  static LOOPS_HD constexpr operand_place a(int lane, int i) {
    return {lane % 16, 2 * (lane / 16) + i};
  }
  static LOOPS_HD constexpr operand_place b(int lane, int i) { return a(lane, i); }
  static LOOPS_HD constexpr result_place c(int lane, int i) {
    return {4 * i + lane / 16, lane % 16};
  }
};

static_assert(mma_atom<mfma_32x32<half, half, 4>> && mma_atom<mfma_16x16_f64>);

}  // namespace loops::tile
