// SPDX-License-Identifier: Apache-2.0
/// What SpMM does with one nonzero, with a finished row, and with a B that it cannot read as it is.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>

namespace loops::spmm_detail {

/// `Columns` neighbouring elements of a row, moved by as few instructions as there are.
template <class V, int Columns>
struct alignas(sizeof(V) * Columns <= 16 ? sizeof(V) * Columns : 16) pack {
  V at[Columns];
};

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

/// Copies B into rows of whole packs, one pack per atom; what lies beyond B is zero. Tiles are the
/// columns of packs when B lies by columns, else its rows, so that neighbours read neighbours.
template <class V, int Columns>
struct copy_pack {
  dense_view<const V> b;
  V* to;
  std::int64_t stride;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    const bool by_rows = b.order == layout::rows;
    const std::int64_t within = atom - tile * (by_rows ? stride / Columns : b.rows);
    const std::int64_t row = by_rows ? tile : within;
    const std::int64_t first = (by_rows ? within : tile) * Columns;
    pack<V, Columns> p;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i)
      p.at[i] = first + i < b.cols ? b(row, first + i) : V(accumulator_t<V>(0));
    *reinterpret_cast<pack<V, Columns>*>(to + row * stride + first) = p;
  }
};

}  // namespace loops::spmm_detail
