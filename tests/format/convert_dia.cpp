// SPDX-License-Identifier: Apache-2.0
/// Diagonals are indexed by row, and too many of them are refused.
#include "loops/format/convert_dia.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "samples.hpp"

namespace {

TEST(to_dia, stores_element_r_at_row_r) {
  const auto a = samples::make<float, int, int>(3, 4, {{0, 1}, {2}, {0, 3}});
  const auto b = loops::to_dia(a);
  EXPECT_EQ(b.stride, 3);
  EXPECT_EQ(b.diagonals.to_vector(), (std::vector<int>{-2, 0, 1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{0, 0, 4, 1, 0, 0, 2, 3, 5}));
}

TEST(to_dia, adds_duplicates) {
  const auto a = samples::make<float, int, int>(1, 2, {{1, 1}});
  EXPECT_EQ(loops::to_dia(a).values.to_vector(), (std::vector<float>{3}));
}

TEST(to_dia, refuses_scattered_matrices_and_says_what_to_raise) {
  std::vector<std::vector<std::int64_t>> rows(1000);
  for (std::int64_t r = 0; r < 1000; ++r) rows[std::size_t(r)] = {999 - r};
  const auto a = samples::make<float, int, int>(1000, 1000, rows);
  try {
    static_cast<void>(loops::to_dia(a));
    FAIL() << "a million entries for a thousand nonzeros were accepted";
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::invalid_argument);
    EXPECT_NE(e.message().find("padding_limit::growth"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("at least 66 "), std::string::npos) << e.message();
  }
  const auto b = loops::to_dia(a, {.growth = 1000});
  EXPECT_EQ(b.diagonals.size(), 1000U);
  EXPECT_TRUE(samples::equal(a, loops::to_csr(b)));
}

TEST(to_csr, ignores_what_lies_outside_the_matrix_and_drops_zeros) {
  const std::vector<int> diagonals{-1, 0, 1};
  const std::vector<float> values{9, 1, 0, 2, 3, 9, 4, 9, 9};
  const loops::dia_view<float> a{3, 2, 3, 3, diagonals.data(), values.data()};
  const auto b = loops::to_csr(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 2, 4, 4}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{2, 4, 1, 3}));
}

TEST(to_csr, does_not_wrap_near_the_largest_index) {
  const int most = std::numeric_limits<int>::max();
  const std::vector<int> diagonals{most - 1};
  const std::vector<float> values{1, 9, 9};
  const loops::dia_view<float> a{3, most, 1, 3, diagonals.data(), values.data()};
  const auto b = loops::to_csr(a);
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{most - 1}));
  EXPECT_TRUE(samples::equal(b, loops::to_csr(loops::to_dia(b))));
}

}  // namespace
