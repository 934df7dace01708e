// SPDX-License-Identifier: Apache-2.0
/// Transposed sparse matrix times dense vector: y = alpha A^T x + beta y for A by rows.
#pragma once

#include "algorithms/spmv/csc_hops.hpp"
#include "algorithms/spmv/csc_rows.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "algorithms/spmv_transposed/by_atomics.hpp"
#include "algorithms/spmv_transposed/transposed_copy.hpp"
#include "loops/format/transposed.hpp"

#include <utility>

namespace loops {

/// Prepares y = alpha A^T x + beta y for repeated use: SpMV over the transposed view, whose rows
/// are found by sorting the nonzeros by column, once. See `spmv_plan` for what a call promises.
template <class Exec, class Schedule, class View>
auto plan_spmv_transposed(const Exec& exec, const Schedule& schedule, const View& a) {
  detail::require_view<View>();
  return plan_spmv(exec, schedule, transposed(detail::viewed(a)));
}

/// The same, in so many passes; see `passes`.
template <class Exec, class Schedule, class V, class I, class O>
auto plan_spmv_transposed(const Exec& exec, const Schedule& schedule, const csr_view<V, I, O>& a,
                          passes p) {
  return plan_spmv(exec, schedule, transposed(a), p);
}

/// The same, in two hops; see `in_hops`.
template <class Exec, class V, class I, class O>
auto plan_spmv_transposed(const Exec& exec, const csr_view<V, I, O>& a, in_hops how) {
  return plan_spmv(exec, transposed(a), how);
}

/// y = alpha A^T x + beta y by a transposed copy of A: as fast as SpMV over rows, for one value per
/// nonzero more. Values of A that change are seen after `refresh`.
template <class Exec, class Schedule, class V, class I, class O>
class spmv_transposed_copy_plan {
 public:
  using scalar = accumulator_t<V>;

  spmv_transposed_copy_plan(const Exec& exec, const Schedule& schedule, const csr_view<V, I, O>& a)
      : copy_(exec, a), plan_(exec, schedule, copy_.view()) {}

  /// See `spmv_plan` for what a call takes and promises.
  template <class X, class Y>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    plan_(x, std::forward<Y>(y), alpha, beta);
  }
  /// Reads the values of A again; see `transposed_copy`.
  void refresh() { copy_.refresh(); }
  /// As of `spmv_plan`.
  void check() { plan_.check(); }
  /// Bytes of device memory the plan and the copy hold.
  [[nodiscard]] std::size_t bytes() const { return copy_.bytes() + plan_.bytes(); }

 private:
  transposed_copy<Exec, V, I, O> copy_;
  spmv_plan<Exec, Schedule, csr_view<V, I, O>> plan_;
};

/// Prepares y = alpha A^T x + beta y for repeated use with values that change seldom.
template <class Exec, class Schedule, class V, class I, class O>
auto plan_spmv_transposed_copy(const Exec& exec, const Schedule& schedule,
                               const csr_view<V, I, O>& a) {
  return spmv_transposed_copy_plan<Exec, Schedule, V, I, O>(exec, schedule, a);
}

/// y = alpha A^T x + beta y, once: sorts every time. `a` is a view, or what owns the arrays.
template <class Exec, class Schedule, class Matrix, class X, class Y>
requires schedule_like<Schedule>
void spmv_transposed(const Exec& exec, const Schedule& schedule, const Matrix& a, const X& x, Y&& y,
                     accumulator_t<detail::value_in<Matrix>> alpha = 1,
                     accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmv(exec, schedule, transposed(detail::viewed(a)), x, std::forward<Y>(y), alpha, beta);
}

/// y = alpha A^T x + beta y, once, with the schedule that suits the matrix.
template <class Exec, class Matrix, class X, class Y>
requires requires {
  typename detail::value_in<Matrix>;
}
void spmv_transposed(const Exec& exec, const Matrix& a, const X& x, Y&& y,
                     accumulator_t<detail::value_in<Matrix>> alpha = 1,
                     accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmv_transposed(exec, schedule::automatic{1}, a, x, std::forward<Y>(y), alpha, beta);
}

}  // namespace loops
