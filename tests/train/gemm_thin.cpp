// SPDX-License-Identifier: Apache-2.0
/// What is never the best goes, the rest keeps its measurements under new numbers.
#include "train/gemm_thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "train/gemm_machine.hpp"

namespace {

using loops::train::gemm_fit;
using loops::train::gemm_results;

/// A machine whose tile 2 is slow at everything.
struct thinned : testing::Test {
  void SetUp() override {
    const auto& like = loops::select::tables::gemm_h200_bf16;
    r.tiles.assign(like.costs.begin(), like.costs.begin() + 12);
    for (auto& u : r.tiles[2].us) u = 100 * u + 1000;
    for (std::size_t i = 0; i < r.tiles.size(); ++i) r.names.push_back("t" + std::to_string(i));
    r.like = like;
    r.like.costs = r.tiles;
    fit.costs = r.tiles;
    fit.bytes_per_us = like.bytes_per_us;
    fit.overlap = like.overlap;
  }
  gemm_results r;
  gemm_fit fit;
};

TEST_F(thinned, keeps_what_is_chosen_and_what_was_fastest) {
  auto lines = worthwhile_lines(r, fit, 100);
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 2), 0);
  const auto before = lines.size();
  r.products.push_back({{512, 512, 512}, "nt", {{{0, 0}, 9.0}, {{2, 0}, 3.0}}, {}, 0});
  lines = worthwhile_lines(r, fit, 100);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 2), 1);
  EXPECT_GE(lines.size(), before + 1);
}

TEST_F(thinned, prefers_what_is_chosen_most_often) {
  // Nothing is as fast as tile 7 on most products.
  for (auto& us : r.tiles[7].us) us *= 0.7F;
  fit.costs[7] = r.tiles[7];
  EXPECT_GT(worthwhile_lines(r, fit, 100).size(), 2U);
  EXPECT_EQ(worthwhile_lines(r, fit, 1), std::vector<int>{7});
}

TEST_F(thinned, keeps_what_is_best_among_few) {
  // Whoever has only the slow tile and the next takes the next.
  EXPECT_EQ(worthwhile_lines(r, fit, 100, {2, 9}), worthwhile_lines(r, fit, 100, {9}));
  auto& ninth = fit.costs[9];
  for (auto& us : ninth.us) us *= 3;
  const auto without = worthwhile_lines(r, fit, 100);
  EXPECT_EQ(std::count(without.begin(), without.end(), 9), 0);
  const auto with = worthwhile_lines(r, fit, 100, {2, 9});
  EXPECT_EQ(std::count(with.begin(), with.end(), 9), 1);
  EXPECT_EQ(std::count(with.begin(), with.end(), 2), 0);
  EXPECT_EQ(worthwhile_lines(r, fit, 1, {2, 9}), std::vector<int>{9});
}

TEST_F(thinned, renumbers_results_and_costs) {
  r.products.push_back({{512, 512, 512}, "nt", {{{0, 0}, 9.0}, {{5, -1}, 3.0}}, {4.0}, 0});
  r.products.push_back({{640, 512, 512}, "nt", {{{3, 0}, 9.0}}, {4.0}, 0});
  const auto kept = r.tiles[5];
  keep_lines(r, fit, {0, 1, 5});
  ASSERT_EQ(r.tiles.size(), 3U);
  EXPECT_EQ(r.like.costs.size(), 3U);
  EXPECT_EQ(r.names[2], "t5");
  EXPECT_EQ(fit.costs[2].tiling, kept.tiling);
  EXPECT_EQ(r.like.costs[2].tiling, kept.tiling);
  ASSERT_EQ(r.products.size(), 1U);
  EXPECT_EQ(r.products[0].ours[1].first, (loops::select::gemm_candidate{2, -1}));
  EXPECT_EQ(r.products[0].ours[1].second, 3.0);
}

}  // namespace
