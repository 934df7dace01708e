// SPDX-License-Identifier: Apache-2.0
/// What SpMM does with one nonzero and with a finished row.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "loops/algorithm/lines.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::spmm_detail {

/// How many elements lie between the first and the last of a dense matrix, both included.
template <class T>
std::int64_t span_of(const dense_view<T>& m) {
  return m.rows == 0 || m.cols == 0 ? 0 : m.at(m.rows - 1, m.cols - 1) + 1;
}

/// The lines of memory that hold A's nonzeros and, where as many rows of it are read as it has, B.
template <class V, class I>
struct lines_of_product {
  std::int64_t nonzeros;
  std::int64_t of_b;
  lines_of_product(std::int64_t count, const dense_view<const V>& b)
      : nonzeros(count), of_b(count < b.rows ? 0 : loops::detail::lines_of<V>(span_of(b))) {}
  [[nodiscard]] LOOPS_HD std::int64_t count() const {
    return loops::detail::lines_of<I>(nonzeros) + loops::detail::lines_of<V>(nonzeros) + of_b;
  }
  LOOPS_HD void fetch(const I* columns, const V* values, const V* b, std::int64_t line) const {
    if (line < loops::detail::lines_of<I>(nonzeros))
      return loops::detail::fetch_line_of(columns, line);
    line -= loops::detail::lines_of<I>(nonzeros);
    if (line < loops::detail::lines_of<V>(nonzeros))
      return loops::detail::fetch_line_of(values, line);
    loops::detail::fetch_line_of(b, line - loops::detail::lines_of<V>(nonzeros));
  }
};

/// Share s of a row of C is its columns s * Columns … + Columns - 1: nonzero a adds its value times
/// those of a row of B. Rows of B begin on a pack and are whole packs long; a share beyond them
/// reads the last one, and nobody stores what it computes.
template <class V, class I, int Columns>
struct nonzero_times_row {
  using scalar = accumulator_t<V>;
  using sum = row_sums<scalar, Columns>;
  using pure = std::true_type;
  /// What all shares need of a nonzero.
  struct nonzero {
    I row;  ///< of B
    V value;
  };
  const V* values;
  const I* columns;
  const V* b;
  std::uint32_t stride;  ///< bytes
  int last;              ///< the first column of the last pack
  lines_of_product<V, I> all;
  LOOPS_HD nonzero common(std::int64_t a) const { return common(a, place(a)); }
  /// In two steps: the pattern stays what it is while a plan lives, values need not.
  [[nodiscard]] LOOPS_HD I place(std::int64_t a) const { return native::load_once(columns + a); }
  LOOPS_HD nonzero common(std::int64_t a, I column) const {
    return {column, native::load_once(values + a)};
  }
  [[nodiscard]] LOOPS_HD std::int64_t lines() const { return all.count(); }
  LOOPS_HD void fetch(std::int64_t line) const { all.fetch(columns, values, b, line); }
  LOOPS_HD sum operator()(int share, const nonzero& nz) const {
    using index = std::conditional_t<sizeof(I) <= 4, std::uint32_t, std::uint64_t>;
    const int first = share * Columns < last ? share * Columns : last;
    const auto* const row = reinterpret_cast<const char*>(b + first) +
                            static_cast<std::uint64_t>(static_cast<index>(nz.row)) * stride;
    const pack<V, Columns> p = *reinterpret_cast<const pack<V, Columns>*>(row);
    const scalar v = scalar(nz.value);
    sum s;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) s.at[i] = v * scalar(p.at[i]);
    return s;
  }
};

/// C(row, c) = alpha * sum + beta * C(row, c) for the columns of a share, where C lies as `Order`
/// says; C is not read when beta is zero.
template <class V, int Columns, layout Order>
struct scaled_store {
  using neighbours = std::bool_constant<Order == layout::column_major>;
  using scalar = accumulator_t<V>;
  V* c;
  std::int64_t cols;
  std::int64_t stride;
  scalar alpha;
  scalar beta;
  bool whole;  ///< every row of C begins on a pack and is whole packs long
  LOOPS_HD void operator()(int share, std::int64_t row,
                           const row_sums<scalar, Columns>& sums) const {
    const std::int64_t first = static_cast<std::int64_t>(share) * Columns;
    if (first >= cols) return;
    if constexpr (Columns * sizeof(V) > 16 && Order == layout::row_major)
      return store_alone(c + row * stride + first, cols - first, sums);
    if (Order == layout::row_major && whole && beta == scalar{}) {
      pack<V, Columns> p;
      LOOPS_UNROLL
      for (int i = 0; i < Columns; ++i) p.at[i] = stored_as<V>(alpha * sums.at[i]);
      *reinterpret_cast<pack<V, Columns>*>(c + row * stride + first) = p;
      return;
    }
    V* at = Order == layout::row_major ? c + row * stride + first : c + first * stride + row;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) {
      if (first + i >= cols) break;
      const scalar value = alpha * sums.at[i];
      *at = stored_as<V>(beta == scalar{} ? value : value + beta * scalar(*at));
      at += Order == layout::row_major ? 1 : stride;
    }
  }

 private:
  /// More than a pack is a CPU's, whose vectors need no alignment.
  LOOPS_HD void store_alone(V* at, std::int64_t left, const row_sums<scalar, Columns>& sums) const {
    const std::int64_t n = left < Columns ? left : Columns;
    if (beta == scalar{}) {
      for (std::int64_t i = 0; i < n; ++i) at[i] = stored_as<V>(alpha * sums.at[i]);
    } else {
      for (std::int64_t i = 0; i < n; ++i)
        at[i] = stored_as<V>(alpha * sums.at[i] + beta * scalar(at[i]));
    }
  }
};

/// A function of shares where there is one: a map of atoms, or what takes a row's sum.
template <class F>
using of_only_share = loops::detail::of_share<F, std::integral_constant<int, 0>>;

}  // namespace loops::spmm_detail
