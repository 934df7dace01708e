// SPDX-License-Identifier: Apache-2.0
/// Trees ask the questions that are known to be the best ones.
#include "train/grow.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace loops::train;
using loops::select::feature;

/// Rows 1 … n with a useless second feature; `cost(i)` gives the costs of row i.
template <class F>
std::vector<example> rows(int n, const F& cost) {
  std::vector<example> out;
  for (int i = 1; i <= n; ++i)
    out.push_back({{double(i), double(i * 7 % 5)}, cost(i), "m" + std::to_string(i)});
  return out;
}

TEST(grow, FindsTheBorderBetweenTwoChoices) {
  const auto data = rows(40, [](int i) {
    return i <= 13 ? std::vector<double>{0, 1} : std::vector<double>{1, 0};
  });
  const grown g = grow(data, {3, 4});
  ASSERT_EQ(g.nodes.size(), 3u);
  EXPECT_EQ(g.nodes[0].by, feature::tiles);
  EXPECT_GE(g.nodes[0].at_most, 13);
  EXPECT_LT(g.nodes[0].at_most, 14);
  EXPECT_EQ(g.nodes[0].other, 2);
  EXPECT_EQ(g.leaves, 2);
  for (int i = 1; i <= 40; ++i) EXPECT_EQ(g.leaf_of[std::size_t(i - 1)], i <= 13 ? 0 : 1);
}

TEST(grow, WeighsWhatIsLostAndNotHowOften) {
  // One costly row among many that hardly care: always the first choice, though it wins one row.
  const auto data = rows(20, [](int i) {
    return i % 5 == 0 ? std::vector<double>{0, 3} : std::vector<double>{0.01, 0};
  });
  const grown g = grow(data, {0, 4});
  EXPECT_EQ(g.nodes.size(), 1u);
  const auto borders = rows(40, [](int i) {
    return i <= 20 ? std::vector<double>{0, 0.01} : std::vector<double>{i <= 30 ? 0.0 : 1.0, 0.5};
  });
  const grown h = grow(borders, {1, 4});
  ASSERT_EQ(h.nodes.size(), 3u);
  EXPECT_GE(h.nodes[0].at_most, 30);
  EXPECT_LT(h.nodes[0].at_most, 31);
}

TEST(grow, DropsQuestionsWhoseAnswersChooseTheSame) {
  const auto data = rows(40, [](int i) { return std::vector<double>{0, i <= 20 ? 1.0 : 2.0}; });
  EXPECT_EQ(grow(data, {4, 4}).nodes.size(), 1u);
  // Below a question that matters, only what matters stays.
  const auto deeper = rows(60, [](int i) {
    return i <= 20 ? std::vector<double>{0, 1} : std::vector<double>{i <= 40 ? 1.0 : 2.0, 0};
  });
  EXPECT_EQ(grow(deeper, {4, 4}).nodes.size(), 3u);
}

TEST(grow, KeepsToItsLimits) {
  const auto data = rows(40, [](int i) {
    return i % 2 ? std::vector<double>{0, 1} : std::vector<double>{1, 0};
  });
  EXPECT_EQ(grow(data, {0, 1}).nodes.size(), 1u);
  for (const int matrices : {1, 3, 8}) {
    const grown g = grow(data, {6, matrices});
    std::vector<int> in(std::size_t(g.leaves), 0);
    for (const int leaf : g.leaf_of) ++in[std::size_t(leaf)];
    for (const int n : in) EXPECT_GE(n, matrices);
  }
  // Rows of one matrix are one matrix.
  auto same = data;
  for (example& e : same) e.matrix = "one";
  EXPECT_EQ(grow(same, {6, 2}).nodes.size(), 1u);
}

TEST(grow, NeverPartsEqualValues) {
  auto data = rows(40, [](int i) {
    return i <= 20 ? std::vector<double>{0, 1} : std::vector<double>{1, 0};
  });
  for (example& e : data) e.features = {1, 1};
  EXPECT_EQ(grow(data, {6, 1}).nodes.size(), 1u);
}

TEST(grow, GivesTheSameTreeEveryTime) {
  const auto data = rows(200, [](int i) {
    return std::vector<double>{double(i * 31 % 17), double(i * 13 % 11), double(i * 7 % 5)};
  });
  const grown a = grow(data, {5, 4});
  const grown b = grow(data, {5, 4});
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  EXPECT_GT(a.nodes.size(), 3u);
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    EXPECT_EQ(a.nodes[i].at_most, b.nodes[i].at_most);
  EXPECT_EQ(a.leaf_of, b.leaf_of);
}

}  // namespace
