// SPDX-License-Identifier: Apache-2.0
/// Each part computes what it says, for the matrix of a batch and the element that it is for.
#include "algorithms/gemm/epilogue_parts.hpp"

#include "algorithms/gemm/gemm.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "gemm/products.hpp"

namespace {

using namespace loops;
using products::col;
using products::owned;
using products::row;

/// What a part makes of a sum.
template <class Part, class S>
S value_of(const Part& part, S sum) {
  return part(sum, 0, 0, [] { return S(7); });
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class S>
void check_values() {
  const S huge = std::numeric_limits<S>::max();
  EXPECT_EQ(value_of(epilogue::relu{}, S(2.5)), S(2.5));
  EXPECT_EQ(value_of(epilogue::relu{}, S(-2.5)), S(0));
  EXPECT_EQ(value_of(epilogue::relu{}, huge), huge);
  EXPECT_EQ(value_of(epilogue::relu{}, -huge), S(0));
  for (double x = -20; x < 20; x += 0.03125) {
    const double right = x / (1 + std::exp(-x));
    const double error = 8 * double(std::numeric_limits<S>::epsilon());
    EXPECT_NEAR(value_of(epilogue::silu{}, S(x)), right, std::abs(right) * error) << x;
  }
  EXPECT_EQ(value_of(epilogue::silu{}, huge), huge);
  EXPECT_EQ(value_of(epilogue::silu{}, -huge), S(0));
  EXPECT_EQ(value_of(epilogue::alpha{S(-2)}, S(3)), S(-6));
  EXPECT_EQ(value_of(epilogue::beta{S(-2)}, S(3)), S(-11));
}

TEST(epilogue_parts, have_the_values_of_their_functions) {
  check_values<float>();
  check_values<double>();
}

template <class S, class Part>
void check_nan_and_zeros(const Part& part) {
  EXPECT_TRUE(std::isnan(value_of(part, S(nan))));
  for (const S zero : {S(0), -S(0)}) {
    const S got = value_of(part, zero);
    EXPECT_EQ(got, S(0));
    EXPECT_EQ(std::signbit(got), std::signbit(zero));
  }
}

TEST(epilogue_parts, activations_keep_nan_and_the_signs_of_zeros) {
  const auto check = [](const auto& part) {
    check_nan_and_zeros<float>(part);
    check_nan_and_zeros<double>(part);
  };
  check(epilogue::relu{});
  check(epilogue::silu{});
  check(epilogue::gelu{});
}

TEST(epilogue_parts, activations_of_infinities_are_their_limits) {
  const auto check = [](const auto& part, auto infinity) {
    EXPECT_EQ(value_of(part, infinity), infinity);
    EXPECT_EQ(value_of(part, -infinity), 0);
  };
  const auto check_both = [&](const auto& part) {
    check(part, INFINITY);
    check(part, double(INFINITY));
  };
  check_both(epilogue::relu{});
  check_both(epilogue::silu{});
  check_both(epilogue::gelu{});
}

TEST(epilogue_parts, alpha_of_zero_hides_what_was_summed) {
  for (const double sum : {nan, double(INFINITY), -double(INFINITY)}) {
    EXPECT_EQ(value_of(epilogue::alpha{0.0F}, sum), 0.0);
    EXPECT_EQ(value_of(epilogue::alpha{0.0}, float(sum)), 0.0F);
  }
  EXPECT_TRUE(std::isnan(value_of(epilogue::alpha{1.0F}, nan)));
}

/// Where the normal distribution is small, most of 1 + erf cancels.
TEST(epilogue_parts, gelu_keeps_its_digits_where_it_vanishes) {
  const auto check = [](double x) {
    const double right = 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    const double got = epilogue::gelu{}(float(x), 0, 0, 0.0F);
    const double below_zero = x < 0 ? 1 + x * x / 2 : 1;
    EXPECT_NEAR(got, right, std::abs(right) * 0x1p-20 * below_zero) << x;
    EXPECT_NEAR(epilogue::gelu{}(x, 0, 0, 0.0), right, std::abs(right) * 0x1p-48 * below_zero) << x;
  };
  for (double x = -12; x < 6; x += 0.03125) check(x);
  // Near zero, in every binade.
  for (double x = 0x1p-60; x < 1; x *= 1 + 0x1p-6)
    for (const double sign : {-1.0, 1.0}) check(sign * double(float(x)));
  EXPECT_EQ(epilogue::gelu{}(300.0F, 0, 0, 0.0F), 300.0F);
  EXPECT_EQ(epilogue::gelu{}(-300.0F, 0, 0, 0.0F), 0.0F);
}

/// Of matrices of a batch, each part with a vector for each.
template <layout LC, class Exec>
void check_batches(const Exec& exec) {
  constexpr int m = 33, n = 41, apart = 50;
  std::vector<float> numbers(8 * apart);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(1 + i * i % 101);
  const array<float> device(numbers, exec.memory());
  const auto at = [&](int part, int batch, int i) {
    return numbers[std::size_t((2 * part + batch) * apart + i)];
  };
  const auto given = [&](int part) { return device.data() + 2 * part * apart; };
  const owned<float, row> a(exec, m, 0, 0, 2, 0, 1);
  const owned<float, row> b(exec, 0, n, 0, 2, 0, 2);
  owned<float, LC> c(exec, m, n, 3, 2, 0, 3);
  gemm(exec, schedule::data_parallel{}, a.view(), b.view(), c.target(),
       epilogue::per_row_bias<float>{given(0), apart},
       epilogue::per_row_scale<float>{given(1), apart},
       epilogue::per_column_bias<float>{given(2), apart},
       epilogue::per_column_scale<float>{given(3), apart});
  exec.synchronize();
  const auto got = c.device.to_vector();
  for (int z = 0; z < 2; ++z)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        ASSERT_EQ(got[c.index(z, i, j)], (at(0, z, i) * at(1, z, i) + at(2, z, j)) * at(3, z, j))
            << z << ": " << i << ", " << j;
}

template <class Exec>
class epilogue_parts_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(epilogue_parts_on, support::executors, support::executor_name);

TYPED_TEST(epilogue_parts_on, take_the_vectors_of_their_matrix) {
  check_batches<row>(this->any());
  check_batches<col>(this->any());
}

}  // namespace
