// SPDX-License-Identifier: Apache-2.0
/// The reference for y = alpha A x + beta y, and how far a result may be from it.
#pragma once

#include "loops/core/numeric.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cli/device.hpp"

namespace loops::cli {

/// Real and imaginary part of any value type as `double`.
struct parts {
  double re = 0;
  double im = 0;
};
template <class V>
parts parts_of(V v) {
  return {static_cast<double>(static_cast<accumulator_t<V>>(v)), 0};
}
template <class T>
parts parts_of(complex<T> v) {
  return {static_cast<double>(v.re), static_cast<double>(v.im)};
}

/// The facts about rounding of a value type.
template <class V>
struct rounding {
  static constexpr double sum = std::numeric_limits<accumulator_t<V>>::epsilon();
  static constexpr double tiny = std::numeric_limits<accumulator_t<V>>::denorm_min();
  static constexpr double store = 0;  ///< relative error of storing a sum
  static constexpr double largest = static_cast<double>(std::numeric_limits<V>::max());
};
template <class T>
struct rounding<complex<T>> : rounding<T> {};
template <>
struct rounding<half> : rounding<float> {
  static constexpr double tiny = 0x1p-24;
  static constexpr double store = 0x1p-10;
  static constexpr double largest = 65504;
};
template <>
struct rounding<bfloat16> : rounding<float> {
  static constexpr double tiny = 0x1p-133;
  static constexpr double store = 0x1p-7;
  static constexpr double largest = 0x1.fep127;
};

/// A sum of products that is as exact as in twice the precision of `double` (Ogita, Rump and
/// Oishi's Dot2), so that results in `double` can be judged too.
class exact_sum {
 public:
  void add_product(double a, double b) {
    const double product = a * b;
    const double lost = std::fma(a, b, -product);
    const double next = sum_ + product;
    const double part = next - sum_;
    rest_ += (sum_ - (next - part)) + (product - part) + lost;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return std::isfinite(sum_) ? sum_ + rest_ : sum_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

/// One row of the reference before alpha and beta.
struct reference_row {
  parts sum;
  double magnitude = 0;  ///< the sum of |a x|
  std::int64_t nonzeros = 0;
};

/// A x, row by row, for the values as they are stored.
template <class V, class I, class O>
std::vector<reference_row> reference_of(const csr_view<V, I, O>& a, const std::vector<V>& x) {
  std::vector<reference_row> out(static_cast<std::size_t>(a.rows));
  for (std::size_t r = 0; r < out.size(); ++r) {
    exact_sum re;
    exact_sum im;
    for (O k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      const parts v = parts_of(a.values[k]);
      const parts w = parts_of(x[static_cast<std::size_t>(a.indices[k])]);
      re.add_product(v.re, w.re);
      re.add_product(-v.im, w.im);
      im.add_product(v.re, w.im);
      im.add_product(v.im, w.re);
      out[r].magnitude += (std::abs(v.re) + std::abs(v.im)) * (std::abs(w.re) + std::abs(w.im));
    }
    out[r].sum = {re.value(), im.value()};
    out[r].nonzeros = static_cast<std::int64_t>(a.offsets[r + 1] - a.offsets[r]);
  }
  return out;
}

/// Error over bound for one number: at most 1 when it is acceptable.
template <class V>
double error_ratio(double got, double wanted, double bound) {
  if (std::isnan(wanted)) return std::isnan(got) ? 0 : 2;
  if (std::abs(wanted) + bound > rounding<V>::largest) {
    // Where the result may not fit the type, infinity of the right sign is a right answer.
    if (std::isinf(got) && std::signbit(got) == std::signbit(wanted)) return 0;
    if (std::isinf(wanted)) return 2;
  }
  const double ratio = std::abs(got - wanted) / bound;
  return ratio >= 0 ? ratio : std::numeric_limits<double>::infinity();
}

/// Judges y. A row of n nonzeros may be off by (n + 4) eps sum|a x| for any order of summation,
/// eps being that of the type sums are kept in (complex: 2 n + 4), plus what alpha, beta, storing
/// in 16 bits and denormal numbers add. NaN is never right unless the reference is NaN, or a part
/// of the sum may not fit its type: then infinities may have met.
template <class V>
verdict judge(const std::vector<reference_row>& rows, const std::vector<V>& y,
              const std::vector<V>& y_before, const run_options& options) {
  using facts = rounding<V>;
  verdict out;
  constexpr std::int64_t per_product = std::is_class_v<accumulator_t<V>> ? 2 : 1;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const reference_row& row = rows[r];
    const parts old = options.beta == 0 ? parts{} : parts_of(y_before[r]);
    const parts wanted{options.alpha * row.sum.re + options.beta * old.re,
                       options.alpha * row.sum.im + options.beta * old.im};
    const double size = std::abs(options.alpha) * row.magnitude +
                        std::abs(options.beta) * (std::abs(old.re) + std::abs(old.im));
    const auto terms = static_cast<double>(per_product * row.nonzeros + 4);
    const double bound = terms * (facts::sum * size + facts::tiny) +
                         facts::store * (std::abs(wanted.re) + std::abs(wanted.im));
    const parts got = parts_of(y[r]);
    constexpr double nearly = 1 - 0x1p-7;
    const bool fits = size <= nearly * rounding<accumulator_t<V>>::largest ||
                      std::isinf(wanted.re) || std::isinf(wanted.im);
    if (!fits && !(std::isfinite(got.re) && std::isfinite(got.im))) continue;
    const double ratio = std::max(error_ratio<V>(got.re, wanted.re, bound),
                                  error_ratio<V>(got.im, wanted.im, bound));
    if (!(ratio <= out.worst)) {
      out.worst = ratio;
      out.worst_row = static_cast<std::int64_t>(r);
    }
  }
  out.correct = out.worst <= 1;
  return out;
}

}  // namespace loops::cli
