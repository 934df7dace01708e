// SPDX-License-Identifier: Apache-2.0
/// Transposed SpMV that adds every nonzero to its element of y by an atomic, for who asks for that.
#pragma once

#include "algorithms/spmv/functors.hpp"
#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/schedule/block_mapped.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops {

/// Asks for sums in memory, by atomics: nothing is sorted, nothing is kept, and the order of
/// additions, hence the last bits, may differ from run to run.
struct by_atomics {};

namespace spmv_detail {

/// Types that every machine of the library adds atomically.
template <class V>
inline constexpr bool added_by_atomics = std::is_same_v<V, float> || std::is_same_v<V, double>;

/// y = beta y; y is not read when beta is zero.
template <class V>
struct scale_in_place {
  V* y;
  V beta;
  std::int64_t count;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    if (i >= count) return;
    y[i] = beta == V{} ? V{} : beta * y[i];
  }
};

/// Adds alpha x[row] value to y[column] for a nonzero.
template <class V, class I>
struct add_to_column {
  const V* values;
  const I* columns;
  const V* x;
  V* y;
  V alpha;
  struct nonzero {
    V value;
    I column;
  };
  LOOPS_HD V of_tile(std::int64_t row) const { return alpha * x[row]; }
  LOOPS_HD nonzero of_atom(std::int64_t a) const {
    return {native::load_once(values + a), native::load_once(columns + a)};
  }
  template <class Block>
  LOOPS_HD void operator()(Block& block, const V& factor, const nonzero& n) const {
    block.accumulate(y + n.column, static_cast<V>(factor * n.value));
  }
};

}  // namespace spmv_detail

/// y = alpha A^T x + beta y by atomics, prepared for one matrix, schedule and executor: one kernel
/// scales y, another adds to it, over the rows of A under any schedule. Reads values and columns
/// once, in order. Holds views: the matrix must outlive it; values and pattern may change between
/// uses, offsets may not. Memory: what the schedule needs. Equal to the other plans' results up to
/// rounding; not repeatable, unless all sums are exact. Making it throws: invalid_argument when a
/// size is negative or an array is missing.
template <class Exec, class Schedule, class V, class I, class O>
class spmv_transposed_by_atomics_plan {
  static_assert(spmv_detail::added_by_atomics<V>,
                "sums by atomics are for float and double: what else is there has no atomic "
                "addition on some machine, or would round every sum so far");

 public:
  using scalar = V;

  spmv_transposed_by_atomics_plan(const Exec& exec, const Schedule& how, const csr_view<V, I, O>& a,
                                  reuse uses = reuse::many_times)
      : a_(checked(a)),
        stretches_(exec, schedule::block_mapped{},
                   uniform(ceil_div(static_cast<std::int64_t>(a.cols), stretch), stretch), uses),
        plan_(exec, how, rows_of(a_), uses) {}

  /// y = alpha A^T x + beta y. `x` and `y` are raw pointers, spans, Thrust vectors or arrays in the
  /// executor's memory and must not overlap; y is not read when beta is zero. On AMD GPUs y must
  /// lie in memory of the device, as arrays of the executor do: in memory shared with the host,
  /// additions are lost. On NVIDIA GPUs sums in `float` that are too small to be normal become
  /// zero. Allocates nothing, waits for nothing, and can be captured into a graph. Throws:
  /// invalid_argument when a vector that knows its size is too short, or y begins where x does.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    const auto [from, to] =
        spmv_detail::vectors_of<V>(x, static_cast<std::int64_t>(a_.rows), std::forward<Y>(y),
                                   static_cast<std::int64_t>(a_.cols));
    if (beta != scalar(1))
      for_each_atom(stretches_,
                    spmv_detail::scale_in_place<V>{to, beta, static_cast<std::int64_t>(a_.cols)});
    for_each_atom(plan_, spmv_detail::add_to_column<V, I>{a_.values, a_.indices, from, to, alpha});
  }

  /// The schedule's plan.
  [[nodiscard]] const auto& plan() const { return plan_; }
  /// Waits for everything started so far.
  void check() { plan_.check(); }
  /// Bytes of device memory the schedule's plan holds.
  [[nodiscard]] std::size_t bytes() const { return stretches_.bytes() + plan_.bytes(); }

 private:
  static constexpr std::int64_t stretch = 1024;  ///< elements of y that a block scales

  csr_view<V, I, O> a_;
  tile_plan<Exec, schedule::block_mapped, uniform, V> stretches_;
  tile_plan<Exec, Schedule, segments<O>, V> plan_;
};

/// Prepares y = alpha A^T x + beta y by atomics for repeated use.
template <class Exec, class Schedule, class V, class I, class O>
auto plan_spmv_transposed(const Exec& exec, const Schedule& schedule, const csr_view<V, I, O>& a,
                          by_atomics) {
  return spmv_transposed_by_atomics_plan<Exec, Schedule, V, I, O>(exec, schedule, a);
}

/// y = alpha A^T x + beta y by atomics, once. `a` is a view, or what owns the arrays. Cost: the
/// plan of the schedule, and two kernels.
template <class Exec, class Schedule, class Matrix, class X, class Y>
requires schedule_like<Schedule>
void spmv_transposed(const Exec& exec, const Schedule& schedule, const Matrix& a, by_atomics,
                     const X& x, Y&& y, accumulator_t<detail::value_in<Matrix>> alpha = 1,
                     accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmv_transposed_by_atomics_plan(exec, schedule, detail::viewed(a), reuse::once)(
      x, std::forward<Y>(y), alpha, beta);
}

}  // namespace loops
