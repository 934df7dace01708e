// SPDX-License-Identifier: Apache-2.0
/// What can be done with a finished sum before it is stored: scales, biases, activations.
#pragma once

#include "algorithms/gemm/stretches.hpp"
#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"
#include "loops/core/wide.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

/// Every part is a function object `(sum, row, col, old)` that can be copied bit by bit; `old()`
/// reads what C held before, and a part that does not call it costs no read. Parts apply in the
/// order in which they are listed. A column-major C is computed transposed: a part may say what it
/// is there (`transposed()`), else row and column are exchanged for it. `of_batch(b)` may say what
/// it is for matrix b of a batch. `check(c, b, where)` may throw what is wrong with it for the
/// caller's matrices C, the first of which is number b; nobody asks where C is empty. Parts only
/// compute: they may be called more than once for an element, with sums that are not stored, and in
/// trials (`schedule::measured`), so one that writes or counts is no part.
namespace loops::epilogue {

namespace detail {

/// Refuses a part without its vector, or with one that cannot be addressed or that C is written
/// over: of `length` elements for each C, the first for matrix `batch`.
template <class Part, class C>
void check_vector(const Part& part, const char* name, std::int64_t length, const C& c,
                  std::int64_t batch, source_place where) {
  constexpr const char* what = "the values of ";
  if (!part.values)
    throw error(errc::invalid_argument, std::string(what) + name + " are a null pointer", where);
  // The last value's offset has to be a number.
  const auto far = static_cast<loops::detail::wide_int>(batch + c.batch - 1) * part.batch_stride;
  constexpr auto most = INT64_MAX / static_cast<std::int64_t>(sizeof(*part.values));
  if ((far < 0 ? -far : far) + length > most)
    throw error(errc::overflow, std::string(what) + name + " span more bytes than can be addressed",
                where);
  gemm_detail::check_apart(
      gemm_detail::memory_of(part.of_batch(batch).values, length, part.batch_stride, c.batch), what,
      name, gemm_detail::memory_of(c), where);
}

/// The sum, and for minus infinity the least number instead: zero times it is zero.
template <class S>
LOOPS_HD S finite_below(S sum) {
  constexpr S least = std::numeric_limits<S>::lowest();
  return sum < least ? least : sum;
}

}  // namespace detail

/// alpha * sum; zero, whatever the sum, when alpha is zero.
template <class T>
struct alpha {
  T factor;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    return factor == T(0) ? S(0) : S(factor) * sum;
  }
  [[nodiscard]] constexpr alpha transposed() const { return *this; }
};
template <class T>
alpha(T) -> alpha<T>;

/// sum + beta * C; C is not read when beta is zero.
template <class T>
struct beta {
  T factor;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old& old) const {
    return factor == T(0) ? sum : sum + S(factor) * S(old());
  }
  [[nodiscard]] constexpr beta transposed() const { return *this; }
};
template <class T>
beta(T) -> beta<T>;

template <class T>
struct per_column_bias;
template <class T>
struct per_column_scale;

/// sum + values[row].
template <class T>
struct per_row_bias {
  const T* values;
  std::int64_t batch_stride = 0;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t row, std::int32_t, const Old&) const {
    return sum + S(values[row]);
  }
  template <class C>
  void check(const C& c, std::int64_t batch, source_place where) const {
    detail::check_vector(*this, "per_row_bias", c.rows, c, batch, where);
  }
  [[nodiscard]] LOOPS_HD per_row_bias of_batch(std::int64_t b) const {
    return {values + b * batch_stride, 0};
  }
  [[nodiscard]] constexpr per_column_bias<T> transposed() const;
};

/// sum + values[col].
template <class T>
struct per_column_bias {
  const T* values;
  std::int64_t batch_stride = 0;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t col, const Old&) const {
    return sum + S(values[col]);
  }
  template <class C>
  void check(const C& c, std::int64_t batch, source_place where) const {
    detail::check_vector(*this, "per_column_bias", c.cols, c, batch, where);
  }
  [[nodiscard]] LOOPS_HD per_column_bias of_batch(std::int64_t b) const {
    return {values + b * batch_stride, 0};
  }
  [[nodiscard]] constexpr per_row_bias<T> transposed() const { return {values, batch_stride}; }
};
template <class T>
constexpr per_column_bias<T> per_row_bias<T>::transposed() const {
  return {values, batch_stride};
}

/// sum * values[row].
template <class T>
struct per_row_scale {
  const T* values;
  std::int64_t batch_stride = 0;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t row, std::int32_t, const Old&) const {
    return sum * S(values[row]);
  }
  template <class C>
  void check(const C& c, std::int64_t batch, source_place where) const {
    detail::check_vector(*this, "per_row_scale", c.rows, c, batch, where);
  }
  [[nodiscard]] LOOPS_HD per_row_scale of_batch(std::int64_t b) const {
    return {values + b * batch_stride, 0};
  }
  [[nodiscard]] constexpr per_column_scale<T> transposed() const;
};

/// sum * values[col].
template <class T>
struct per_column_scale {
  const T* values;
  std::int64_t batch_stride = 0;
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t col, const Old&) const {
    return sum * S(values[col]);
  }
  template <class C>
  void check(const C& c, std::int64_t batch, source_place where) const {
    detail::check_vector(*this, "per_column_scale", c.cols, c, batch, where);
  }
  [[nodiscard]] LOOPS_HD per_column_scale of_batch(std::int64_t b) const {
    return {values + b * batch_stride, 0};
  }
  [[nodiscard]] constexpr per_row_scale<T> transposed() const { return {values, batch_stride}; }
};
template <class T>
constexpr per_column_scale<T> per_row_scale<T>::transposed() const {
  return {values, batch_stride};
}

/// max(sum, 0); NaN stays NaN.
struct relu {
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    return sum < S(0) ? S(0) : sum;
  }
  [[nodiscard]] constexpr relu transposed() const { return *this; }
};

/// sum * Phi(sum), Phi the normal distribution: GELU as it is defined, not its tanh approximation;
/// zero, its limit, for minus infinity.
/// As 1 - Phi(-|sum|) or Phi(-|sum|), since 1 + erf has no digits left where Phi is small; in
/// binary32 within 2^-20 of its value, times 1 + sum^2 / 2 below zero, until that is subnormal.
struct gelu {
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    sum = detail::finite_below(sum);
    const S tail = below(std::fabs(sum));
    return sum * (sum < S(0) ? tail : S(1) - tail);
  }
  [[nodiscard]] constexpr gelu transposed() const { return *this; }

 private:
  /// Phi(-x) for x from 0 on. In binary32 t exp(q(t) - x^2 / 2) with t = 1 / (1 + 0.4 x), q fitted
  /// to 1.5e-7 for x up to 14: few registers, of which an epilogue has none to spare.
  template <class S>
  static LOOPS_HD S below(S x) {
    if constexpr (sizeof(S) == 4) {
      constexpr S q[] = {0.200037647371F, -1.01993026145F, 2.03545774361F,
                         -1.84475400269F, 0.601893410475F, -0.204621960961F,
                         0.37740880571F,  0.996448334975F, -1.83508675086F};
      const S t = S(1) / (S(1) + S(0.4) * x);
      S sum = q[0];
      LOOPS_UNROLL
      for (int i = 1; i < 9; ++i) sum = sum * t + q[i];
      return t * std::exp(sum - S(0.5) * x * x);
    } else {
      return S(0.5) * std::erfc(x * S(0.70710678118654752440));
    }
  }
};

/// sum / (1 + exp(-sum)); zero, its limit, for minus infinity.
struct silu {
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    sum = detail::finite_below(sum);
    return sum / (S(1) + std::exp(-sum));
  }
  [[nodiscard]] constexpr silu transposed() const { return *this; }
};

}  // namespace loops::epilogue
