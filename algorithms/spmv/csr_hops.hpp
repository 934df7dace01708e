// SPDX-License-Identifier: Apache-2.0
/// SpMV over CSR to whose rows x comes in two hops.
#pragma once

#include "algorithms/spmv/column_lists.hpp"
#include "algorithms/spmv/in_hops.hpp"
#include "algorithms/spmv/rows.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/check_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace loops {

/// SpMV over CSR in two hops, prepared for one matrix. Holds a view: the matrix must outlive it;
/// its values may change between uses, its pattern may not. Making it: a sort's time; waits. Uses
/// of one plan are for one stream at a time. Throws: invalid_argument as `plan_spmv`; unsupported
/// where `column_lists` have no room.
template <class Exec, class V, class I, class O>
class spmv_csr_hops_plan {
  using lists_type = spmv_detail::column_lists<Exec, V, I, O>;

 public:
  using scalar = accumulator_t<V>;
  using sum = accumulator_t<V>;  ///< of a row

  spmv_csr_hops_plan(const Exec& exec, const csr_view<V, I, O>& a)
      : exec_(exec),
        a_(spmv_detail::with_ends(exec, a, rows_of(checked(a)))),
        rows_(stretched(exec, a_)),
        lists_(exec, a_, rows_.stretch()) {}

  /// y = alpha A x + beta y; see `spmv_plan`.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    const auto [from, to] =
        spmv_detail::vectors_of<V>(x, static_cast<std::int64_t>(a_.cols), std::forward<Y>(y),
                                   static_cast<std::int64_t>(a_.rows));
    const spmv_detail::scaled_store<V> emit{to, alpha, beta};
    rows_.emit_empty(plus{}, emit);
    if (a_.nonzeros == 0) return;
    lists_(a_.values, from, rows_.sums(plus{}, emit));
    rows_.join(plus{}, emit);
  }

  /// Where nonzeros find x.
  [[nodiscard]] const lists_type& lists() const { return lists_; }
  /// Waits for everything started so far.
  void check() { exec_.synchronize(); }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const { return rows_.bytes() + lists_.bytes(); }

 private:
  using stretched_type = typename lists_type::stretched_type;
  static stretched_type stretched(const Exec& exec, const csr_view<V, I, O>& a) {
    return {exec, rows_of(a),
            stretched_type::stretch_for(exec, static_cast<std::int64_t>(a.nonzeros))};
  }

  Exec exec_;
  csr_view<V, I, O> a_;
  stretched_type rows_;
  lists_type lists_;
};

/// Prepares y = alpha A x + beta y for repeated use, in two hops.
template <class Exec, class V, class I, class O>
auto plan_spmv(const Exec& exec, const csr_view<V, I, O>& a, in_hops) {
  return spmv_csr_hops_plan<Exec, V, I, O>(exec, a);
}

}  // namespace loops
