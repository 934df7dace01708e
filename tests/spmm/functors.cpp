// SPDX-License-Identifier: Apache-2.0
/// What a product says that it will read: whole arrays, and nothing beside them.
#include "algorithms/spmm/functors.hpp"

#include "algorithms/spmm/in_place.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace {

using loops::dense_view;
using loops::layout;
namespace detail = loops::spmm_detail;

TEST(functors, know_how_far_a_dense_matrix_reaches) {
  const float* const none = nullptr;
  EXPECT_EQ(detail::span_of(dense_view<const float>{none, 0, 5, 5, layout::row_major}), 0);
  EXPECT_EQ(detail::span_of(dense_view<const float>{none, 5, 0, 5, layout::column_major}), 0);
  EXPECT_EQ(detail::span_of(loops::by_rows(none, 7, 5)), 35);
  EXPECT_EQ(detail::span_of(loops::by_columns(none, 7, 5)), 35);
  // Room behind the last row or column is not the matrix's.
  EXPECT_EQ(detail::span_of(dense_view<const float>{none, 7, 5, 9, layout::row_major}), 6 * 9 + 5);
  EXPECT_EQ(detail::span_of(dense_view<const float>{none, 7, 5, 9, layout::column_major}),
            4 * 9 + 7);
}

TEST(functors, ask_for_b_where_a_reads_as_many_rows_as_it_has) {
  const dense_view<const float> b = loops::by_rows<const float>(nullptr, 100, 64);  // 200 lines
  const auto lines = [&](std::int64_t nonzeros) {
    loops::csr_view<float, std::int64_t> a{};
    a.nonzeros = nonzeros;
    return detail::nonzero_times_row<float, std::int64_t, 4>(a, b).lines();
  };
  EXPECT_EQ(lines(99), 7 + 4);
  EXPECT_EQ(lines(100), 7 + 4 + 200);
  EXPECT_EQ(lines(0), 0);
}

TEST(functors, say_first_where_they_read) {
  using loops::detail::asks_first;
  using loops::detail::knows_places;
  using loops::detail::of_share;
  using of_packs = detail::nonzero_times_row<float, std::int32_t, 4>;
  using rows = detail::rows_anyhow<double, std::int64_t, 2>;
  using of_elements = detail::nonzero_times_row<double, std::int64_t, 2, rows>;
  const auto says = []<class Map>(std::type_identity<Map>) {
    return loops::pure_map<Map> && loops::knows_its_lines<Map> && asks_first<Map> &&
           knows_places<Map>;
  };
  EXPECT_TRUE(says(std::type_identity<of_share<of_packs>>()));
  EXPECT_TRUE(says(std::type_identity<detail::of_only_share<of_packs>>()));
  EXPECT_TRUE(says(std::type_identity<of_share<of_elements>>()));
  EXPECT_TRUE(says(std::type_identity<detail::of_only_share<of_elements>>()));
}

}  // namespace
