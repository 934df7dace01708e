// SPDX-License-Identifier: Apache-2.0
/// Plans that choose their schedule learn where the nonzeros of a row read.
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/formats.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace loops;

template <class Exec>
class columns : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(columns, support::executors, support::executor_name);

TYPED_TEST(columns, are_looked_at_with_the_rows) {
  const TypeParam exec = this->any();
  const machine m = exec.template describe<shape<128, 16>>();
  // More than a machine of any size would copy to look at, and atoms for all lanes of this one.
  constexpr int per_row = 20;
  const auto rows = static_cast<int>(
      400 + std::max(select::most_tiles_copied, 2 * m.threads * m.blocks / per_row));
  constexpr int sampled = tiles_sampled * per_row;
  for (const int apart : {1, 97}) {
    std::vector<int> offsets;
    std::vector<int> indices;
    for (int r = 0; r <= rows; ++r) offsets.push_back(r * per_row);
    for (int r = 0; r < rows; ++r)
      for (int i = 0; i < per_row; ++i) indices.push_back((r * 31 + i * apart) % 5000);
    const auto& there = exec.memory();
    const csr<float> a{rows, 5000, array<int>(offsets, there), array<int>(indices, there),
                       array<float>(std::vector<float>(indices.size(), 1.0f), there)};
    const auto plan = plan_spmv(exec, schedule::automatic{1'000'000'000}, a.view());
    const select::decision& d = plan.plan().decision();
    // The selector of the host knows sizes only.
    if (m.threads == 1) continue;
    ASSERT_TRUE(d.gathered);
    EXPECT_EQ(d.given.seen.sampled, sampled);
    if (apart == 1) {
      EXPECT_LT(d.given.seen.strewn, sampled / 4);
    } else {
      EXPECT_GT(d.given.seen.strewn, sampled * 3 / 4);
    }
  }
}

}  // namespace
