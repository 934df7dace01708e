// SPDX-License-Identifier: Apache-2.0
/// Ranges, coordinates and slices count what they say.
#include "loops/core/path.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

TEST(atom_range, iterates_its_atoms) {
  std::vector<std::int64_t> seen;
  for (const std::int64_t a : loops::atom_range{5, 9}) seen.push_back(a);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{5, 6, 7, 8}));
  for (const std::int64_t a : loops::atom_range{7, 7}) FAIL() << a;
  EXPECT_EQ((loops::atom_range{5, 9}.size()), 4);
}

TEST(slice, counts_steps_as_atoms_plus_tiles) {
  constexpr loops::slice s{{2, 10}, {5, 17}};
  static_assert(s.begin.diagonal() == 12 && s.end.diagonal() == 22);
  EXPECT_EQ(s.steps(), 10);
  EXPECT_EQ(s.atoms(), (loops::atom_range{10, 17}));
  EXPECT_NE(s, (loops::slice{{2, 10}, {5, 18}}));
}

TEST(ceil_div, rounds_up_and_does_not_overflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  static_assert(loops::ceil_div(0, 7) == 0 && loops::ceil_div(1, 7) == 1);
  static_assert(loops::ceil_div(7, 7) == 1 && loops::ceil_div(8, 7) == 2);
  EXPECT_EQ(loops::ceil_div(most, 1), most);
  EXPECT_EQ(loops::ceil_div(most, 2), most / 2 + 1);
  EXPECT_EQ(loops::ceil_div(most, most), 1);
  EXPECT_EQ(loops::ceil_div(most - 1, most), 1);
}

}  // namespace
