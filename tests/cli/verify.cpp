// SPDX-License-Identifier: Apache-2.0
/// The verdict finds what is wrong, forgives what rounding does, and never forgives NaN.
#include "cli/verify.hpp"

#include "loops/format/formats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using loops::cli::judge;
using loops::cli::run_options;

/// One row of `values` times ones.
template <class V>
std::vector<loops::cli::reference_row> one_row(const std::vector<V>& values) {
  const std::vector<int> offsets{0, static_cast<int>(values.size())};
  std::vector<int> indices;
  for (std::size_t i = 0; i < values.size(); ++i) indices.push_back(static_cast<int>(i));
  loops::csr_view<V> a;
  a.rows = 1;
  a.cols = static_cast<int>(values.size());
  a.nonzeros = a.cols;
  a.offsets = offsets.data();
  a.indices = indices.data();
  a.values = values.data();
  return loops::cli::reference_of(a, std::vector<V>(values.size(), V(1)));
}

TEST(verify, accepts_rounding_and_nothing_more) {
  const auto rows = one_row<float>({1, 2, 3});
  const float eps = std::numeric_limits<float>::epsilon();
  const auto right = [&](float y) { return judge<float>(rows, {y}, {0}, {}).correct; };
  EXPECT_TRUE(right(6));
  EXPECT_TRUE(right(6 + 7 * 6 * eps * 0.9F));  // n + 4 = 7
  EXPECT_FALSE(right(6 + 7 * 6 * eps * 1.2F));
  EXPECT_FALSE(right(5));
  EXPECT_FALSE(right(0));
}

TEST(verify, never_accepts_what_was_not_written) {
  const auto rows = one_row<float>({1, 2, 3});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto v = judge<float>(rows, {nan}, {0}, {});
  EXPECT_FALSE(v.correct);
  EXPECT_TRUE(std::isinf(v.worst));
  EXPECT_FALSE(judge<float>(one_row<float>({}), {nan}, {0}, {}).correct);
  EXPECT_TRUE(judge<float>(one_row<float>({}), {0}, {0}, {}).correct);
  EXPECT_FALSE(judge<float>(one_row<float>({}), {1e-30F}, {0}, {}).correct);
}

TEST(verify, tells_the_worst_row) {
  std::vector<loops::cli::reference_row> rows;
  for (int i = 0; i < 5; ++i) rows.push_back(one_row<float>({1})[0]);
  const auto v = judge<float>(rows, {1, 1, 1.00001F, 2, 1}, std::vector<float>(5), {});
  EXPECT_FALSE(v.correct);
  EXPECT_EQ(v.worst_row, 3);
}

TEST(verify, cancellation_does_not_spoil_the_reference) {
  const auto rows = one_row<double>({1e16, 1, -1e16, 1});
  EXPECT_DOUBLE_EQ(rows[0].sum.re, 2);
  EXPECT_DOUBLE_EQ(rows[0].magnitude, 2e16 + 2);
  EXPECT_EQ(rows[0].nonzeros, 4);
}

TEST(verify, alpha_and_beta_count) {
  const auto rows = one_row<float>({1, 2, 3});
  run_options options;
  options.alpha = 2;
  options.beta = -1;
  EXPECT_TRUE(judge<float>(rows, {2}, {10}, options).correct);
  EXPECT_FALSE(judge<float>(rows, {12}, {10}, options).correct);
  EXPECT_FALSE(judge<float>(rows, {6}, {10}, options).correct);
}

TEST(verify, complex_parts_are_judged_each) {
  using c = loops::complex<float>;
  const auto rows = one_row<c>({c{1, 2}, c{3, -5}});
  EXPECT_TRUE(judge<c>(rows, {c{4, -3}}, {c{}}, {}).correct);
  EXPECT_FALSE(judge<c>(rows, {c{4, 3}}, {c{}}, {}).correct);
  EXPECT_FALSE(judge<c>(rows, {c{4.001F, -3}}, {c{}}, {}).correct);
}

TEST(verify, sixteen_bits_are_allowed_one_rounding) {
  using loops::half;
  const auto rows = one_row<half>({half(1.0F), half(0x1p-9F)});
  EXPECT_TRUE(judge<half>(rows, {half(1.0F + 0x1p-9F)}, {half(0.0F)}, {}).correct);
  EXPECT_FALSE(judge<half>(rows, {half(1.0F + 0x1p-7F)}, {half(0.0F)}, {}).correct);
}

TEST(verify, what_does_not_fit_the_type_may_be_infinite) {
  using loops::half;
  const auto rows = one_row<half>({half(60000.0F), half(60000.0F)});
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(judge<half>(rows, {half(infinity)}, {half(0.0F)}, {}).correct);
  EXPECT_FALSE(judge<half>(rows, {half(-infinity)}, {half(0.0F)}, {}).correct);
  EXPECT_FALSE(judge<float>(one_row<float>({1}), {infinity}, {0}, {}).correct);
}

TEST(verify, parts_of_a_sum_that_do_not_fit_may_meet_as_infinities) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto rows = one_row<float>({3e38F, -3e38F, 3e38F, -3e38F});
  for (const float y : {0.0F, inf, -inf, nan})
    EXPECT_TRUE(judge<float>(rows, {y}, {0}, {}).correct) << y;
  EXPECT_FALSE(judge<float>(rows, {3e38F}, {0}, {}).correct);
  // By alpha and beta.
  run_options scaled;
  scaled.alpha = -1e38;
  scaled.beta = 3e38;
  EXPECT_TRUE(judge<float>(one_row<float>({4}), {nan}, {1}, scaled).correct);
  EXPECT_FALSE(judge<float>(one_row<float>({1}), {nan}, {0.1F}, scaled).correct);
}

}  // namespace
