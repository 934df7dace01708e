// SPDX-License-Identifier: Apache-2.0
/// A plan that tries schedules computes the product, leaves vectors alone, and says what it took.
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/formats.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace loops;

template <class Exec>
class spmv_measured : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmv_measured, support::executors, support::executor_name);

/// Rows of these lengths, every nonzero 1, over so many columns.
template <class Exec>
csr<float> of_lengths(const Exec& exec, const std::vector<int>& lengths, int columns) {
  std::vector<int> offsets{0};
  std::vector<int> indices;
  for (const int n : lengths) {
    for (int i = 0; i < n; ++i) indices.push_back(i % columns);
    offsets.push_back(offsets.back() + n);
  }
  csr<float> a;
  a.rows = static_cast<int>(lengths.size());
  a.cols = columns;
  a.offsets = array<int>(offsets, exec.memory());
  a.indices = array<int>(indices, exec.memory());
  a.values = array<float>(std::vector<float>(indices.size(), 1), exec.memory());
  return a;
}

TYPED_TEST(spmv_measured, computes_the_product) {
  const auto exec = this->any();
  std::vector<int> uneven(300, 2);
  uneven[150] = 3000;
  for (const std::vector<int>& lengths :
       {std::vector<int>(400, 5), uneven, std::vector<int>(3, 0), std::vector<int>()}) {
    const csr<float> a = of_lengths(exec, lengths, 40);
    auto step = plan_spmv(exec, schedule::measured{}, a.view());
    const array<float> x(std::vector<float>(40, 2), exec.memory());
    array<float> y(std::vector<float>(lengths.size(), 7), exec.memory());
    step(x, y, 1.0F, 1.0F);
    step.check();
    exec.synchronize();
    const std::vector<float> got = y.to_vector();
    for (std::size_t r = 0; r < lengths.size(); ++r)
      ASSERT_EQ(got[r], 7 + 2 * static_cast<float>(lengths[r])) << "row " << r;
    EXPECT_NE(step.plan().reason().find(':'), std::string::npos);
  }
}

TYPED_TEST(spmv_measured, tries_as_many_as_it_is_told) {
  const auto exec = this->any();
  const csr<float> a = of_lengths(exec, std::vector<int>(500, 6), 50);
  const auto one = plan_spmv(exec, schedule::measured{1}, a.view());
  const auto automatic = plan_spmv(exec, schedule::automatic{1'000'000'000}, a.view());
  EXPECT_EQ(one.plan().reason(), automatic.plan().reason());
  const auto three = plan_spmv(exec, schedule::measured{3}, a.view());
  const int tried = three.plan().decision().tried;
  const bool lone_lanes = TypeParam::template block<shape<128, 1>>::threads == 1;
  EXPECT_EQ(tried, lone_lanes ? 0 : 3);
  if (tried > 0) {
    EXPECT_NE(three.plan().reason().find("the fastest of 3 in a trial"), std::string::npos);
  }
  support::expect_error(errc::invalid_argument, "at least one candidate",
                        [&] { plan_spmv(exec, schedule::measured{0}, a.view()); });
}

}  // namespace
