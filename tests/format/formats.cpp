// SPDX-License-Identifier: Apache-2.0
/// Owners hand out views of their arrays, and move between memories whole.
#include "loops/format/formats.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
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

/// And names the line that asked for it.
template <class Owner>
void refuses_a_view(errc code, const char* what, const Owner& owner) {
  const int line = __LINE__ + 2;
  try {
    static_cast<void>(owner.view());
    ADD_FAILURE() << what;
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code);
    EXPECT_NE(e.message().find(what), std::string::npos) << e.message();
    EXPECT_EQ(e.where().line, line) << what;
  }
}

// They would wrap, and a part of the matrix be the whole of it.
TEST(formats, RefuseMoreEntriesThanTheirOffsetsCount) {
  const auto refused = [](const char* what, const auto& owner) {
    refuses_a_view(errc::overflow, what, owner);
  };
  csr<float, std::int32_t, std::int8_t> rows;
  rows.indices = array<std::int32_t>(300);
  refused("the number of nonzeros is 300", rows);
  csc<float, std::int32_t, std::int8_t> columns;
  columns.indices = array<std::int32_t>(128);
  refused("the number of nonzeros is 128", columns);
  coo<float, std::int32_t, std::int8_t> entries;
  entries.row_indices = array<std::int32_t>(256);
  refused("the number of nonzeros is 256", entries);
  bcsr<float, 2, 2, std::int32_t, std::int8_t> blocks;
  blocks.indices = array<std::int32_t>(200);
  refused("the number of blocks is 200", blocks);
  dia<float, std::int8_t> diagonals;
  diagonals.diagonals = array<std::int8_t>(200);
  refused("the number of diagonals is 200", diagonals);
}

// What is past their end would be read.
TEST(formats, RefuseArraysThatAreShorterThanTheirSizes) {
  const auto refused = [](const char* what, const auto& owner) {
    refuses_a_view(errc::invalid_argument, what, owner);
  };
  const auto ints = [](std::size_t n) { return array<int>(std::vector<int>(n, 0)); };
  const auto floats = [](std::size_t n) { return array<float>(std::vector<float>(n, 1)); };
  refused("has 3 offsets but its sizes ask for 4", csr<float>{3, 3, ints(3), ints(2), floats(2)});
  refused("has 1 values but its sizes ask for 2", csr<float>{3, 3, ints(4), ints(2), floats(1)});
  refused("has 3 offsets but its sizes ask for 4", csc<float>{9, 3, ints(3), ints(2), floats(2)});
  refused("has 1 column indices", coo<float>{3, 3, ints(2), ints(1), floats(2)});
  refused("has 1 values", coo<float>{3, 3, ints(2), ints(2), floats(1)});
  refused("has 5 indices but its sizes ask for 7", ell<float>{3, 3, 2, 4, ints(5), floats(7)});
  refused("has 6 values but its sizes ask for 7", ell<float>{3, 3, 2, 4, ints(7), floats(6)});
  refused("has 7 values but", bcsr<float, 2, 2>{3, 3, ints(3), ints(2), floats(7)});
  refused("has 6 values but its sizes ask for 7", dia<float>{3, 3, 4, ints(2), floats(6)});
  // A pattern has no values.
  EXPECT_EQ((csr<float>{3, 3, ints(4), ints(2), {}}.view().values), nullptr);
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
