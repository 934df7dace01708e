// SPDX-License-Identifier: Apache-2.0
/// What SpMV does with one atom of each format, and with one finished row.
#pragma once

#include "loops/algorithm/lines.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/format/formats.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops::spmv_detail {

/// Where x and y lie, of so many elements. Throws: invalid_argument when one that knows its size is
/// too short, or y begins where x does.
template <class V, class X, class Y>
std::pair<const V*, V*> vectors_of(const X& x, std::int64_t cols, Y&& y, std::int64_t rows) {
  const V* from = vector_data<const V>(x, cols, "x");
  V* to = vector_data<V>(std::forward<Y>(y), rows, "y");
  check_apart(to, "y", from, "x", rows > 0 && cols > 0);
  return {from, to};
}

using loops::detail::fetch_line_of;
using loops::detail::line_bytes;
using loops::detail::lines_of;

/// Reads what nobody reads again. Past: by a processor's own cache.
template <bool Past, class T>
LOOPS_HD T load(const T* at) {
  if constexpr (Past) {
    return native::load_past(at);
  } else {
    return native::load_once(at);
  }
}

/// CSR, and COO: nonzero a is values[a] in column columns[a]. Past: leaves a processor's own cache
/// to `x`.
template <class V, class I, bool Past = false>
struct nonzero_times_x {
  using sum = accumulator_t<V>;
  using pure = std::true_type;
  const V* values;
  const I* columns;
  const V* x;
  std::int64_t nonzeros = 0;  ///< and columns: for `lines`
  std::int64_t cols = 0;
  LOOPS_HD sum operator()(std::int64_t a) const { return finish(ask(a)); }
  /// What a nonzero is, before x is asked for.
  struct nonzero {
    V value;
    I column;
  };
  /// The column comes first, since x waits for it; AMD's compiler has more loads under way in the
  /// other order.
  LOOPS_HD nonzero ask(std::int64_t a) const {
    if constexpr (LOOPS_CUDA) {
      return ask(a, place(a));
    } else {
      return {load<Past>(values + a), load<Past>(columns + a)};
    }
  }
  /// In two steps: the pattern stays what it is while a plan lives, values need not.
  [[nodiscard]] LOOPS_HD I place(std::int64_t a) const { return load<Past>(columns + a); }
  LOOPS_HD nonzero ask(std::int64_t a, I column) const { return {load<Past>(values + a), column}; }
  /// The same for waves that read whole lines.
  [[nodiscard]] nonzero_times_x<V, I, true> past() const requires(!Past) {
    return {values, columns, x, nonzeros, cols};
  }
  LOOPS_HD sum finish(const nonzero& n) const { return sum(n.value) * sum(x[n.column]); }
  /// Lines of memory that hold the columns, x and the values, in this order.
  [[nodiscard]] LOOPS_HD std::int64_t lines() const {
    return lines_of<I>(nonzeros) + lines_of<V>(cols) + lines_of<V>(nonzeros);
  }
  LOOPS_HD void fetch(std::int64_t line) const {
    if (line < lines_of<I>(nonzeros)) return fetch_line_of(columns, line);
    line -= lines_of<I>(nonzeros);
    if (line < lines_of<V>(cols)) return fetch_line_of(x, line);
    fetch_line_of(values, line - lines_of<V>(cols));
  }

  /// Asks for the columns and values of `atoms_at_once` atoms from `first` on, if there are as
  /// many.
  static constexpr std::int64_t atoms_at_once = 64;
  static constexpr std::int64_t atom_bytes = sizeof(V) + sizeof(I);
  LOOPS_HD void fetch_atoms(std::int64_t first) const {
    if (first + atoms_at_once > nonzeros) return;
    fetch_stretch(values + first);
    fetch_stretch(columns + first);
  }

 private:
  template <class T>
  static LOOPS_HD void fetch_stretch(const T* first) {
    constexpr std::int64_t least_line = 64;  // of a CPU
    LOOPS_UNROLL
    for (std::int64_t at = 0; at < atoms_at_once; at += least_line / std::int64_t{sizeof(T)})
      native::fetch_ahead(first + at);
  }
};

/// CSC, its nonzeros taken in row order: atom a is nonzero order[a], in column columns[a].
template <class V, class I, class O>
struct reordered_times_x {
  using sum = accumulator_t<V>;
  using pure = std::true_type;
  const V* values;
  const O* order;
  const I* columns;
  const V* x;
  LOOPS_HD sum operator()(std::int64_t a) const {
    return sum(values[native::load_once(order + a)]) * sum(x[native::load_once(columns + a)]);
  }
};

/// ELL: atom a of row r is entry a - r * width of the row; padding counts nothing.
template <class V, class I, class O>
struct ell_entry_times_x {
  using sum = accumulator_t<V>;
  ell_view<V, I, O> a;
  const V* x;
  LOOPS_HD sum operator()(std::int64_t row, std::int64_t atom) const {
    const std::int64_t at = (atom - row * a.width) * static_cast<std::int64_t>(a.stride) + row;
    const I column = native::load_once(a.indices + at);
    if (column == ell_view<V, I, O>::padding) return sum{};
    return sum(native::load_once(a.values + at)) * sum(x[column]);
  }
};

/// DIA: atom a of row r is on stored diagonal a - r * count; outside the matrix it counts nothing.
template <class V, class I, class O>
struct diagonal_times_x {
  using sum = accumulator_t<V>;
  dia_view<V, I, O> a;
  const V* x;
  LOOPS_HD sum operator()(std::int64_t row, std::int64_t atom) const {
    const std::int64_t k = atom - row * a.count;
    const std::int64_t column = row + a.diagonals[k];
    if (column < 0 || column >= a.cols) return sum{};
    return sum(native::load_once(a.values + k * static_cast<std::int64_t>(a.stride) + row)) *
           sum(x[column]);
  }
};

/// BCSR: atom a is a block of R x C values; its R partial sums.
template <class V, int R, int C, class I, class O>
struct block_times_x {
  using sum = row_sums<accumulator_t<V>, R>;
  bcsr_view<V, R, C, I, O> a;
  const V* x;
  LOOPS_HD sum operator()(std::int64_t atom) const {
    using element = accumulator_t<V>;
    const std::int64_t column = static_cast<std::int64_t>(a.indices[atom]) * C;
    const V* block = a.values + atom * (R * C);
    sum s{};
    for (int c = 0; c < C; ++c) {
      if (column + c >= a.cols) break;
      const element xc = element(x[column + c]);
      for (int r = 0; r < R; ++r) s.at[r] = s.at[r] + element(block[r * C + c]) * xc;
    }
    return s;
  }
};

/// y[row] = alpha * sum + beta * y[row]; y is not read when beta is zero.
template <class V>
struct scaled_store {
  using scalar = accumulator_t<V>;
  V* y;
  scalar alpha;
  scalar beta;
  LOOPS_HD void operator()(std::int64_t row, scalar sum) const {
    const scalar value = alpha * sum;
    if (beta == scalar{}) [[likely]]
      y[row] = stored_as<V>(value);
    else
      y[row] = stored_as<V>(value + beta * scalar(y[row]));
  }
};

/// The same for the R rows of a block row, those that exist.
template <class V, int R>
struct scaled_block_store {
  using scalar = accumulator_t<V>;
  scaled_store<V> store;
  std::int64_t rows;
  LOOPS_HD void operator()(std::int64_t block_row, const row_sums<scalar, R>& sums) const {
    for (int r = 0; r < R; ++r)
      if (block_row * R + r < rows) store(block_row * R + r, sums.at[r]);
  }
};

}  // namespace loops::spmv_detail
