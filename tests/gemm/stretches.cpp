// SPDX-License-Identifier: Apache-2.0
/// Memory in stretches meets exactly where bytes are common.
#include "algorithms/gemm/stretches.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace {

using loops::layout;
using loops::matrix;
using loops::gemm_detail::meet;
using loops::gemm_detail::memory_of;
using loops::gemm_detail::stretches;

std::set<std::uintptr_t> bytes_of(const stretches& s) {
  std::set<std::uintptr_t> bytes;
  for (std::int64_t i = s.lines.least; i <= s.lines.most; ++i)
    for (std::int64_t z = s.matrices.least; z <= s.matrices.most; ++z)
      for (std::int64_t j = 0; j < s.length; ++j)
        bytes.insert(s.begin +
                     static_cast<std::uintptr_t>(i * s.lines.stride + z * s.matrices.stride + j));
  return bytes;
}

/// Of matrices and vectors that lie between each other in every way, also of other types.
TEST(memory_in_stretches, meets_where_bytes_are_common) {
  std::mt19937 random(1);
  const auto some = [&](int least, int most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  int common = 0, apart = 0, between = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto a_cols = some(1, 4);
    const matrix<const short> a(reinterpret_cast<const short*>(1000 + 2 * some(0, 60)), some(1, 5),
                                a_cols, a_cols + some(0, 12), some(1, 3), some(0, 20));
    const auto c_rows = some(1, 4);
    const matrix<float, layout::column_major> c(reinterpret_cast<float*>(1000 + 4 * some(0, 30)),
                                                c_rows, some(1, 5), c_rows + some(0, 6), some(1, 3),
                                                some(0, 10));
    const auto v = memory_of(reinterpret_cast<const short*>(1040 + 2 * some(0, 60)), some(1, 6),
                             some(-8, 8), some(1, 5));
    const stretches in_c = memory_of(c);
    const std::set<std::uintptr_t> bytes = bytes_of(in_c);
    for (const stretches& s : {memory_of(a), v}) {
      bool expected = false;
      const std::set<std::uintptr_t> others = bytes_of(s);
      for (const std::uintptr_t at : others) expected = expected || bytes.count(at) > 0;
      ASSERT_EQ(meet(s, in_c), expected) << i;
      ASSERT_EQ(meet(in_c, s), expected) << i;
      const bool away = *others.rbegin() < *bytes.begin() || *bytes.rbegin() < *others.begin();
      common += expected;
      apart += away;
      between += !expected && !away;
    }
  }
  EXPECT_GT(common, 5000);
  EXPECT_GT(apart, 5000);
  EXPECT_GT(between, 1000);
}

/// Columns of one array that are taken in turn, of so many lines that nobody can look at each.
TEST(memory_in_stretches, of_many_lines_is_told_apart_at_once) {
  constexpr std::int64_t lines = std::int64_t{1} << 31;
  const auto columns = [](std::int64_t from, std::int64_t count, std::int64_t leading) {
    return memory_of(matrix<const float>(reinterpret_cast<const float*>(4096 + 4 * from),
                                         lines * 300 / leading, count, leading));
  };
  EXPECT_FALSE(meet(columns(0, 100, 300), columns(100, 200, 300)));
  EXPECT_TRUE(meet(columns(0, 101, 300), columns(100, 200, 300)));
  EXPECT_FALSE(meet(columns(0, 100, 600), columns(100, 100, 300)));
  EXPECT_TRUE(meet(columns(0, 100, 600), columns(300, 1, 300)));
  EXPECT_TRUE(meet(columns(0, 100, 301), columns(100, 200, 307)));
}

TEST(memory_in_stretches, may_be_all_that_can_be_addressed) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  const auto at = [](std::uintptr_t begin, std::int64_t leading) {
    return memory_of(
        matrix<const char>(reinterpret_cast<const char*>(begin), 2, 1, leading, 2, most - leading));
  };
  EXPECT_FALSE(meet(at(1, most / 2), at(2, most / 2)));
  EXPECT_TRUE(meet(at(1, most / 2), at(1 + most / 2, most / 2)));
  EXPECT_TRUE(meet(at(1, most - 7), at(most - 6, 5)));
}

}  // namespace
