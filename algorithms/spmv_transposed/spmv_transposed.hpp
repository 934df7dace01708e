// SPDX-License-Identifier: Apache-2.0
/// Transposed sparse matrix times dense vector: y = alpha A^T x + beta y for A by rows.
#pragma once

#include "algorithms/spmv/csc_rows.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/transposed.hpp"

#include <utility>

namespace loops {

/// Prepares y = alpha A^T x + beta y for repeated use: SpMV over the transposed view, whose rows
/// are found by sorting the nonzeros by column, once. See `spmv_plan` for what a call promises.
template <class Exec, class Schedule, class V, class I, class O>
auto plan_spmv_transposed(const Exec& exec, const Schedule& schedule, const csr_view<V, I, O>& a) {
  return plan_spmv(exec, schedule, transposed(a));
}

/// y = alpha A^T x + beta y, once: sorts every time.
template <class Exec, class Schedule, class V, class I, class O, class X, class Y>
void spmv_transposed(const Exec& exec, const Schedule& schedule, const csr_view<V, I, O>& a,
                     const X& x, Y&& y, accumulator_t<V> alpha = 1, accumulator_t<V> beta = {}) {
  spmv(exec, schedule, transposed(a), x, std::forward<Y>(y), alpha, beta);
}

}  // namespace loops
