// SPDX-License-Identifier: Apache-2.0
/// Parts of k are as many as pay, where tiles are too few, k has so many lines, and sums have room.
#include "algorithms/gemm/parts_choice.hpp"

#include "algorithms/gemm/gemm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace {

using loops::engine_forecast;
using loops::layout;
using loops::matrix;

auto problem_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  auto* const operands = reinterpret_cast<const double*>(std::uintptr_t{4096});
  auto* const result = reinterpret_cast<double*>(std::uintptr_t{1} << 40);
  return loops::make_gemm_problem(matrix<const double, layout::row_major>(operands, m, k),
                                  matrix<const double, layout::column_major>(operands, k, n),
                                  matrix<double, layout::row_major>(result, m, n),
                                  loops::gemm_detail::chain());
}

/// The best parts for 132 processors where multiplying takes `launch`, and so much for each element
/// of k of one of them.
engine_forecast best(std::int64_t m, std::int64_t n, std::int64_t k, double launch,
                     double us_per_k) {
  const auto p = problem_of(m, n, k);
  return loops::gemm_detail::cheapest_parts(p, 132, [&](const auto& parts) -> engine_forecast {
    EXPECT_EQ(parts.whole_k, k);
    return {{3, 7, 5}, launch + us_per_k * double(parts.k())};
  });
}

TEST(parts_choice, weighs_adding_against_multiplying) {
  // 64 x 128 x 4096 in doubles: a part more adds 65536 bytes to the sums, 0.016 us.
  EXPECT_EQ(best(64, 128, 4096, 3, 0).choice.parts, 2);
  const engine_forecast eight = best(64, 128, 4096, 3, 2.0 / 4096);
  // 2 / parts + 0.016 parts is least at eleven, but lanes add nine in two rounds.
  EXPECT_EQ(eight.choice.parts, 8);
  EXPECT_NEAR(eight.us, 3 + 2.0 / 8 + 1.5 + 0.25e-6 * 8 * 65536, 1e-9);
  EXPECT_GT(best(64, 128, 4096, 3, 100.0 / 4096).choice.parts, 16);
  EXPECT_EQ(best(64, 128, 1 << 20, 3, 100.0).choice.parts, 58);
}

TEST(parts_choice, keeps_the_engine_and_its_form) {
  const loops::engine_choice c = best(64, 128, 4096, 3, 0.1).choice;
  EXPECT_EQ(c.engine, 3);
  EXPECT_EQ(c.form, 7);
  EXPECT_EQ(c.waves, 0);
}

TEST(parts_choice, makes_no_more_tiles_than_have_room) {
  // 16 tiles of 64 x 128: 16 times as many are 256 of the 264 that there may be.
  EXPECT_EQ(best(256, 512, 1 << 20, 0, 1).choice.parts, 16);
  // Of more than half as many as that there are no two parts.
  EXPECT_EQ(best(64 * 133, 128, 1 << 20, 0, 1).us, HUGE_VAL);
  EXPECT_EQ(best(64 * 132, 120, 1 << 20, 0, 1).choice.parts, 2);
  // With eight columns more, their sums have 17.3 megabytes.
  EXPECT_EQ(best(64 * 132, 128, 1 << 20, 0, 1).us, HUGE_VAL);
}

TEST(parts_choice, has_no_more_parts_than_k_has_lines) {
  EXPECT_EQ(best(8, 8, 16, 0, 1).us, HUGE_VAL);
  EXPECT_EQ(best(8, 8, 17, 0, 100).choice.parts, 2);
  EXPECT_EQ(best(8, 8, 16 * 5, 0, 100).choice.parts, 5);
}

}  // namespace
