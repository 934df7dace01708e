// SPDX-License-Identifier: Apache-2.0
/// Products of random matrices on any executor, against an oracle in binary64.
#pragma once

#include "algorithms/gemm/gemm.hpp"
#include "loops/schedule/dense_schedules.hpp"
#include "support/emulated_gemm.hpp"
#include "support/executors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace products {

using loops::layout;
inline constexpr layout row = layout::row_major;
inline constexpr layout col = layout::column_major;

/// Half a unit in the last place of 1, for the type of results.
template <class T>
constexpr double rounding() {
  if constexpr (std::is_same_v<T, double>) return 0x1p-53;
  if constexpr (std::is_same_v<T, float>) return 0x1p-24;
  if constexpr (std::is_same_v<T, loops::half>) return 0x1p-11;
  if constexpr (std::is_same_v<T, loops::bfloat16>) return 0x1p-9;
  if constexpr (std::is_same_v<T, loops::float8_e4m3>) return 0x1p-4;
  if constexpr (std::is_integral_v<T>) return 0;
  return 0x1p-3;
}
/// The smallest step of the type, for results that are subnormal.
template <class T>
constexpr double smallest() {
  if constexpr (std::is_same_v<T, loops::half>) return 0x1p-25;
  if constexpr (std::is_same_v<T, loops::float8_e4m3>) return 0x1p-10;
  if constexpr (std::is_same_v<T, loops::float8_e5m2>) return 0x1p-17;
  return 0;
}

/// A value of T for one in -1 … 1: all values of 8-bit integers.
template <class T>
T element_at(double x) {
  if constexpr (std::is_same_v<T, std::int8_t>) return T(std::floor(127.999 * x));
  if constexpr (std::is_integral_v<T>) return T(1e6 * x);
  return T(static_cast<loops::accumulator_t<T>>(x));
}

/// A matrix, or a batch of them, with room between rows and a few elements before the first.
template <class T, layout Layout>
struct owned {
  std::int64_t rows, cols, leading, batch, stride, before;
  std::vector<T> values;
  loops::array<T> device;

  template <class Exec>
  owned(const Exec& exec, std::int64_t r, std::int64_t c, std::int64_t gap, std::int64_t count,
        std::int64_t shift, unsigned seed)
      : rows(r),
        cols(c),
        leading((Layout == row ? c : r) + gap),
        batch(count),
        stride((Layout == row ? r : c) * leading + gap),
        before(shift),
        values(static_cast<std::size_t>(before + count * stride + 16)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> some(-1, 1);
    for (T& v : values) v = element_at<T>(some(random));
    device = loops::array<T>(values, exec.memory());
  }
  [[nodiscard]] loops::matrix<const T, Layout> view() const {
    return {device.data() + before, rows, cols, leading, batch, batch > 1 ? stride : 0};
  }
  [[nodiscard]] loops::matrix<T, Layout> target() {
    return {device.data() + before, rows, cols, leading, batch, batch > 1 ? stride : 0};
  }
  [[nodiscard]] std::size_t index(std::int64_t b, std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(before + (batch > 1 ? b * stride : 0) +
                                    (Layout == row ? i * leading + j : j * leading + i));
  }
  /// What is multiplied. `exact`: tf32 too is what it was before rounding.
  [[nodiscard]] double at(std::int64_t b, std::int64_t i, std::int64_t j,
                          bool exact = false) const {
    using sum = loops::accumulator_t<T>;
    const T& v = values[index(b, i, j)];
    return exact ? double(sum(v)) : double(loops::tile::multiplied_as<sum>(v));
  }
};

/// A product to try.
struct sizes {
  std::int64_t m, n, k;
  std::int64_t batch = 1;
  std::int64_t gap = 0;    ///< elements between rows
  std::int64_t shift = 0;  ///< elements before the first: what spoils alignment
};

/// Whether products of tf32 operands are taken in binary32: on CDNA, which has no use for less.
#if LOOPS_HIP
template <class Exec>
constexpr bool exact_tf32 = true;
#elif LOOPS_CUDA
template <class Exec>
constexpr bool exact_tf32 = false;
#else
template <class Exec>
constexpr bool exact_tf32 = std::is_same_v<Exec, loops::emulation_executor<64>>;
#endif

/// Sums of |a| |b| times this, per addition, are allowed as error: tensor cores cut where others
/// round, hence twice the unit.
template <class S>
constexpr double unit = 4 * rounding<S>();
/// The same, of all additions together: NVIDIA's keep 13 bits or so of the 8-bit floats they add
/// up.
template <class T>
constexpr double cut = LOOPS_CUDA && sizeof(T) == 1 && !std::is_integral_v<T> ? 0x1p-12 : 0;

/// What a result can hold: integers do not wrap.
template <class T>
double held(double sum) {
  if constexpr (std::is_integral_v<T>)
    return std::clamp(sum, double(std::numeric_limits<T>::min()),
                      double(std::numeric_limits<T>::max()));
  return sum;
}

/// A part of an epilogue that is copied, but neither assigned nor made of nothing.
struct plus_constant {
  const float value;
  explicit plus_constant(float v) : value(v) {}
  template <class S, class Old>
  LOOPS_HD S operator()(S sum, std::int32_t, std::int32_t, const Old&) const {
    return sum + S(value);
  }
};

/// What is made of a product: alpha A B + beta C.
struct scales {
  float alpha = 1;
  float beta = 0;
};

/// A product of random matrices, and what every element of alpha A B + beta C has to be: worked out
/// once, for as many ways to multiply as one likes.
template <class TA, class TB, class TC, layout LA, layout LB, layout LC>
class expected_product {
 public:
  template <class Exec>
  expected_product(const Exec& exec, const sizes& s, const scales& by = {})
      : sizes_(s),
        a_(exec, s.m, s.k, s.gap, s.batch, s.shift, 1),
        b_(exec, s.k, s.n, s.gap, s.batch, s.shift, 2),
        c_(exec, s.m, s.n, s.gap, s.batch, s.shift, 3) {
    std::vector<double> row_of_a(static_cast<std::size_t>(s.k));
    std::vector<double> columns_of_b(static_cast<std::size_t>(s.n * s.k));
    std::vector<double> ties_of_a(row_of_a.size());
    std::vector<double> ties_of_b(columns_of_b.size());
    elements_.reserve(static_cast<std::size_t>(s.batch * s.m * s.n));
    for (std::int64_t z = 0; z < s.batch; ++z) {
      for (std::int64_t j = 0; j < s.n; ++j)
        for (std::int64_t q = 0; q < s.k; ++q) {
          const auto at = static_cast<std::size_t>(j * s.k + q);
          columns_of_b[at] = b_.at(z, q, j, exact_tf32<Exec>);
          ties_of_b[at] = tie(b_.at(z, q, j, true), columns_of_b[at]);
        }
      for (std::int64_t i = 0; i < s.m; ++i) {
        for (std::int64_t q = 0; q < s.k; ++q) {
          const auto at = static_cast<std::size_t>(q);
          row_of_a[at] = a_.at(z, i, q, exact_tf32<Exec>);
          ties_of_a[at] = tie(a_.at(z, i, q, true), row_of_a[at]);
        }
        for (std::int64_t j = 0; j < s.n; ++j) {
          double sum = 0, size = 0, ties = 0;
          for (std::int64_t q = 0; q < s.k; ++q) {
            const auto in_a = static_cast<std::size_t>(q);
            const auto in_b = static_cast<std::size_t>(j * s.k + q);
            const double term = row_of_a[in_a] * columns_of_b[in_b];
            sum += term;
            size += std::abs(term);
            ties += std::abs(row_of_a[in_a]) * ties_of_b[in_b] +
                    ties_of_a[in_a] * std::abs(columns_of_b[in_b]);
          }
          const double before = by.beta == 0 ? 0 : by.beta * c_.at(z, i, j, true);
          sum = by.alpha * sum + before;
          size = std::abs(by.alpha) * size + std::abs(before);
          const double share = double(s.k + 8) * unit<loops::accumulator_t<TA>> + cut<TA>;
          const double bound = size * share + std::abs(by.alpha) * ties +
                               std::abs(sum) * 2 * rounding<TC>() + smallest<TC>();
          elements_.push_back({held<TC>(sum), bound});
        }
      }
    }
  }

  /// C by `multiply(a, b, c)`, every element within the bound, nothing else touched; the bits of C.
  template <class Exec, class Multiply>
  std::vector<TC> check(const Exec& exec, const Multiply& multiply) {
    c_.device = loops::array<TC>(c_.values, exec.memory());
    multiply(a_.view(), b_.view(), c_.target());
    exec.synchronize();
    const std::vector<TC> got = c_.device.to_vector();
    std::vector<bool> written(got.size());
    std::int64_t wrong = 0;
    auto next = elements_.begin();
    for (std::int64_t z = 0; z < sizes_.batch; ++z)
      for (std::int64_t i = 0; i < sizes_.m; ++i)
        for (std::int64_t j = 0; j < sizes_.n; ++j) {
          const element& e = *next++;
          const std::size_t at = c_.index(z, i, j);
          written[at] = true;
          const double value = double(static_cast<loops::accumulator_t<TC>>(got[at]));
          if (!(std::abs(value - e.sum) <= e.bound) && ++wrong < 4)
            ADD_FAILURE() << "element (" << i << ", " << j << ") of matrix " << z << " is " << value
                          << ", expected " << e.sum << " +- " << e.bound;
        }
    EXPECT_EQ(wrong, 0) << sizes_.m << " x " << sizes_.n << " x " << sizes_.k << ", batch "
                        << sizes_.batch << ", gap " << sizes_.gap << ", shift " << sizes_.shift;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (written[i]) continue;
      EXPECT_EQ(std::memcmp(&got[i], &c_.values[i], sizeof(TC)), 0)
          << "element " << i << " lies outside of C and was written";
    }
    return got;
  }

 private:
  struct element {
    double sum, bound;
  };
  /// What an operand that lies in the middle between two that the multiplier knows may differ by:
  /// instructions round it away from zero, Hopper's copy unit to even.
  static double tie(double exact, double rounded) {
    const double change = std::abs(exact - rounded);
    return change > 0 && change == std::ldexp(1.0, std::ilogb(exact) - 11) ? 2 * change : 0;
  }
  sizes sizes_;
  owned<TA, LA> a_;
  owned<TB, LB> b_;
  owned<TC, LC> c_;
  std::vector<element> elements_;
};

/// One product, multiplied once.
template <class TA, class TB, class TC, layout LA, layout LB, layout LC, class Exec, class Multiply>
std::vector<TC> check_product(const Exec& exec, const sizes& s, const Multiply& multiply,
                              const scales& by = {}) {
  return expected_product<TA, TB, TC, LA, LB, LC>(exec, s, by).check(exec, multiply);
}

/// The same by `schedule`.
template <class TA, class TB, class TC, layout LA, layout LB, layout LC, class Exec, class Schedule>
std::vector<TC> check(const Exec& exec, const Schedule& schedule, const sizes& s) {
  return check_product<TA, TB, TC, LA, LB, LC>(
      exec, s,
      [&](const auto& a, const auto& b, const auto& c) { loops::gemm(exec, schedule, a, b, c); });
}

/// One type in all layouts, sizes with every kind of tail, a schedule of each kind.
template <class TA, class TB, class TC, class Exec>
void check_type(const Exec& exec) {
  using namespace loops;
  check<TA, TB, TC, row, row, row>(exec, schedule::stream_k{}, {70, 45, 150});
  check<TA, TB, TC, row, row, row>(exec, schedule::stream_k{}, {128, 64, 128});
  check<TA, TB, TC, row, row, row>(exec, schedule::stream_k{}, {1, 1, 1});
  check<TA, TB, TC, row, row, row>(exec, schedule::stream_k{}, {33, 100, 17, 1, 3, 1});
  check<TA, TB, TC, row, col, row>(exec, schedule::data_parallel{}, {70, 45, 70});
  check<TA, TB, TC, row, col, row>(exec, schedule::data_parallel{}, {96, 80, 144, 2, 16, 0});
  check<TA, TB, TC, row, col, row>(exec, schedule::data_parallel{}, {3, 130, 5});
  check<TA, TB, TC, col, row, row>(exec, schedule::split_k{2}, {70, 45, 200});
  check<TA, TB, TC, col, row, row>(exec, schedule::split_k{2}, {80, 96, 144, 1, 16, 0});
  check<TA, TB, TC, col, row, row>(exec, schedule::split_k{2}, {65, 2, 3, 3, 0, 1});
  check<TA, TB, TC, col, col, row>(exec, schedule::stream_k{.waves = 2}, {70, 45, 70});
  check<TA, TB, TC, col, col, row>(exec, schedule::stream_k{.waves = 2}, {144, 80, 64, 1, 16, 0});
  check<TA, TB, TC, col, col, row>(exec, schedule::stream_k{.waves = 2}, {1, 200, 90});
}

}  // namespace products
