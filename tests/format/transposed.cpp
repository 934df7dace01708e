// SPDX-License-Identifier: Apache-2.0
/// Transposed views of compressed matrices: the same arrays under other names.
#include "loops/format/transposed.hpp"

#include "loops/format/convert.hpp"
#include "loops/io/generate.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(transposed, rows_become_columns_and_back) {
  const auto a = loops::generate<float>("random:rows=7,cols=11,per_row=3");
  const auto t = transposed(a.view());
  EXPECT_EQ(t.rows, 11);
  EXPECT_EQ(t.cols, 7);
  EXPECT_EQ(t.nonzeros, a.nonzeros());
  EXPECT_EQ(t.offsets, a.offsets.data());
  EXPECT_EQ(t.indices, a.indices.data());
  EXPECT_EQ(t.values, a.values.data());
  const auto again = transposed(t);
  EXPECT_EQ(again.rows, a.rows);
  EXPECT_EQ(again.cols, a.cols);
  EXPECT_EQ(again.offsets, a.offsets.data());
}

TEST(transposed, twice_through_the_other_format_is_the_matrix) {
  const auto a = loops::generate<float>("random:rows=9,cols=5,per_row=2");
  const auto columns = loops::to_csc(a);
  const auto t = transposed(columns.view());  // the rows of this are the columns of A
  EXPECT_EQ(t.rows, a.cols);
  for (int c = 0; c < t.rows; ++c)
    for (int k = t.offsets[c]; k < t.offsets[c + 1]; ++k) {
      bool there = false;
      const int r = t.indices[k];
      for (int n = a.offsets.data()[r]; n < a.offsets.data()[r + 1]; ++n)
        there = there || (a.indices.data()[n] == c && a.values.data()[n] == t.values[k]);
      EXPECT_TRUE(there) << "(" << r << ", " << c << ")";
    }
}

}  // namespace
