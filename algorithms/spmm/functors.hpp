// SPDX-License-Identifier: Apache-2.0
/// What SpMM does with one nonzero and with a finished row.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"

#include <cstdint>

namespace loops::spmm_detail {

/// Share s of a row of C is its columns s * Columns … + Columns - 1: nonzero a adds its value times
/// those of a row of B. Rows of B begin on a pack and are whole packs long; a share beyond them
/// reads the last one, and nobody stores what it computes.
template <class V, class I, int Columns>
struct nonzero_times_row {
  using scalar = accumulator_t<V>;
  using sum = row_sums<scalar, Columns>;
  const V* values;
  const I* columns;
  const V* b;
  std::int64_t stride;
  int last;  ///< the first column of the last pack
  LOOPS_HD sum operator()(int share, std::int64_t a) const {
    const int first = share * Columns < last ? share * Columns : last;
    const scalar v = scalar(native::load_once(values + a));
    const std::int64_t row = static_cast<std::int64_t>(native::load_once(columns + a));
    const pack<V, Columns> p = *reinterpret_cast<const pack<V, Columns>*>(b + row * stride + first);
    sum s;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) s.at[i] = v * scalar(p.at[i]);
    return s;
  }
};

/// C(row, c) = alpha * sum + beta * C(row, c) for the columns of a share; C is not read when beta
/// is zero.
template <class V, int Columns>
struct scaled_row_store {
  using scalar = accumulator_t<V>;
  dense_view<V> c;
  scalar alpha;
  scalar beta;
  bool whole;  ///< every row of C begins on a pack and is whole packs long
  LOOPS_HD void operator()(int share, std::int64_t row,
                           const row_sums<scalar, Columns>& sums) const {
    const std::int64_t first = static_cast<std::int64_t>(share) * Columns;
    if (first >= c.cols) return;
    if (whole && beta == scalar{}) {
      pack<V, Columns> p;
      LOOPS_UNROLL
      for (int i = 0; i < Columns; ++i) p.at[i] = V(alpha * sums.at[i]);
      *reinterpret_cast<pack<V, Columns>*>(c.data + row * c.stride + first) = p;
      return;
    }
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) {
      if (first + i >= c.cols) break;
      V& at = c(row, first + i);
      const scalar value = alpha * sums.at[i];
      at = V(beta == scalar{} ? value : value + beta * scalar(at));
    }
  }
};

}  // namespace loops::spmm_detail
