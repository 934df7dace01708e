// SPDX-License-Identifier: Apache-2.0
/// Sparse softmax against `double`, with large values, masked ones, and empty rows.
#include "algorithms/softmax/softmax.hpp"

#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "spmv/products.hpp"

namespace {

namespace schedule = loops::schedule;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

template <class Exec, class Schedule, class A>
void check(const Exec& exec, const Schedule& schedule, const A& host) {
  const auto a = host.to(exec.memory());
  std::vector<float> scores;
  for (std::size_t n = 0; n < host.values.size(); ++n)
    scores.push_back(n % 7 == 2 ? minus_infinity
                                : 300 * std::sin(static_cast<float>(n)) + (n % 2 ? 2e4F : 2.01e4F));
  const loops::array<float> values(scores, exec.memory());
  loops::array<float> out(scores.size(), exec.memory());
  const auto plan = loops::plan_softmax(exec, schedule, a.view());
  constexpr float scale = 0.25F;
  plan(values, out, scale);
  const auto got = out.to_vector();
  out = loops::array<float>(scores, exec.memory());
  plan(out, out, scale);
  EXPECT_TRUE(support::same_bits(got, out.to_vector())) << "in place, the bits are others";
  for (std::int64_t r = 0; r < host.rows; ++r) {
    const auto first = static_cast<std::size_t>(host.offsets[static_cast<std::size_t>(r)]);
    const auto last = static_cast<std::size_t>(host.offsets[static_cast<std::size_t>(r) + 1]);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t n = first; n < last; ++n)
      largest = std::max(largest, double(scale * scores[n]));
    double sum = 0;
    for (std::size_t n = first; n < last; ++n)
      if (scores[n] != minus_infinity) sum += std::exp(double(scale * scores[n]) - largest);
    for (std::size_t n = first; n < last; ++n) {
      const double wanted =
          scores[n] == minus_infinity ? 0 : std::exp(double(scale * scores[n]) - largest) / sum;
      // Every join multiplies with an exponential of at most two units of error, and rounds twice;
      // a sum passes through no more joins than there are values. Differences are exact to half a
      // unit of 5000, which the exponential turns into a relative error.
      const double bound =
          wanted * (8 * double(last - first) + 8) * 0x1p-24 + wanted * 2 * 5025 * 0x1p-24 + 1e-38;
      ASSERT_LE(std::fabs(double(got[n]) - wanted), bound) << "row " << r << ", nonzero " << n;
    }
  }
}

template <class Exec>
class softmax : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(softmax, support::executors, support::executor_name);

TYPED_TEST(softmax, every_matrix) {
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    SCOPED_TRACE(name);
    check(this->any(), schedule::merge_path{}, a);
    check(this->any(), schedule::group_mapped{4}, a);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(softmax, a_row_that_is_masked_out_is_zero) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("banded:rows=4,width=3").to(exec.memory());
  const std::vector<float> masked(static_cast<std::size_t>(a.nonzeros()), minus_infinity);
  const loops::array<float> values(masked, exec.memory());
  loops::array<float> out(masked.size(), exec.memory());
  loops::plan_softmax(exec, schedule::merge_path{}, a.view())(values, out);
  for (const float v : out.to_vector()) EXPECT_EQ(v, 0.0F);
}

}  // namespace
