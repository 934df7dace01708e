// SPDX-License-Identifier: Apache-2.0
/// CSR whose columns a plan keeps in 16 bits: fewer bytes per use, for matrices whose neighbouring
/// nonzeros have neighbouring columns.
#pragma once

#include "algorithms/spmv/spmv.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/merge_path.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace loops {

/// A CSR matrix to be multiplied with an index of 16-bit columns: `plan_spmv(exec, schedule,
/// narrow_columns(a))`. Every `run` consecutive nonzeros have a base in full, their smallest
/// column, and each its distance from that. Cost: the plan reads the columns twice, waits once, and
/// holds 2 bytes per nonzero; a use reads these instead of the columns. Making the plan throws:
/// unsupported when a run spans more columns than 16 bits count.
template <class Value, class Index = std::int32_t, class Offset = Index>
struct narrow_columns : csr_view<Value, Index, Offset> {
  static constexpr std::int64_t run = 256;
  explicit narrow_columns(const csr_view<Value, Index, Offset>& a)
      : csr_view<Value, Index, Offset>(a) {}
};

namespace spmv_detail {

/// The columns that some nonzeros lie between.
template <class I>
struct column_span {
  I first;
  I last;
};

template <class I>
struct join_spans {
  LOOPS_HD column_span<I> operator()(const column_span<I>& a, const column_span<I>& b) const {
    return {a.first < b.first ? a.first : b.first, a.last < b.last ? b.last : a.last};
  }
  template <class>
  LOOPS_HD static column_span<I> identity() {
    return {std::numeric_limits<I>::max(), std::numeric_limits<I>::lowest()};
  }
};

/// Tile t of the work is run t; the last run may be shorter.
template <class I>
struct span_of {
  const I* columns;
  std::int64_t nonzeros;
  LOOPS_HD column_span<I> operator()(std::int64_t a) const {
    if (a >= nonzeros) return join_spans<I>::template identity<I>();
    const I c = columns[a];
    return {c, c};
  }
};

template <class I>
struct store_base {
  I* bases;
  std::int64_t* widths;
  LOOPS_HD void operator()(std::int64_t run, const column_span<I>& s) const {
    bases[run] = s.first;
    widths[run] = static_cast<std::int64_t>(s.last) - static_cast<std::int64_t>(s.first);
  }
};

template <class I>
struct store_distance {
  const I* columns;
  const I* bases;
  std::uint16_t* distances;
  std::int64_t nonzeros;
  LOOPS_HD void operator()(std::int64_t run, std::int64_t a) const {
    if (a < nonzeros) distances[a] = static_cast<std::uint16_t>(columns[a] - bases[run]);
  }
};

/// Nonzero a is values[a] in column bases[a / Run] + distances[a]. Past: leaves a processor's own
/// cache to `x` and the bases.
template <class V, class I, std::int64_t Run, bool Past = false>
struct near_nonzero_times_x {
  using sum = accumulator_t<V>;
  using pure = std::true_type;
  const V* values;
  const I* bases;
  const std::uint16_t* distances;
  const V* x;
  std::int64_t nonzeros = 0;  ///< and columns: for `lines`
  std::int64_t cols = 0;
  LOOPS_HD sum operator()(std::int64_t a) const { return finish(ask(a)); }
  /// Where a nonzero is, and what, before x is asked for.
  struct column {
    I base;
    std::uint16_t distance;
  };
  struct nonzero {
    V value;
    column where;
  };
  LOOPS_HD nonzero ask(std::int64_t a) const { return ask(a, place(a)); }
  /// In two steps: the pattern stays what it is while a plan lives, values need not.
  [[nodiscard]] LOOPS_HD column place(std::int64_t a) const {
    return {bases[static_cast<std::uint64_t>(a) / static_cast<std::uint64_t>(Run)],
            load<Past>(distances + a)};
  }
  LOOPS_HD nonzero ask(std::int64_t a, const column& c) const {
    return {load<Past>(values + a), c};
  }
  /// The same for waves that read whole lines.
  [[nodiscard]] near_nonzero_times_x<V, I, Run, true> past() const requires(!Past) {
    return {values, bases, distances, x, nonzeros, cols};
  }
  LOOPS_HD sum finish(const nonzero& n) const {
    return sum(n.value) * sum(x[n.where.base + n.where.distance]);
  }
  /// Lines of memory that hold the distances, x and the values, in this order. Bases are few.
  [[nodiscard]] LOOPS_HD std::int64_t lines() const {
    return lines_of<std::uint16_t>(nonzeros) + lines_of<V>(cols) + lines_of<V>(nonzeros);
  }
  LOOPS_HD void fetch(std::int64_t line) const {
    if (line < lines_of<std::uint16_t>(nonzeros)) return fetch_line_of(distances, line);
    line -= lines_of<std::uint16_t>(nonzeros);
    if (line < lines_of<V>(cols)) return fetch_line_of(x, line);
    fetch_line_of(values, line - lines_of<V>(cols));
  }
};

template <class V, class I, class O>
class rows<narrow_columns<V, I, O>> {
  using matrix = narrow_columns<V, I, O>;

 public:
  using sum = accumulator_t<V>;

  template <class Exec>
  rows(const Exec& exec, const matrix& a)
      : a_(with_ends(exec, a, rows_of(static_cast<const csr_view<V, I, O>&>(a)))),
        bases_(runs(a), exec.memory()),
        distances_(static_cast<std::size_t>(a.nonzeros), exec.memory()) {
    const auto nonzeros = static_cast<std::int64_t>(a.nonzeros);
    if (nonzeros == 0) return;
    const schedule::merge_path how;
    const auto count = static_cast<std::int64_t>(runs(a));
    const uniform work(count, matrix::run);
    array<std::int64_t> widths(runs(a), exec.memory());
    array<std::int64_t> widest(1, exec.memory());
    reduce_tiles<column_span<I>>(exec, how, work, span_of<I>{a.indices, nonzeros}, join_spans<I>{},
                                 store_base<I>{bases_.data(), widths.data()});
    reduce_tiles<std::int64_t>(exec, how, uniform(1, count),
                               element_of<std::int64_t>{widths.data()}, maximum{},
                               store_in{widest.data()});
    const std::int64_t most = first_of(exec, widest);
    if (most > std::numeric_limits<std::uint16_t>::max())
      throw error(errc::unsupported,
                  "the columns of " + std::to_string(matrix::run) +
                      " consecutive nonzeros are up to " + std::to_string(most) +
                      " apart, and 16 bits hold 65535: multiply the matrix as it is");
    for_each_atom(exec, how, work,
                  store_distance<I>{a.indices, bases_.data(), distances_.data(), nonzeros});
  }
  [[nodiscard]] auto of() const { return rows_of(static_cast<const csr_view<V, I, O>&>(a_)); }
  [[nodiscard]] auto columns() const {
    return columns_in<I>{a_.indices, static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto map(const V* x) const {
    return near_nonzero_times_x<V, I, matrix::run>{a_.values,
                                                   bases_.data(),
                                                   distances_.data(),
                                                   x,
                                                   static_cast<std::int64_t>(a_.nonzeros),
                                                   static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }

 private:
  static std::size_t runs(const matrix& a) {
    return static_cast<std::size_t>(ceil_div(static_cast<std::int64_t>(a.nonzeros), matrix::run));
  }
  matrix a_;
  array<I> bases_;
  array<std::uint16_t> distances_;
};

}  // namespace spmv_detail

}  // namespace loops
