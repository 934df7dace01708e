// SPDX-License-Identifier: Apache-2.0
/// The families with a closed definition have the sizes, and the structure, that are known of them.
#include "loops/io/generate.hpp"
#include "support/patterns.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using loops::generate;
using support::columns;
using support::lengths;
using support::pattern;
using support::symmetric;

TEST(generate_combinatorial, mycielskians_have_their_known_sizes) {
  const std::map<int, std::pair<int, int>> known = {
      // order: vertices, nonzeros
      {2, {2, 2}},    {3, {5, 10}},    {4, {11, 40}},    {5, {23, 142}},
      {6, {47, 472}}, {7, {95, 1510}}, {8, {191, 4720}}, {12, {3071, 407200}}};
  for (const auto& [order, size] : known) {
    const auto a = generate("mycielskian:order=" + std::to_string(order));
    EXPECT_EQ(a.rows, size.first);
    EXPECT_EQ(a.nonzeros(), size.second);
    EXPECT_TRUE(symmetric(a));
  }
  const auto entries = pattern(generate("mycielskian:order=6"));
  for (const auto& [i, j] : entries)
    for (int k = 0; k < 47; ++k)
      ASSERT_FALSE(entries.count({i, k}) && entries.count({k, j})) << "a triangle";
}

TEST(generate_combinatorial, trefethen_matrices_have_their_known_sizes) {
  const std::map<std::string, int> known = {{"rows=20", 158},
                                            {"rows=20,minor=1", 147},
                                            {"rows=200", 2890},
                                            {"rows=2000", 41906},
                                            {"rows=20000", 554466}};
  for (const auto& [spec, nonzeros] : known)
    EXPECT_EQ(generate("trefethen:" + spec).nonzeros(), nonzeros) << spec;
  const auto a = generate("trefethen:rows=20000");
  EXPECT_TRUE(a.values[static_cast<std::size_t>(a.nonzeros()) - 1] ==
              224737);  // as the problem states
  EXPECT_EQ(a.values[0], 2);
  EXPECT_EQ(generate("trefethen:rows=20,minor=1").values[0], 3);
  EXPECT_EQ(generate("trefethen:rows=1").nonzeros(), 1);
}

TEST(generate_combinatorial, pairs_in_subsets_is_a_design) {
  const auto a = generate("pairs_in_subsets:points=9,subset=3");
  EXPECT_EQ(a.rows, 36);
  EXPECT_EQ(a.cols, 84);
  EXPECT_EQ(a.nonzeros(), 252);
  // Columns are the subsets in lexicographic order; the pairs inside each are a triangle.
  std::set<std::pair<int, int>> expected;
  int subset = 0;
  const auto pair = [](int i, int j) { return i * 9 - i * (i + 1) / 2 + j - i - 1; };
  for (int i = 0; i < 9; ++i)
    for (int j = i + 1; j < 9; ++j)
      for (int k = j + 1; k < 9; ++k, ++subset)
        for (const int row : {pair(i, j), pair(i, k), pair(j, k)}) expected.emplace(row, subset);
  EXPECT_EQ(pattern(a), expected);
  const auto b = lengths(generate("pairs_in_subsets:points=12,subset=5"));
  EXPECT_EQ(std::set<int>(b.begin(), b.end()), std::set<int>{120});  // C(10, 3)
  EXPECT_EQ(generate("pairs_in_subsets:points=2,subset=2").nonzeros(), 1);
}

TEST(generate_combinatorial, de_bruijn_words_overlap) {
  const auto a = generate("de_bruijn:symbols=3,length=2");
  EXPECT_EQ(a.rows, 9);
  EXPECT_EQ(columns(a, 5), (std::vector{6, 7, 8}));  // "12" is followed by "20", "21", "22"
  // Every vertex has as many ways in as out.
  std::vector<int> uses(9);
  for (const int c : a.indices) ++uses[static_cast<std::size_t>(c)];
  EXPECT_EQ(uses, std::vector<int>(9, 3));
  EXPECT_EQ(generate("de_bruijn:symbols=1,length=5").nonzeros(), 1);
}

}  // namespace
