// SPDX-License-Identifier: Apache-2.0
/// Which type sums of a value type are kept in and how they become values, and short vectors of
/// sums.
#pragma once

#include "loops/core/complex.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace loops {

/// `float` for floating-point types of 8 and 16 bits and tf32, 32-bit integers of the same sign for
/// those of 8 bits, otherwise the type itself.
template <class T>
struct accumulator {
  using type = T;
};
template <>
struct accumulator<half> {
  using type = float;
};
template <>
struct accumulator<bfloat16> {
  using type = float;
};
template <>
struct accumulator<float8_e4m3> {
  using type = float;
};
template <>
struct accumulator<float8_e5m2> {
  using type = float;
};
template <>
struct accumulator<tfloat32> {
  using type = float;
};
template <>
struct accumulator<std::int8_t> {
  using type = std::int32_t;
};
template <>
struct accumulator<std::uint8_t> {
  using type = std::uint32_t;
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

/// The integer of a type that is nearest to another. Requires: both fit 64 bits with a sign.
template <class To, class From>
LOOPS_HD constexpr To saturated(From value) {
  static_assert(std::is_integral_v<To> && std::is_integral_v<From>);
  static_assert(
      (sizeof(To) < 8 || std::is_signed_v<To>)&&(sizeof(From) < 8 || std::is_signed_v<From>));
  constexpr std::int64_t least = std::numeric_limits<To>::min();
  constexpr std::int64_t most = std::numeric_limits<To>::max();
  return static_cast<To>(value < least ? least : value > most ? most : value);
}

/// A sum as the type of values that it is stored in: an integer that this cannot hold becomes the
/// nearest that it can, as happens to floating-point numbers of 8 bits.
template <class V>
LOOPS_HD constexpr V stored_as(const accumulator_t<V>& sum) {
  if constexpr (std::is_integral_v<V> && !std::is_same_v<V, accumulator_t<V>>) {
    return saturated<V>(sum);
  } else {
    return V(sum);
  }
}

namespace detail {

/// Elements that are zero until they are filled, or whatever they were.
template <class T, int N, bool Zeros>
struct row_elements {
  T at[N] = {};
};
template <class T, int N>
struct row_elements<T, N, false> {
  T at[N];
};

}  // namespace detail

/// N values added element by element: the sums of a block row. Zeros are `{}`; without, those that
/// registers do not hold are left to who fills them. (What registers hold costs nothing to clear,
/// and compilers for GPUs do worse with values that might never have been written.)
template <class T, int N>
struct row_sums : detail::row_elements<T, N, (N * sizeof(T) <= 64)> {
  friend LOOPS_HD constexpr row_sums operator+(const row_sums& a, const row_sums& b) {
    row_sums r;
    for (int i = 0; i < N; ++i) r.at[i] = a.at[i] + b.at[i];
    return r;
  }
};

}  // namespace loops
