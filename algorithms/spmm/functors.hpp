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

/// Rows of B that begin on a pack and are whole packs long: share s is columns s * Columns … of
/// one. A share beyond them reads the last pack, and nobody stores what comes of it.
template <class V, class I, int Columns>
class rows_in_packs {
 public:
  explicit rows_in_packs(const dense_view<const V>& b)
      : b_(b.data),
        stride_(static_cast<std::uint32_t>(b.stride * static_cast<std::int64_t>(sizeof(V)))),
        last_(static_cast<int>(ceil_div(b.cols, Columns) - 1) * Columns) {}

  [[nodiscard]] LOOPS_HD const V* begin() const { return b_; }
  [[nodiscard]] LOOPS_HD pack<V, Columns> read(I row, int share) const {
    using index = std::conditional_t<sizeof(I) <= 4, std::uint32_t, std::uint64_t>;
    const int first = share * Columns < last_ ? share * Columns : last_;
    const auto* const at = reinterpret_cast<const char*>(b_ + first) +
                           static_cast<std::uint64_t>(static_cast<index>(row)) * stride_;
    return *reinterpret_cast<const pack<V, Columns>*>(at);
  }

 private:
  const V* b_;
  std::uint32_t stride_;  ///< bytes
  int last_;              ///< the first column of the last pack
};

/// Nonzero a of A adds, to share s of a row of C, its value times what `Rows` reads of a row of B.
/// Knows the lines of memory that hold A's nonzeros and, where as many rows of it are read as it
/// has, B.
template <class V, class I, int Columns, class Rows = rows_in_packs<V, I, Columns>>
class nonzero_times_row {
 public:
  using scalar = accumulator_t<V>;
  using sum = row_sums<scalar, Columns>;
  using pure = std::true_type;
  /// What all shares need of a nonzero.
  struct nonzero {
    I row;  ///< of B
    V value;
  };

  template <class View>
  nonzero_times_row(const View& a, const dense_view<const V>& b)
      : values_(a.values),
        columns_(a.indices),
        rows_(b),
        count_(static_cast<std::int64_t>(a.nonzeros)),
        lines_of_b_(count_ < b.rows ? 0 : loops::detail::lines_of<V>(span_of(b))) {}

  LOOPS_HD nonzero common(std::int64_t a) const { return common(a, place(a)); }
  /// In two steps: the pattern stays what it is while a plan lives, values need not.
  [[nodiscard]] LOOPS_HD I place(std::int64_t a) const { return native::load_once(columns_ + a); }
  LOOPS_HD nonzero common(std::int64_t a, I column) const {
    return {column, native::load_once(values_ + a)};
  }
  LOOPS_HD sum operator()(int share, const nonzero& nz) const {
    const pack<V, Columns> p = rows_.read(nz.row, share);
    const scalar v = scalar(nz.value);
    sum s;
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) s.at[i] = v * scalar(p.at[i]);
    return s;
  }

  [[nodiscard]] LOOPS_HD std::int64_t lines() const {
    return lines_of_columns() + lines_of_values() + lines_of_b_;
  }
  LOOPS_HD void fetch(std::int64_t line) const {
    using loops::detail::fetch_line_of;
    if (line < lines_of_columns()) return fetch_line_of(columns_, line);
    line -= lines_of_columns();
    if (line < lines_of_values()) return fetch_line_of(values_, line);
    fetch_line_of(rows_.begin(), line - lines_of_values());
  }

 protected:
  const V* values_;
  const I* columns_;
  Rows rows_;
  std::int64_t count_;

 private:
  LOOPS_HD std::int64_t lines_of_columns() const { return loops::detail::lines_of<I>(count_); }
  LOOPS_HD std::int64_t lines_of_values() const { return loops::detail::lines_of<V>(count_); }

  std::int64_t lines_of_b_;
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
