// SPDX-License-Identifier: Apache-2.0
/// Softmax over the nonzeros of every row: attention weights over a sparse mask.
#pragma once

#include "loops/algorithm/reduce_to_atoms.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/work/segments.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace loops {

namespace softmax_detail {

/// The largest of some values, and the sum of e^(value - largest) over them.
template <class S>
struct state {
  S largest;
  S sum;
};

/// Joins two states; associative and commutative up to rounding. One with NaN in either member has
/// it in all that it becomes a part of.
template <class S>
struct join {
  LOOPS_HD state<S> operator()(const state<S>& a, const state<S>& b) const {
    // Member by member and loaded first: what is chosen by its address has to have one.
    const state<S> one{a.largest, a.sum};
    const state<S> two{b.largest, b.sum};
    const bool second = one.largest < two.largest;
    const state<S> high{native::pick(second, two.largest, one.largest),
                        native::pick(second, two.sum, one.sum)};
    const state<S> low{native::pick(second, one.largest, two.largest),
                       native::pick(second, one.sum, two.sum)};
    // A share rather than nothing to add: the sum of what has no largest may be NaN.
    const S share = low.largest == -std::numeric_limits<S>::infinity()
                        ? S(0)
                        : std::exp(low.largest - high.largest);
    return {high.largest, high.sum + low.sum * share};
  }
  template <class>
  LOOPS_HD static state<S> identity() {
    return {-std::numeric_limits<S>::infinity(), S(0)};
  }
};

/// Scale times value; minus infinity is a place masked out, whatever the scale.
template <class S>
LOOPS_HD S scaled(S value, S scale) {
  const S product = scale * value;
  return native::pick(value == -std::numeric_limits<S>::infinity(), value, product);
}

/// One value as a state; one that is masked out adds nothing to any other.
template <class V>
struct first_state {
  using pure = std::true_type;
  using scalar = accumulator_t<V>;
  const V* values;
  scalar scale;
  LOOPS_HD state<scalar> operator()(std::int64_t a) const {
    return {scaled(scalar(values[a]), scale), scalar(1)};
  }
  /// The same of a stretch, on a CPU, which reads it again from its cache: no value waits for the
  /// one before it.
  [[nodiscard]] state<scalar> of_stretch(std::int64_t, std::int64_t first,
                                         std::int64_t last) const {
    constexpr scalar none = -std::numeric_limits<scalar>::infinity();
    state<scalar> s{none, 0};
    for (std::int64_t a = first; a < last; ++a) {
      const scalar v = scaled(scalar(values[a]), scale);
      s.largest = v > s.largest ? v : s.largest;
    }
    for (std::int64_t a = first; a < last; ++a) {
      const scalar v = scaled(scalar(values[a]), scale);
      s.sum += native::pick(v == none, scalar(0), std::exp(v - s.largest));
    }
    return s;
  }
};

/// Weighs a value by the state of its row. Plus infinity beside others has no share: all shares are
/// NaN.
template <class V>
struct weigh {
  using scalar = accumulator_t<V>;
  V* out;
  LOOPS_HD void operator()(std::int64_t, std::int64_t a, const state<scalar>& of,
                           const state<scalar>& row) const {
    const scalar infinity = std::numeric_limits<scalar>::infinity();
    const scalar sum =
        native::pick(row.largest == infinity, std::numeric_limits<scalar>::quiet_NaN(), row.sum);
    const scalar share = std::exp(of.largest - row.largest) / sum;
    out[a] = V(native::pick(of.largest == -infinity, scalar(0), share));
  }
};

}  // namespace softmax_detail

/// Softmax over the rows of one pattern: every nonzero is told the largest of its row, and the sum
/// (`reduce_to_atoms`), under one plan. `V` is the type of scores and weights.
/// Calling it allocates nothing, waits for nothing, and can be captured into a graph.
template <class Exec, class Schedule, class View, class V = typename View::value_type>
class softmax_plan {
  using work_type = decltype(rows_of(std::declval<const View&>()));

 public:
  using scalar = accumulator_t<V>;
  static_assert(std::is_floating_point_v<scalar>,
                "weights are fractions: scores are float, double, or of a type that is summed in "
                "float; where the mask has another, name theirs, as plan_softmax<float>");

  softmax_plan(const Exec& exec, const Schedule& schedule, const View& a,
               reuse uses = reuse::many_times)
      : nonzeros_(static_cast<std::int64_t>(a.nonzeros)),
        plan_(exec, schedule, rows_of(a), uses),
        rows_(static_cast<std::size_t>(a.rows), exec.memory()) {}

  /// out[n] = e^(scale values[n]) over the sum of that over the row of n, computed without
  /// overflow. `values` and `out` have an element per nonzero and may be the same. Minus infinity
  /// gets weight zero, whatever the scale and whatever else is in its row. All other weights of a
  /// row are NaN where a value times the scale is NaN or plus infinity.
  template <class In, class Out>
  requires vector_argument<const In, const V> && vector_argument<Out, V>
  void operator()(const In& values, Out&& out, scalar scale = scalar(1)) const {
    const V* from = vector_data<const V>(values, nonzeros_, "values");
    V* to = vector_data<V>(std::forward<Out>(out), nonzeros_, "out");
    auto* rows = const_cast<state*>(rows_.data());
    reduce_to_atoms(plan_, rows, softmax_detail::first_state<V>{from, scale},
                    softmax_detail::join<scalar>{}, softmax_detail::weigh<V>{to});
  }

  /// Waits for everything started so far. Throws: device when a result is wrong because a block
  /// waited for another one in vain.
  void check() { plan_.check(); }

 private:
  using state = softmax_detail::state<scalar>;
  std::int64_t nonzeros_;
  tile_plan<Exec, Schedule, work_type, state> plan_;
  array<state> rows_;
};

/// Prepares softmax over the rows of `a`, whose own values are not read: for scores of their type,
/// or of another, as in `plan_softmax<float>(exec, schedule, a)`.
template <class Score = void, class Exec, class Schedule, class View>
auto plan_softmax(const Exec& exec, const Schedule& schedule, const View& a) {
  detail::require_view<View>();
  using score = std::conditional_t<std::is_void_v<Score>, detail::value_in<View>, Score>;
  return softmax_plan<Exec, Schedule, View, score>(exec, schedule, a);
}

}  // namespace loops
