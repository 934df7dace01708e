// SPDX-License-Identifier: Apache-2.0
/// What SDDMM does with a pack of a row of A and one of a column of B.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>

namespace loops::sddmm_detail {

/// Tile t is nonzero t; its atoms are the packs of a row of A, each times one of a column of B.
template <class V, class I, int Columns>
struct pack_times_pack {
  using sum = accumulator_t<V>;
  using pack = spmm_detail::pack<V, Columns>;
  const I* row_of;
  const I* col_of;
  dense_view<const V> a;
  dense_view<const V> b;  ///< transposed
  std::int64_t packs;
  LOOPS_HD sum operator()(std::int64_t nonzero, std::int64_t atom) const {
    const std::int64_t at = (atom - nonzero * packs) * Columns;
    const pack x = *reinterpret_cast<const pack*>(a.data + row_of[nonzero] * a.stride + at);
    const pack y = *reinterpret_cast<const pack*>(b.data + col_of[nonzero] * b.stride + at);
    sum s{};
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) s = s + sum(x.at[i]) * sum(y.at[i]);
    return s;
  }
};

}  // namespace loops::sddmm_detail
