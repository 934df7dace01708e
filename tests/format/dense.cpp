// SPDX-License-Identifier: Apache-2.0
/// Dense views: where elements are, what is refused, and transposed views.
#include "loops/format/dense.hpp"

#include "loops/format/transposed.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using loops::dense_view;
using loops::errc;
using loops::layout;
using support::expect_error;

TEST(dense_view, finds_elements_by_rows_and_by_columns) {
  std::vector<int> data(24);
  for (int i = 0; i < 24; ++i) data[static_cast<std::size_t>(i)] = i;
  const auto rows = loops::by_rows(data.data(), 4, 6);
  EXPECT_EQ(rows(2, 3), 15);
  const auto columns = loops::by_columns(data.data(), 4, 6);
  EXPECT_EQ(columns(2, 3), 14);
  const dense_view<int> part{data.data() + 1, 4, 2, 6, layout::row_major};
  EXPECT_EQ(part(3, 1), 20);
  part(3, 1) = 99;
  EXPECT_EQ(data[20], 99);
  const dense_view<const int> constant = part;
  EXPECT_EQ(constant(3, 1), 99);
  static_assert(!std::is_convertible_v<dense_view<const int>, dense_view<int>>);
}

TEST(dense_view, a_transposed_view_swaps_rows_and_columns) {
  std::vector<int> data(24);
  const dense_view<int> a{data.data(), 4, 5, 6, layout::row_major};
  const auto t = transposed(a);
  EXPECT_EQ(t.rows, 5);
  EXPECT_EQ(t.cols, 4);
  for (std::int64_t r = 0; r < 4; ++r)
    for (std::int64_t c = 0; c < 5; ++c) EXPECT_EQ(&a(r, c), &t(c, r));
}

TEST(dense_view, says_what_is_wrong) {
  int element = 0;
  const auto a = loops::by_rows(&element, 3, 4);
  EXPECT_NO_THROW(check_dense(a, 3, 4, "A"));
  expect_error(errc::invalid_argument, "A is 3 x 4, but 4 x 4 is needed",
               [&] { check_dense(a, 4, 4, "A"); });
  expect_error(errc::invalid_argument, "its rows are 4 elements long", [&] {
    check_dense(dense_view<int>{&element, 3, 4, 3, layout::row_major}, 3, 4, "A");
  });
  expect_error(errc::invalid_argument, "its columns are 3 elements long", [&] {
    check_dense(dense_view<int>{&element, 3, 4, 2, layout::column_major}, 3, 4, "A");
  });
  expect_error(errc::invalid_argument, "A is a null pointer",
               [&] { check_dense(loops::by_rows<int>(nullptr, 3, 4), 3, 4, "A"); });
  EXPECT_NO_THROW(check_dense(loops::by_rows<int>(nullptr, 0, 4), 0, 4, "A"));
  expect_error(errc::invalid_argument, "A has 3 rows and -4 columns",
               [&] { check_dense(loops::by_rows<int>(&element, 3, -4), 3, -4, "A"); });
  expect_error(errc::invalid_argument, "A has -3 rows and 4 columns",
               [&] { check_dense(loops::by_rows<int>(&element, -3, 4), -3, 4, "A"); });
}

TEST(dense_view, spans_no_more_than_can_be_addressed) {
  int element = 0;
  const auto check = [&](std::int64_t rows, std::int64_t stride, layout order) {
    const std::int64_t cols = order == layout::row_major ? 4 : rows;
    check_dense(dense_view<int>{&element, rows, cols, stride, order}, rows, cols, "A");
  };
  for (const std::int64_t stride : {INT64_MAX, INT64_MAX / 2, INT64_MAX / 8 + 1}) {
    expect_error(errc::overflow, "A spans more bytes than can be addressed",
                 [&] { check(3, stride, layout::row_major); });
    expect_error(errc::overflow, "A spans more bytes than can be addressed",
                 [&] { check(3, stride, layout::column_major); });
  }
  EXPECT_NO_THROW(check(3, INT64_MAX / 8 - 4, layout::row_major));
  // One row has no next one, and none has no last.
  EXPECT_NO_THROW(check(1, INT64_MAX, layout::row_major));
  EXPECT_NO_THROW(check(0, INT64_MAX, layout::row_major));
}

}  // namespace
