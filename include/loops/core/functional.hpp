// SPDX-License-Identifier: Apache-2.0
/// Ways to combine two values, each with the value that changes nothing.
#pragma once

#include "loops/backend/config.hpp"

#include <limits>

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

/// The larger of two.
struct maximum {
  template <class T>
  LOOPS_HD constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  template <class T>
  static LOOPS_HD constexpr T identity() {
    return std::numeric_limits<T>::lowest();
  }
};

/// The smaller of two.
struct minimum {
  template <class T>
  LOOPS_HD constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
  template <class T>
  static LOOPS_HD constexpr T identity() {
    return std::numeric_limits<T>::max();
  }
};

/// A caller's own operation together with its identity.
template <class F, class T>
struct combiner {
  F f;
  T neutral;
  LOOPS_CALLS_USER
  LOOPS_HD constexpr T operator()(T a, T b) const { return f(a, b); }
  template <class>
  LOOPS_HD constexpr T identity() const {
    return neutral;
  }
};

/// Makes a combiner of any associative and commutative `f` with identity `neutral`.
template <class F, class T>
constexpr combiner<F, T> combine_with(F f, T neutral) {
  return {f, neutral};
}

}  // namespace loops
