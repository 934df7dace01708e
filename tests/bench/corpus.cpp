// SPDX-License-Identifier: Apache-2.0
/// The corpus is the same everywhere, and spread as it says.
#include "bench/gemm/corpus.hpp"

#include <climits>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace {

using namespace loops::bench;

TEST(corpus, is_the_same_everywhere) {
  const auto all = corpus_sample(corpus_size);
  ASSERT_EQ(all.size(), 32824U);
  std::uint64_t sum = 0;
  for (const shape_mnk& s : all) sum = loops::select::key_of(sum, s.m, s.n, s.k);
  EXPECT_EQ(sum, UINT64_C(0xfbe1bc78c3652a61)) << std::hex << "0x" << sum;
  EXPECT_EQ(all[0], corpus_shape(0));
}

TEST(corpus, lies_in_its_domain_and_spreads_over_it) {
  double mean[3] = {};
  int octaves[3][6] = {};
  std::set<std::tuple<int, int, int>> distinct;
  for (const shape_mnk& s : corpus_sample(corpus_size)) {
    const int sides[3] = {s.m, s.n, s.k};
    for (int i = 0; i < 3; ++i) {
      ASSERT_GE(sides[i], 128);
      ASSERT_LT(sides[i], 8192);
      ASSERT_EQ(sides[i] % 8, 0);
      mean[i] += std::log2(sides[i]) / corpus_size;
      ++octaves[i][static_cast<int>(std::log2(sides[i])) - 7];
    }
    distinct.emplace(s.m, s.n, s.k);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[i], 10, 0.04);  // rounding down takes a little
    for (const int count : octaves[i]) EXPECT_NEAR(count, corpus_size / 6.0, 250);
  }
  EXPECT_GT(distinct.size(), 32700U);
}

TEST(corpus, samples_are_stretches) {
  const auto first = corpus_sample(50);
  const auto later = corpus_sample(20, 30);
  EXPECT_TRUE(std::equal(later.begin(), later.end(), first.begin() + 30));
  EXPECT_EQ(corpus_sample(50, corpus_size - 10).size(), 10U);
  EXPECT_EQ(corpus_sample(INT_MAX, 10).size(), corpus_size - 10U);
  EXPECT_TRUE(corpus_sample(5, corpus_size).empty());
  for (const shape_mnk& s : corpus_sample(100, 0, 16)) EXPECT_EQ((s.m | s.n | s.k) % 16, 0);
}

}  // namespace
