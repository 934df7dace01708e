// SPDX-License-Identifier: Apache-2.0
/// ELLPACK is laid out by columns and refuses to explode.
#include "loops/format/convert_ell.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "samples.hpp"

namespace {

TEST(to_ell, is_column_major_with_minus_one_as_padding) {
  const auto a = samples::make<float, int, int>(3, 4, {{0, 3}, {}, {2}});
  const auto b = loops::to_ell(a);
  EXPECT_EQ(b.width, 2);
  EXPECT_EQ(b.stride, 3);
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, -1, 2, 3, -1, -1}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{1, 0, 3, 2, 0, 0}));
}

TEST(to_ell, refuses_to_explode_and_says_what_to_raise) {
  std::vector<std::vector<std::int64_t>> rows(1000, {0});
  for (std::int64_t c = 0; c < 500; ++c) rows[17].push_back(c);
  const auto a = samples::make<float, int, int>(1000, 500, rows);
  try {
    static_cast<void>(loops::to_ell(a));
    FAIL() << "501,000 entries for 1,500 nonzeros were accepted";
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::invalid_argument);
    EXPECT_NE(e.message().find("width 501"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("501000 entries for 1500 nonzeros"), std::string::npos)
        << e.message();
    EXPECT_NE(e.message().find("padding_limit::growth"), std::string::npos) << e.message();
  }
  EXPECT_EQ(loops::to_ell(a, {.growth = 400}).width, 501);
  // As much as is allowed is allowed.
  EXPECT_EQ(loops::to_ell(a, {.growth = 334}).width, 501);
  EXPECT_THROW(static_cast<void>(loops::to_ell(a, {.growth = 333.9})), loops::error);
  EXPECT_EQ(loops::to_ell(a, {.growth = 0, .always = 501000}).width, 501);
  EXPECT_THROW(static_cast<void>(loops::to_ell(a, {.growth = 0, .always = 500999})), loops::error);
}

TEST(to_ell, refuses_positions_that_do_not_fit) {
  std::vector<std::vector<std::int64_t>> rows(200);
  for (std::int64_t c = 0; c < 200; ++c) rows[0].push_back(c);
  const auto a = samples::make<float, std::int16_t, std::int16_t>(200, 200, rows);
  try {
    static_cast<void>(loops::to_ell(a));
    FAIL() << "40,000 entries were given 16-bit positions";
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::overflow);
  }
}

TEST(to_csr, skips_padding_anywhere_and_obeys_the_stride) {
  const std::vector<int> indices{-1, 2, 99, 0, -1, 99};
  const std::vector<float> values{9, 1, 9, 0, 9, 9};
  const loops::ell_view<float> a{2, 3, 2, 3, indices.data(), values.data()};
  const auto b = loops::to_csr(a);
  EXPECT_EQ(b.offsets.to_vector(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(b.indices.to_vector(), (std::vector<int>{0, 2}));
  EXPECT_EQ(b.values.to_vector(), (std::vector<float>{0, 1})) << "a stored zero is a nonzero";
}

}  // namespace
