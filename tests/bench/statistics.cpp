// SPDX-License-Identifier: Apache-2.0
/// How many samples a benchmark takes, and when it gives up.
#include "bench/support/statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

/// Takes samples of 1 s, the first `slow` of them 100 s instead; tells how many were asked for.
std::vector<int> asked_for(int slow, double best, std::vector<double>& taken) {
  std::vector<int> counts;
  taken = loops::bench::effort{5, 10, 7}.take(best, [&](int count) {
    counts.push_back(count);
    const bool late = static_cast<int>(counts.size()) <= slow;
    return std::vector<double>(static_cast<std::size_t>(count), late ? 100 : 1);
  });
  return counts;
}

TEST(effort, gives_up_after_three_looks_and_not_after_one) {
  std::vector<double> taken;
  EXPECT_EQ(asked_for(0, 1, taken), (std::vector<int>{1, 7}));
  EXPECT_EQ(asked_for(1, 1, taken), (std::vector<int>{1, 1, 7}));
  EXPECT_EQ(asked_for(2, 1, taken), (std::vector<int>{1, 1, 1, 7}));
  EXPECT_EQ(taken, std::vector<double>(7, 1));
  EXPECT_EQ(asked_for(9, 1, taken), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(taken, std::vector<double>{100});
}

TEST(effort, has_no_rival_to_lose_against_at_first) {
  std::vector<double> taken;
  EXPECT_EQ(asked_for(1, 0, taken), (std::vector<int>{1, 5}));
}

}  // namespace
