// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times dense matrix: C = alpha A B + beta C, B and C by rows or columns.
#pragma once

#include "algorithms/spmm/product.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/schedule/automatic.hpp"

#include <memory>
#include <type_traits>

namespace loops {

/// SpMM prepared for one matrix, schedule, executor and shape of B. Calling it allocates nothing,
/// waits for nothing, and can be captured into a graph. Holds a view: the matrix must outlive it;
/// its values may change between uses, its pattern may not.
template <class Exec, class Schedule, class View>
class spmm_plan {
  using V = typename View::value_type;
  using rows = csr_view<V, typename View::index_type, typename View::offset_type>;
  static_assert(std::is_convertible_v<const View&, const rows&>,
                "SpMM takes CSR: convert the matrix, to_csr(a)");

 public:
  using scalar = accumulator_t<V>;

  /// Prepares for matrices like `b`: as many columns, the same layout, rows as well aligned. Rows
  /// of B are read in packs of 16 bytes; a B that lies by columns, or whose rows are no whole
  /// packs, is copied by every call into room that the plan holds, unless there is little to read:
  /// then that happens where it lies. Throws:
  /// invalid_argument when B has not as many rows as A columns, or an array is missing; overflow
  /// when B has more columns than 65536 copies of the grid hold.
  spmm_plan(const Exec& exec, const Schedule& schedule, const View& a, const dense_view<const V>& b,
            reuse uses = reuse::many_times)
      : product_(make(exec, schedule, a, b, uses)) {}

  /// C = alpha A B + beta C; C is not read when beta is zero. B and C must not overlap. Throws:
  /// invalid_argument when B is not like the one the plan was made for, C has not its shape, or C
  /// begins where B does.
  void operator()(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha = scalar(1),
                  scalar beta = scalar{}) const {
    product_->multiply(b, c, alpha, beta);
  }

  /// Waits for everything started so far. Throws: device when a result is wrong because a block
  /// waited for another one in vain.
  void check() { product_->check(); }
  /// Bytes of device memory the plan holds, the copy of B included.
  [[nodiscard]] std::size_t bytes() const { return product_->bytes(); }

 private:
  using product_type = spmm_detail::product<V>;
  static std::unique_ptr<product_type> make(const Exec& exec, const Schedule& schedule,
                                            const View& a, const dense_view<const V>& b,
                                            reuse uses) {
    check_arrays(a);
    check_dense(b, static_cast<std::int64_t>(a.cols), b.cols, "B");
    return spmm_detail::make_product(exec, schedule, a, b, uses);
  }

  std::unique_ptr<product_type> product_;
};

/// Prepares C = alpha A B + beta C for repeated use with matrices like `b`.
template <class Exec, class Schedule, class View>
auto plan_spmm(const Exec& exec, const Schedule& schedule, const View& a,
               const dense_view<const detail::value_in<View>>& b) {
  detail::require_view<View>();
  return spmm_plan<Exec, Schedule, View>(exec, schedule, a, b);
}

/// C = alpha A B + beta C, once. `a` is a view, or what owns the arrays. B and C must not overlap.
template <class Exec, class Schedule, class Matrix>
requires schedule_like<Schedule>
void spmm(const Exec& exec, const Schedule& schedule, const Matrix& a,
          const dense_view<const detail::value_in<Matrix>>& b,
          const dense_view<detail::value_in<Matrix>>& c,
          accumulator_t<detail::value_in<Matrix>> alpha = 1,
          accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmm_plan<Exec, Schedule, detail::view_of<Matrix>>(exec, schedule, detail::viewed(a), b,
                                                     reuse::once)(b, c, alpha, beta);
}

/// C = alpha A B + beta C, once, with the schedule that suits the matrix.
template <class Exec, class Matrix>
void spmm(const Exec& exec, const Matrix& a, const dense_view<const detail::value_in<Matrix>>& b,
          const dense_view<detail::value_in<Matrix>>& c,
          accumulator_t<detail::value_in<Matrix>> alpha = 1,
          accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmm(exec, schedule::automatic{1}, a, b, c, alpha, beta);
}

}  // namespace loops
