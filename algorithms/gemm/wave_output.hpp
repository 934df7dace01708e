// SPDX-License-Identifier: Apache-2.0
/// How the sums that a wave holds in registers become elements of C.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/tile/register_tile.hpp"

#include <cstdint>

namespace loops::gemm_detail {

/// Writes a wave's sums, `scale` times each, whose corner is (row, col) of an m x n result. Lanes:
/// all of the wave.
template <class Sums, class Epilogue, class Sum = typename Sums::element>
LOOPS_HD void store_results(const Sums& sums, const Epilogue& epilogue, int lane, std::int32_t row,
                            std::int32_t col, std::int32_t m, std::int32_t n, Sum scale = Sum(1)) {
  // Otherwise compilers compute the place of every element before the main loop.
  lane = native::recomputed(lane);
  row = native::recomputed(row);
  col = native::recomputed(col);
  constexpr int span = Sums::span();
  LOOPS_UNROLL
  for (int i = 0; i < Sums::count; i += span) {
    const tile::result_place p = Sums::place(lane, i);
    const std::int32_t y = row + p.row;
    const std::int32_t x = col + p.col;
    if (y >= m) continue;
    Sum v[span];
    LOOPS_UNROLL
    for (int j = 0; j < span; ++j) v[j] = sums.flat(i + j) * scale;
    if (x + span <= n) {
      epilogue.template store_span<span>(y, x, v);
    } else {
      LOOPS_UNROLL
      for (int j = 0; j < span; ++j)
        if (x + j < n) epilogue.store(y, x + j, v[j]);
    }
  }
}

}  // namespace loops::gemm_detail
