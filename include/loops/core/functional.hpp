// SPDX-License-Identifier: Apache-2.0
/// Functors that most algorithms want: ways to combine two values, each with the value that changes
/// nothing; an array as a map, and as what a tile's value goes into.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/core/numeric.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace loops {

/// Sum.
struct plus {
  template <class T>
  LOOPS_HD constexpr T operator()(T a, T b) const {
    return a + b;
  }
  template <class T>
  static LOOPS_HD constexpr T identity() {
    return T{};
  }
};

/// The larger of two. What NaN gives depends on the order: it is neither larger nor smaller.
struct maximum {
  template <class T>
  LOOPS_HD constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  template <class T>
  static LOOPS_HD constexpr T identity() {
    using limits = std::numeric_limits<T>;
    static_assert(limits::is_specialized,
                  "nothing is known to be less than all of this type: name it, combine_with(…)");
    if constexpr (limits::has_infinity) return -limits::infinity();
    return limits::lowest();
  }
};

/// The smaller of two. NaN: as with `maximum`.
struct minimum {
  template <class T>
  LOOPS_HD constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
  template <class T>
  static LOOPS_HD constexpr T identity() {
    using limits = std::numeric_limits<T>;
    static_assert(limits::is_specialized,
                  "nothing is known to be more than all of this type: name it, combine_with(…)");
    if constexpr (limits::has_infinity) return limits::infinity();
    return limits::max();
  }
};

/// Maps an atom to its element of an array.
template <class T>
struct element_of {
  using pure = std::true_type;
  const T* values;
  LOOPS_HD T operator()(std::int64_t atom) const { return native::load_once(values + atom); }
};
template <class T>
element_of(const T*) -> element_of<T>;

/// Emits a tile's value into its element of an array: a sum of narrower values as `stored_as`.
template <class T>
struct store_in {
  T* out;
  template <class U>
  LOOPS_HD void operator()(std::int64_t tile, const U& value) const {
    if constexpr (std::is_same_v<U, accumulator_t<T>>) {
      out[tile] = stored_as<T>(value);
    } else {
      out[tile] = T(value);
    }
  }
};
template <class T>
store_in(T*) -> store_in<T>;

/// A caller's own operation together with its identity. Values are combined in their own type,
/// whatever the neutral one was written as.
template <class F, class T>
struct combiner {
  F f;
  T neutral;
  LOOPS_CALLS_USER
  template <class Value>
  LOOPS_HD constexpr Value operator()(Value a, Value b) const {
    return static_cast<Value>(f(a, b));
  }
  template <class Value>
  LOOPS_HD constexpr Value identity() const {
    return static_cast<Value>(neutral);
  }
};

/// Makes a combiner of any `f` that is associative, and commutative but for scans, with identity
/// `neutral`, which values can be made of.
template <class F, class T>
constexpr combiner<F, T> combine_with(F f, T neutral) {
  return {f, neutral};
}

}  // namespace loops
