// SPDX-License-Identifier: Apache-2.0
/// SDDMM where a row of A fits the registers of a wave: it is read once for its nonzeros.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "algorithms/spmv/functors.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>

namespace loops::sddmm_detail {

/// How a wave goes over its stretch of nonzeros: `lanes` lanes take one, neighbouring groups of
/// them neighbouring ones, `rounds` times.
struct stretch {
  int lanes;
  int rounds;
};

/// A wave takes a stretch of nonzeros. Lanes hold `Packs` packs each of a row of A for as long as
/// the nonzeros stay in that row, and read those of a column of B, of two nonzeros at a time.
template <class V, class I, int Columns, int Packs>
struct multiply_stretches {
  static constexpr int at_once = 2;
  using sum = accumulator_t<V>;
  using pack = spmm_detail::pack<V, Columns>;
  const I* row_of;
  const I* col_of;
  dense_view<const V> a;
  dense_view<const V> b;  ///< transposed
  std::int64_t nonzeros;  ///< at least one
  int packs;              ///< of a row, at most `Packs` per lane
  stretch how;
  spmv_detail::scaled_store<V> emit;

  template <class Block>
  struct storage {};

  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const int groups = Block::wave / how.lanes;
    const int rank = block.lane() & (how.lanes - 1);
    const int group = block.lane() % Block::wave / how.lanes;
    const std::int64_t wave = (block.id() * Block::threads + block.lane()) / Block::wave;
    std::int64_t n = wave * groups * how.rounds + group;
    pack x[Packs] = {};
    std::int64_t row = -1;
    for (int k = 0; k < how.rounds; k += at_once) {
      std::int64_t rows[at_once];
      pack y[at_once][Packs];
      LOOPS_UNROLL
      for (int u = 0; u < at_once; ++u) {
        const std::int64_t here = n + u * groups;
        const std::int64_t at = here < nonzeros ? here : nonzeros - 1;
        rows[u] = static_cast<std::int64_t>(row_of[at]);
        read(y[u], b, static_cast<std::int64_t>(col_of[at]), rank);
      }
      LOOPS_UNROLL
      for (int u = 0; u < at_once; ++u) {
        if (rows[u] != row) read(x, a, rows[u], rank);
        row = rows[u];
        sum s{};
        LOOPS_UNROLL
        for (int p = 0; p < Packs; ++p) {
          LOOPS_UNROLL
          for (int i = 0; i < Columns; ++i) s = s + sum(x[p].at[i]) * sum(y[u][p].at[i]);
        }
        for (int d = how.lanes / 2; d > 0; d /= 2) s = s + block.shuffle_xor(s, d);
        if (rank == 0 && n < nonzeros) emit(n, s);
        n += groups;
      }
    }
  }

 private:
  /// The lane's packs of a row; zeros beyond its end.
  LOOPS_HD void read(pack (&to)[Packs], const dense_view<const V>& m, std::int64_t row,
                     int rank) const {
    const auto* const from = reinterpret_cast<const pack*>(m.data + row * m.stride);
    LOOPS_UNROLL
    for (int p = 0; p < Packs; ++p) {
      const int at = rank + p * how.lanes;
      to[p] = pack{};
      if (at < packs) to[p] = from[at];
    }
  }
};

}  // namespace loops::sddmm_detail
