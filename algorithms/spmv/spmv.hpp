// SPDX-License-Identifier: Apache-2.0
/// Sparse matrix times dense vector: y = alpha A x + beta y, any format, any schedule.
#pragma once

#include "algorithms/spmv/row_index.hpp"
#include "loops/algorithm/automatic_plan.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/execution/fastest.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/schedule/measured.hpp"
#include "loops/select/several.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

/// SpMV prepared for one matrix, schedule and executor. Calling it allocates nothing, waits for
/// nothing, and can be captured into a graph. Holds a view: the matrix must outlive it; its values
/// may change between uses, its pattern may not. Making it throws: invalid_argument when a size is
/// negative or an array is missing.
template <class Exec, class Schedule, class View>
class spmv_plan {
  using V = typename View::value_type;
  using rows_type = spmv_detail::rows<View>;
  using work_type = decltype(std::declval<const rows_type&>().of());
  static constexpr bool tries = std::is_same_v<Schedule, schedule::measured>;
  using plan_type = tile_plan<Exec, std::conditional_t<tries, schedule::automatic, Schedule>,
                              work_type, typename rows_type::sum>;

 public:
  using scalar = accumulator_t<V>;
  using sum = typename rows_type::sum;  ///< of a tile

  spmv_plan(const Exec& exec, const Schedule& schedule, const View& a,
            reuse uses = reuse::many_times)
      : rows_(exec, checked(a)),
        row_count_(static_cast<std::int64_t>(a.rows)),
        col_count_(static_cast<std::int64_t>(a.cols)),
        plan_(planned(exec, schedule, uses)) {}

  /// y = alpha A x + beta y. `x` and `y` are raw pointers, spans, Thrust vectors or arrays in the
  /// executor's memory and must not overlap; y is not read when beta is zero. Throws:
  /// invalid_argument when a vector that knows its size is too short, or y begins where x does.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    const auto [from, to] =
        spmv_detail::vectors_of<V>(x, col_count_, std::forward<Y>(y), row_count_);
    start(plan_, from, {to, alpha, beta});
  }

  /// The schedule's plan; that of `schedule::automatic` or `measured` tells what was chosen and
  /// why.
  [[nodiscard]] const auto& plan() const { return plan_; }
  /// Waits for everything started so far. Throws: device when a result is wrong because a block
  /// waited for another one in vain.
  void check() { plan_.check(); }
  /// Bytes of device memory the schedule's plan holds.
  [[nodiscard]] std::size_t bytes() const { return plan_.bytes(); }

 private:
  void start(const plan_type& plan, const V* from, const spmv_detail::scaled_store<V>& to) const {
    reduce_tiles<sum>(plan, rows_.map(from), plus{}, rows_.emit(to));
  }

  /// Whoever chooses a schedule also wants to know where the nonzeros read `x`.
  template <class Chosen>
  plan_type planned(const Exec& exec, const Chosen& schedule, reuse uses) const {
    if constexpr (requires { plan_type(exec, schedule, rows_.of(), uses, rows_.columns()); }) {
      return plan_type(exec, schedule, rows_.of(), uses, rows_.columns());
    } else {
      return plan_type(exec, schedule, rows_.of(), uses);
    }
  }
  /// What `automatic` decides on for many uses: who makes a trial has enough of them for a look at
  /// the rows.
  select::decision likeliest(const Exec& exec, reuse uses) const {
    const schedule::automatic often{.uses = 1'000'000'000};
    if constexpr (requires { rows_.columns(); }) {
      return plan_type::decide(exec, often, rows_.of(), uses, rows_.columns());
    } else {
      return plan_type::decide(exec, often, rows_.of(), uses);
    }
  }
  /// Of the plans that might be the fastest and find memory the one that is, on vectors of zeros;
  /// without memory for a trial, the likeliest.
  plan_type planned(const Exec& exec, const schedule::measured& how, reuse uses) const {
    const int most = how.most();
    const machine m = exec.template describe<typename plan_type::shape_type>();
    const auto decisions = select::several(schedule::selector_for(m), likeliest(exec, uses), most);
    const auto made = [&](select::decision d, std::size_t trials) {
      d.tried = static_cast<int>(trials);
      plan_type plan(exec, d, rows_.of(), uses);
      if (d.gathered) plan.settle();  // the look has waited for the rows
      return plan;
    };
    const auto tried = [&] {
      std::vector<plan_type> plans;
      plans.reserve(decisions.size());
      array<V> x(static_cast<std::size_t>(col_count_), exec.memory());
      array<V> y(static_cast<std::size_t>(row_count_), exec.memory());
      x.fill(0);
      for (const select::decision& d : decisions)
        if (auto plan = if_it_fits([&] { return made(d, 0); })) plans.push_back(std::move(*plan));
      if (plans.empty()) return std::pair(decisions.front(), std::size_t{0});
      const std::size_t place = fastest(exec, plans.size(), [&](std::size_t i, int) {
                                  start(plans[i], x.data(), {y.data(), scalar(1), scalar{}});
                                }).place;
      return std::pair(plans[place].decision(), plans.size());
    };
    if (decisions.size() > 1)
      if (const auto best = if_it_fits(tried)) return made(best->first, best->second);
    return made(decisions.front(), 0);
  }

  rows_type rows_;
  std::int64_t row_count_;
  std::int64_t col_count_;
  plan_type plan_;
};

/// Prepares y = alpha A x + beta y for repeated use. With `schedule::measured` it runs what the
/// selector finds likely, and keeps the fastest: waits, allocates.
template <class Exec, class Schedule, class View>
auto plan_spmv(const Exec& exec, const Schedule& schedule, const View& a) {
  detail::require_view<View>();
  return spmv_plan<Exec, Schedule, View>(exec, schedule, a);
}

/// y = alpha A x + beta y, once. `a` is a view, or what owns the arrays.
template <class Exec, class Schedule, class Matrix, class X, class Y>
requires schedule_like<Schedule>
void spmv(const Exec& exec, const Schedule& schedule, const Matrix& a, const X& x, Y&& y,
          accumulator_t<detail::value_in<Matrix>> alpha = 1,
          accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmv_plan<Exec, Schedule, detail::view_of<Matrix>>(
      exec, schedule, detail::viewed(a), reuse::once)(x, std::forward<Y>(y), alpha, beta);
}

/// y = alpha A x + beta y, once, with the schedule that suits the matrix.
template <class Exec, class Matrix, class X, class Y>
requires requires {
  typename detail::value_in<Matrix>;
}
void spmv(const Exec& exec, const Matrix& a, const X& x, Y&& y,
          accumulator_t<detail::value_in<Matrix>> alpha = 1,
          accumulator_t<detail::value_in<Matrix>> beta = {}) {
  spmv(exec, schedule::automatic{1}, a, x, std::forward<Y>(y), alpha, beta);
}

}  // namespace loops
