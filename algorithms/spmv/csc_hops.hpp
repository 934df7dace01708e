// SPDX-License-Identifier: Apache-2.0
/// SpMV over CSC whose products go to their rows in two hops, and are summed there.
#pragma once

#include "algorithms/spmv/csc_index.hpp"
#include "algorithms/spmv/functors.hpp"
#include "algorithms/spmv/hops.hpp"
#include "algorithms/spmv/in_hops.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/check_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace loops {

namespace spmv_detail {

/// The product of a nonzero and its column's element of x.
template <class V, class Sum>
struct column_product {
  const V* values;
  const V* x;
  LOOPS_HD V of_tile(std::int64_t column) const { return x[column]; }
  LOOPS_HD V of_atom(std::int64_t a) const { return native::load_once(values + a); }
  LOOPS_HD Sum operator()(const V& at, const V& value) const { return Sum(value) * Sum(at); }
};

}  // namespace spmv_detail

/// SpMV over CSC in two hops, prepared for one matrix. Holds a view: the matrix must outlive it;
/// its values may change between uses, its pattern may not. Making it: two sorts' time; waits.
/// Throws: invalid_argument as `plan_spmv`; unsupported for more nonzeros than `hops` carry.
template <class Exec, class V, class I, class O>
class spmv_hops_plan {
 public:
  using scalar = accumulator_t<V>;
  using sum = accumulator_t<V>;  ///< of a row
  static constexpr std::int64_t most_nonzeros = hops<Exec, sum, O>::most_atoms;

  spmv_hops_plan(const Exec& exec, const csc_view<V, I, O>& a)
      : exec_(exec), a_(checked(a)), hops_(made(exec)) {}

  /// y = alpha A x + beta y; see `spmv_plan`.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    const auto [from, to] =
        spmv_detail::vectors_of<V>(x, static_cast<std::int64_t>(a_.cols), std::forward<Y>(y),
                                   static_cast<std::int64_t>(a_.rows));
    hops_(spmv_detail::column_product<V, sum>{a_.values, from}, plus{},
          spmv_detail::scaled_store<V>{to, alpha, beta});
  }

  /// Waits for everything started so far.
  void check() { exec_.synchronize(); }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const { return hops_.bytes() + offsets_.size() * sizeof(O); }

 private:
  hops<Exec, sum, O> made(const Exec& exec) {
    spmv_detail::rows<spmv_detail::csc_part<V, I, O>> index(exec, spmv_detail::whole(a_));
    offsets_ = index.take_offsets();
    const segments<O> rows(offsets_.data(), static_cast<std::int64_t>(a_.rows),
                           static_cast<std::int64_t>(a_.nonzeros));
    return {exec, columns_of(a_), rows, index.order()};
  }

  Exec exec_;
  csc_view<V, I, O> a_;
  array<O> offsets_;
  hops<Exec, sum, O> hops_;
};

/// Prepares y = alpha A x + beta y for repeated use, in two hops.
template <class Exec, class V, class I, class O>
auto plan_spmv(const Exec& exec, const csc_view<V, I, O>& a, in_hops) {
  return spmv_hops_plan<Exec, V, I, O>(exec, a);
}

}  // namespace loops
