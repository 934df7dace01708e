// SPDX-License-Identifier: Apache-2.0
/// Every block of a cluster gets its operands once, and waits for those that it copies into.
#include "algorithms/gemm/hopper_cluster.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace {

/// Each of 0 … n - 1 once.
std::multiset<int> each_once(int n) {
  std::multiset<int> out;
  for (int i = 0; i < n; ++i) out.insert(i);
  return out;
}

void check(loops::hopper::cluster_shape shape) {
  using spot = loops::hopper::cluster_place;
  SCOPED_TRACE(testing::Message() << shape.tall << " x " << shape.wide << " x " << shape.deep);
  const int blocks = spot(shape, 0).blocks();
  ASSERT_EQ(blocks, shape.tall * shape.wide * shape.deep);
  EXPECT_EQ(spot(shape, 0).parts(), shape.deep);
  // From whom each block gets the parts of A and B.
  const auto size = static_cast<std::size_t>(blocks);
  std::vector<std::multiset<int>> a_parts(size), b_parts(size);
  std::vector<std::set<unsigned>> writers(size), waited_for(size);
  std::set<std::array<int, 3>> places;
  for (int rank = 0; rank < blocks; ++rank) {
    const spot self(shape, rank);
    EXPECT_TRUE(places.insert({self.across(), self.down(), self.part()}).second);
    for (int other = 0; other < blocks; ++other) {
      const spot to(shape, other);
      const auto at = static_cast<std::size_t>(other);
      if (self.beside() >> other & 1) {
        EXPECT_TRUE(to.down() == self.down() && to.part() == self.part());
        a_parts[at].insert(self.across());
        writers[at].insert(static_cast<unsigned>(rank));
      }
      if (self.above_and_below() >> other & 1) {
        EXPECT_TRUE(to.across() == self.across() && to.part() == self.part());
        b_parts[at].insert(self.down());
        writers[at].insert(static_cast<unsigned>(rank));
      }
    }
    EXPECT_EQ(self.beside() >> blocks, 0);
    EXPECT_EQ(self.above_and_below() >> blocks, 0);
    for (int i = 0; i < self.neighbours(); ++i)
      EXPECT_TRUE(waited_for[static_cast<std::size_t>(rank)].insert(self.neighbour(i)).second);
    EXPECT_EQ(self.same_place(self.part()), static_cast<unsigned>(rank));
    for (int i = 0; i < shape.deep; ++i) {
      const spot to(shape, static_cast<int>(self.same_place(i)));
      EXPECT_TRUE(to.across() == self.across() && to.down() == self.down() && to.part() == i);
    }
  }
  for (std::size_t rank = 0; rank < size; ++rank) {
    EXPECT_EQ(a_parts[rank], each_once(shape.wide));
    EXPECT_EQ(b_parts[rank], each_once(shape.tall));
    // Who fills a stage is told when it is free: as many arrivals as there are neighbours.
    EXPECT_EQ(writers[rank], waited_for[rank]);
  }
}

TEST(hopper_cluster, every_part_of_an_operand_comes_once) {
  check({1, 1});
  check({2, 1});
  check({1, 2});
  check({2, 2});
  check({4, 1});
  check({1, 4});
  check({4, 2});
  check({2, 4});
  check({8, 1});
  check({1, 1, 3});
  check({1, 1, 8});
  check({2, 1, 4});
  check({1, 2, 2});
  check({2, 2, 2});
  check({3, 2});
}

}  // namespace
