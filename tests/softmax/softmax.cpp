// SPDX-License-Identifier: Apache-2.0
/// Sparse softmax against `double`, with large values, masked ones, and empty rows.
#include "algorithms/softmax/softmax.hpp"

#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/thread_mapped.hpp"

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

TYPED_TEST(softmax, a_plan_can_be_checked) {
  const auto exec = this->any();
  auto a = loops::generate<float>("banded:rows=40,width=3").to(exec.memory());
  loops::array<float> out(static_cast<std::size_t>(a.nonzeros()), exec.memory());
  auto plan = loops::plan_softmax(exec, schedule::merge_path{}, a.view());
  plan(a.values, out);
  EXPECT_NO_THROW(plan.check());
  a.offsets.fill(0);
  support::expect_error(loops::errc::invalid_argument, "the offsets of a work",
                        [&] { plan.check(); });
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

template <class Score, class Exec>
void check_scores_of_their_own(const Exec& exec) {
  const loops::array<std::int32_t> offsets(std::vector<std::int32_t>{0, 2, 2, 3}, exec.memory());
  const loops::array<std::int32_t> columns(3, exec.memory());
  const loops::csr_view<std::int8_t> mask{3, 4, 3, offsets.data(), columns.data(), nullptr};
  const std::vector<Score> scores{Score(2.5F), Score(2.5F), Score(-7.0F)};
  const loops::array<Score> values(scores, exec.memory());
  loops::array<Score> out(3, exec.memory());
  loops::plan_softmax<Score>(exec, schedule::merge_path{}, mask)(values, out);
  const auto got = out.to_vector();
  EXPECT_EQ(static_cast<float>(got[0]), 0.5F);
  EXPECT_EQ(static_cast<float>(got[1]), 0.5F);
  EXPECT_EQ(static_cast<float>(got[2]), 1.0F);
}

TYPED_TEST(softmax, scores_may_have_another_type_than_the_masks_values) {
  check_scores_of_their_own<float>(this->any());
  check_scores_of_their_own<double>(this->any());
  check_scores_of_their_own<loops::half>(this->any());
}

/// The weights of some rows, one behind the other.
template <class Exec, class Schedule>
std::vector<float> weights(const Exec& exec, const Schedule& schedule,
                           const std::vector<std::vector<float>>& rows, float scale) {
  std::vector<std::int32_t> offsets{0};
  std::vector<float> scores;
  for (const auto& row : rows) {
    scores.insert(scores.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int32_t>(scores.size()));
  }
  const loops::array<std::int32_t> there(offsets, exec.memory());
  const loops::array<std::int32_t> columns(scores.size(), exec.memory());
  const loops::array<float> values(scores, exec.memory());
  loops::array<float> out(scores.size(), exec.memory());
  const loops::csr_view<float> a{static_cast<std::int32_t>(rows.size()),
                                 1,
                                 offsets.back(),
                                 there.data(),
                                 columns.data(),
                                 nullptr};
  loops::plan_softmax(exec, schedule, a)(values, out, scale);
  return out.to_vector();
}

// A row that slices cut, and that is masked out in some of them.
TYPED_TEST(softmax, what_is_masked_out_counts_for_nothing_however_long_it_is) {
  std::vector<float> row(12000, minus_infinity);
  row[11900] = 5;
  std::vector<float> wanted(row.size(), 0.0F);
  wanted[11900] = 1;
  EXPECT_EQ(weights(this->any(), schedule::merge_path{}, {row}, 1), wanted);
}

TYPED_TEST(softmax, what_is_no_number_is_seen_by_all_of_its_row_in_any_order) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float gone = minus_infinity;
  std::vector<std::vector<float>> rows;
  for (const float bad : {nan, -minus_infinity}) {
    // Some are orders of each other: which ones bad scores meet first is what matters.
    const std::vector<std::vector<float>> wrong = {
        {bad},          {bad, 1},         {1, bad},          {bad, bad},          {bad, gone},
        {gone, bad},    {bad, 1, 2},      {2, bad, 1},       {1, 2, bad},         {bad, gone, 1},
        {gone, bad, 1}, {1, gone, bad},   {bad, gone, gone}, {gone, gone, bad},   {bad, nan},
        {nan, bad},     {nan, gone, bad}, {bad, gone, nan},  {gone, bad, gone, 1}};
    for (const auto& row : wrong) {
      rows.push_back(row);
      rows.push_back({1});
    }
    for (const std::size_t at : std::vector<std::size_t>{0, 1, 450, 899}) {
      rows.emplace_back(900, gone);
      rows.back()[600] = 5;
      rows.back()[at] = bad;
    }
  }
  const auto check = [&, exec = this->any()](const auto& schedule) {
    const auto got = weights(exec, schedule, rows, 0.5F);
    std::size_t n = 0;
    for (const auto& row : rows)
      for (const float score : row) {
        const float weight = got[n++];
        if (score == gone) {
          ASSERT_EQ(weight, 0.0F) << n;
        } else if (row == std::vector<float>{1}) {
          ASSERT_EQ(weight, 1.0F) << n;
        } else {
          ASSERT_TRUE(std::isnan(weight)) << weight << " for " << score << " at " << n;
        }
      }
  };
  check(schedule::merge_path{});
  check(schedule::group_mapped{1});
  check(schedule::group_mapped{8});
  check(schedule::thread_mapped{});
}

TYPED_TEST(softmax, a_masked_place_is_masked_under_any_scale) {
  const auto exec = this->any();
  for (const float scale : {2.0F, 0.0F, -2.0F}) {
    SCOPED_TRACE(scale);
    const auto got =
        weights(exec, schedule::merge_path{},
                {{minus_infinity, 1}, {3, minus_infinity, 3}, {minus_infinity}}, scale);
    EXPECT_EQ(got, (std::vector<float>{0, 1, 0.5F, 0, 0.5F, 0}));
  }
}

}  // namespace
