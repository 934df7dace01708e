// SPDX-License-Identifier: Apache-2.0
/// SpGEMM against dense products, with sorted rows, other values, and refusals.
#include "algorithms/spgemm/spgemm.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "spmv/products.hpp"

namespace {

namespace schedule = loops::schedule;
using matrix = loops::csr<float>;

/// A B as entry -> value; exact for small integers.
std::map<std::pair<int, int>, double> exact_product(const matrix& a, const matrix& b) {
  std::map<std::pair<int, int>, double> c;
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.offsets.data()[r]; k < a.offsets.data()[r + 1]; ++k) {
      const int row = a.indices.data()[k];
      for (int n = b.offsets.data()[row]; n < b.offsets.data()[row + 1]; ++n)
        c[{r, b.indices.data()[n]}] += double(a.values.data()[k]) * double(b.values.data()[n]);
    }
  return c;
}

template <class Exec, class Schedule>
void check(const Exec& exec, const Schedule& schedule, const matrix& a, const matrix& b) {
  const auto wanted = exact_product(a, b);
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  const auto c = loops::spgemm(exec, schedule, there_a.view(), there_b.view())
                     .to(loops::default_host_memory());
  EXPECT_NO_THROW(loops::validate(c.view()));
  ASSERT_EQ(c.rows, a.rows);
  ASSERT_EQ(c.cols, b.cols);
  ASSERT_EQ(static_cast<std::size_t>(c.nonzeros()), wanted.size());
  auto next = wanted.begin();  // in the order of sorted rows
  for (int r = 0; r < c.rows; ++r)
    for (int k = c.offsets.data()[r]; k < c.offsets.data()[r + 1]; ++k, ++next) {
      ASSERT_EQ(next->first, std::make_pair(r, c.indices.data()[k]));
      ASSERT_EQ(double(c.values.data()[k]), next->second)
          << "C(" << r << ", " << next->first.second;
    }
}

matrix transposed_copy(const matrix& a) {
  const auto t = loops::to_csc(a);
  return {t.cols, t.rows, t.offsets.to(loops::default_host_memory()),
          t.indices.to(loops::default_host_memory()), t.values.to(loops::default_host_memory())};
}

template <class Exec>
class spgemm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spgemm, support::executors, support::executor_name);

TYPED_TEST(spgemm, every_matrix_with_its_transpose) {
  const auto exec = this->any();
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    if (a.cols > 1000) continue;  // thousands of products per entry: slow in an emulation
    SCOPED_TRACE(name);
    check(exec, schedule::merge_path{}, a, transposed_copy(a));
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(spgemm, one_lane_per_tile_gives_the_same) {
  const auto exec = this->any();
  const auto all = products::matrices<float, std::int32_t, std::int32_t>();
  check(exec, schedule::group_mapped{1}, all[0].second, transposed_copy(all[0].second));
}

TYPED_TEST(spgemm, duplicates_add_up) {
  const matrix a{2, 2, loops::array<int>(std::vector<int>{0, 3, 4}),
                 loops::array<int>(std::vector<int>{1, 1, 0, 0}),
                 loops::array<float>(std::vector<float>{1, 2, 3, 4})};
  check(this->any(), schedule::merge_path{}, a, a);
}

TYPED_TEST(spgemm, other_values_under_the_same_plan) {
  const auto exec = this->any();
  auto a = loops::generate<float>("random:rows=60,cols=60,per_row=4");
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = static_cast<float>(k % 5) - 2;
  const auto there = a.to(exec.memory());
  const auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, there.view(), there.view());
  auto c = plan.pattern();
  plan(there.values.data(), there.values.data(), c.values.data());
  const auto once = c.values.to_vector();
  plan(there.values.data(), there.values.data(), c.values.data());
  EXPECT_TRUE(support::same_bits(once, c.values.to_vector())) << "the second run has other bits";
  std::vector<float> doubled = a.values.to_vector();
  for (float& v : doubled) v *= 2;
  const loops::array<float> twice(doubled, exec.memory());
  plan(twice.data(), there.values.data(), c.values.data());
  const auto got = c.values.to_vector();
  for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], 2 * once[k]);
}

TYPED_TEST(spgemm, refuses_shapes_that_do_not_meet) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=5,per_row=2").to(exec.memory());
  support::expect_error(loops::errc::invalid_argument, "A has 5 columns, but B has 3 rows",
                        [&] { loops::spgemm(exec, schedule::merge_path{}, a.view(), a.view()); });
}

}  // namespace
