// SPDX-License-Identifier: Apache-2.0
/// Walking a tree, and what makes one fit to be walked.
#include "loops/select/tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace loops;
using select::feature;
using select::node;

/// tiles <= 10 ? 0 : (atoms <= 100 ? 1 : 2)
constexpr node three[] = {{feature::tiles, 10, 2},
                          {feature::none, 0, 0},
                          {feature::atoms, 100, 4},
                          {feature::none, 0, 1},
                          {feature::none, 0, 2}};

constexpr int leaf(std::int64_t tiles, std::int64_t atoms) {
  select::facts x;
  x.seen.tiles = tiles;
  x.seen.atoms = atoms;
  return select::leaf_of(three, x);
}
static_assert(leaf(10, 1) == 0);
static_assert(leaf(11, 100) == 1);
static_assert(leaf(11, 101) == 2);

TEST(tree, GoesToTheNextLineUpToTheThresholdAndElsewhereBeyond) {
  select::facts x;
  x.seen.tiles = 3;
  x.seen.atoms = 10;
  const double mean = 10.0 / 3;
  const auto at = [&](double threshold) {
    const node n[] = {{feature::mean, threshold, 2}, {feature::none, 0, 0}, {feature::none, 0, 1}};
    return select::leaf_of(n, x);
  };
  EXPECT_EQ(at(mean), 0);
  EXPECT_EQ(at(std::nextafter(mean, 0)), 1);
  EXPECT_EQ(at(std::nextafter(mean, 100)), 0);
}

bool fit(std::vector<node> nodes, std::size_t leaves, std::size_t forecasts,
         int features = select::known_features) {
  const std::vector<select::leaf> l(leaves);
  const std::vector<select::forecast> f(forecasts);
  return select::well_formed(select::tree{nodes, l, f}, features, 2);
}

TEST(tree, IsWellFormedOrNot) {
  const node end{feature::none, 0, 0};
  EXPECT_TRUE(fit({end}, 1, 2));
  EXPECT_TRUE(fit({{feature::tiles, 1, 2}, end, end}, 1, 2));
  EXPECT_FALSE(fit({}, 1, 2)) << "no lines";
  EXPECT_FALSE(fit({end}, 1, 3)) << "forecasts do not match";
  EXPECT_FALSE(fit({{feature::none, 0, 1}}, 1, 2)) << "no such leaf";
  EXPECT_FALSE(fit({{feature::none, 0, -1}}, 1, 2)) << "no such leaf";
  EXPECT_FALSE(fit({{feature::tiles, 1, 0}, end}, 1, 2)) << "a circle";
  EXPECT_FALSE(fit({{feature::tiles, 1, 1}, end}, 1, 2)) << "one way for both answers";
  EXPECT_FALSE(fit({{feature::tiles, 1, 3}, end, end}, 1, 2)) << "beyond the end";
  EXPECT_FALSE(fit({end, {feature::tiles, 1, 2}}, 1, 2)) << "no next line";
  EXPECT_FALSE(fit({{feature::longest, 1, 2}, end, end}, 1, 2)) << "needs a pass";
  EXPECT_TRUE(fit({{feature::longest, 1, 2}, end, end}, 1, 2, select::all_features));
}

}  // namespace
