// SPDX-License-Identifier: Apache-2.0
/// Blocks hold what the rows held, also where they reach past the edge.
#include "loops/format/convert_bcsr.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "samples.hpp"

namespace {

TEST(to_bcsr, is_row_major_in_blocks_and_zero_past_the_edge) {
  const auto a = samples::make<float, int, int>(3, 5, {{0, 4}, {1}, {4}});
  const auto b = loops::to_bcsr<2, 3>(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{1, 0, 0, 0, 3, 0,  //
                                                      0, 2, 0, 0, 0, 0,  //
                                                      0, 4, 0, 0, 0, 0}));
}

TEST(to_bcsr, adds_duplicates_and_sorts_block_columns) {
  const auto a = samples::make<float, int, int>(1, 6, {{5, 0, 5}});
  const auto b = loops::to_bcsr<1, 2>(a);
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 2}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{2, 0, 0, 4}));
}

TEST(to_bcsr, refuses_values_that_cannot_be_counted) {
  std::vector<std::vector<std::int64_t>> rows(80);
  for (std::size_t r = 0; r < 80; ++r)
    for (std::int64_t c = 0; c < 80; c += 8) rows[r].push_back(c);
  const auto a = samples::make<float, std::int16_t, std::int16_t>(80, 80, rows);
  EXPECT_EQ((loops::to_bcsr<8, 8>(a).values.size()), 6400U);
  try {
    static_cast<void>(loops::to_bcsr<8, 64>(a));
    static_cast<void>(loops::to_bcsr<800, 64>(a));
    FAIL() << "102,400 values were given 16-bit positions";
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::overflow);
  }
}

TEST(to_csr, ignores_what_lies_outside_the_matrix_and_drops_zeros) {
  const std::vector<int> offsets{0, 1};
  const std::vector<int> indices{0};
  const std::vector<float> values{1, 0, 7, -0.0F, 2, 7, 7, 7, 7};
  const loops::bcsr_view<float, 3, 3> a{2, 2, 1, offsets.data(), indices.data(), values.data()};
  const auto b = loops::to_csr(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{1, 2}));
}

TEST(to_csr, sorts_blocks_that_are_stored_in_another_order) {
  const std::vector<int> offsets{0, 2};
  const std::vector<int> indices{1, 0};
  const std::vector<float> ones{5, 6};
  const auto a = loops::to_csr(
      loops::bcsr_view<float, 1, 1>{1, 2, 2, offsets.data(), indices.data(), ones.data()});
  EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{0, 1}));
  EXPECT_EQ(a.values.to_vector(), (std::vector<float>{6, 5}));
  const std::vector<float> squares{1, 2, 3, 4, 5, 6, 7, 8};
  const auto b = loops::to_csr(
      loops::bcsr_view<float, 2, 2>{2, 4, 2, offsets.data(), indices.data(), squares.data()});
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{5, 6, 1, 2, 7, 8, 3, 4}));
}

}  // namespace
