// SPDX-License-Identifier: Apache-2.0
/// Owners hand out views of their arrays, and move between memories whole.
#include "loops/format/formats.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace loops;

TEST(formats, CsrViewsItsArrays) {
  csr<float, int, long> a;
  a.rows = 2;
  a.cols = 3;
  a.offsets = array<long>(std::vector<long>{0, 1, 3});
  a.indices = array<int>(std::vector<int>{2, 0, 1});
  a.values = array<float>(std::vector<float>{5, 6, 7});
  const auto v = a.view();
  EXPECT_EQ(v.nonzeros, 3);
  EXPECT_EQ(v.offsets, a.offsets.data());
  EXPECT_EQ(v.values[2], 7.0f);
  const auto copy = a.to(default_host_memory());
  EXPECT_NE(copy.view().values, v.values);
  EXPECT_EQ(copy.values.to_vector(), a.values.to_vector());
  EXPECT_EQ(copy.offsets.to_vector(), a.offsets.to_vector());
  EXPECT_EQ(copy.cols, 3);
}

TEST(formats, EmptyOwnersGiveEmptyViews) {
  EXPECT_EQ((csr<double>{}.view().nonzeros), 0);
  EXPECT_EQ((csc<double>{}.view().nonzeros), 0);
  EXPECT_EQ((coo<double>{}.view().nonzeros), 0);
  EXPECT_EQ((ell<double>{}.view().width), 0);
  EXPECT_EQ((dia<double>{}.view().count), 0);
  EXPECT_EQ((bcsr<double, 2, 2>{}.view().blocks), 0);
  EXPECT_EQ((csr<double>{}.to(default_host_memory()).view().rows), 0);
}

TEST(formats, EllPaddingIsNoColumn) {
  EXPECT_LT((ell_view<float, int, int>::padding), 0);
  EXPECT_LT((ell_view<float, long, long>::padding), 0);
}

TEST(formats, BcsrKnowsItsBlock) {
  EXPECT_EQ((bcsr_view<float, 2, 3>::block_rows), 2);
  EXPECT_EQ((bcsr_view<float, 2, 3>::block_cols), 3);
}

}  // namespace
