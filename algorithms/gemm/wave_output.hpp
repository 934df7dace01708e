// SPDX-License-Identifier: Apache-2.0
/// How the sums that a wave holds in registers become elements of C.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/tile/register_tile.hpp"

#include <cstdint>

namespace loops::gemm_detail {

/// Exchanges among lanes, of whose results `Span` each are neighbours in a row: afterwards each
/// number of these is of one row, so that what lanes store at once is one stretch of memory.
/// Register bits change places with lane bits that say nothing of columns.
template <class Atom, int Span>
class row_exchange {
 public:
  static constexpr int bits = Span == 4 ? 2 : Span == 2 ? 1 : 0;

  /// From bit `B` on. Lanes: all of the wave.
  template <int B = 0, class Block, class T>
  static LOOPS_HD void exchange(Block& block, int lane, T (&v)[Span]) {
    if constexpr (B < bits) {
      static_assert(mask(B) > 0, "rows have no lanes to exchange with");
      constexpr int high = 1 << B;
      const bool upper = (lane & mask(B)) != 0;
      LOOPS_UNROLL
      for (int i = 0; i < Span; ++i)
        if ((i & high) == 0) {
          // A choice between two places would put both into memory.
          const T first = v[i];
          const T second = v[i | high];
          const T got = block.shuffle_xor(upper ? first : second, mask(B));
          const T kept = upper ? second : first;
          v[i] = upper ? got : kept;
          v[i | high] = upper ? kept : got;
        }
      exchange<B + 1>(block, lane, v);
    }
  }
  /// Where the lane's number `j` of what were results `i` and following is now.
  template <class Results>
  static LOOPS_HD constexpr tile::result_place place(const Results& of, int lane, int i, int j) {
    int from = lane;
    int right = 0;
    LOOPS_UNROLL
    for (int b = 0; b < bits; ++b) {
      if ((lane & mask(b)) != 0) right |= 1 << b;
      from = (from & ~mask(b)) | ((j >> b & 1) != 0 ? mask(b) : 0);
    }
    const tile::result_place p = of.place(from, i);
    return {p.row, p.col + right};
  }

 private:
  /// Lane bit number `b` of those that move no column; 0: there are not so many.
  static LOOPS_HD constexpr int mask(int b) { return b == 0 ? first_mask : second_mask; }
  static constexpr int find_mask(int b) {
    for (int m = 1; m < Atom::wave; m *= 2)
      if (moves_no_column(m) && b-- == 0) return m;
    return 0;
  }
  static constexpr bool moves_no_column(int m) {
    for (int lane = 0; lane < Atom::wave; ++lane)
      for (int i = 0; i < Atom::c_count; ++i)
        if (Atom::c(lane, i).col != Atom::c(lane ^ m, i).col) return false;
    return true;
  }
  static constexpr int first_mask = find_mask(0);
  static constexpr int second_mask = find_mask(1);
};

/// Writes a wave's results, a register tile or what is like one, `scale` times each, whose corner
/// is (row, col) of an m x n C. Lanes: all of the wave.
template <class Block, class Results, class Epilogue, class Sum = typename Results::element>
LOOPS_HD void store_results(Block& block, const Results& results, const Epilogue& epilogue,
                            std::int32_t row, std::int32_t col, std::int32_t m, std::int32_t n,
                            Sum scale = Sum(1)) {
  // Otherwise compilers compute the place of every element before the main loop.
  const int lane = native::recomputed(block.lane() % Results::atom::wave);
  row = native::recomputed(row);
  col = native::recomputed(col);
  constexpr int span = Results::span();
  constexpr int most = 16 / int(sizeof(typename Epilogue::output));
  using exchange = row_exchange<typename Results::atom, span>;
  if (span == 1 || (epilogue.widest() >= (span < most ? span : most) && n % span == 0)) {
    LOOPS_UNROLL
    for (int i = 0; i < Results::count; i += span) {
      const tile::result_place p = results.place(lane, i);
      if (row + p.row >= m || col + p.col >= n) continue;
      Sum v[span];
      LOOPS_UNROLL
      for (int j = 0; j < span; ++j) v[j] = results.flat(i + j) * scale;
      epilogue.template store_span<span>(row + p.row, col + p.col, v);
    }
    return;
  }
  LOOPS_UNROLL
  for (int i = 0; i < Results::count; i += span) {
    Sum v[span];
    LOOPS_UNROLL
    for (int j = 0; j < span; ++j) v[j] = results.flat(i + j) * scale;
    exchange::exchange(block, lane, v);
    LOOPS_UNROLL
    for (int j = 0; j < span; ++j) {
      const tile::result_place p = exchange::place(results, lane, i, j);
      if (row + p.row < m && col + p.col < n) epilogue.store(row + p.row, col + p.col, v[j]);
    }
  }
}

}  // namespace loops::gemm_detail
