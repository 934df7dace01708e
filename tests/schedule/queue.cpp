// SPDX-License-Identifier: Apache-2.0
/// A tile per group, as many per ticket as a block has groups.
#include "loops/schedule/queue.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(queue, draws_a_ticket_for_as_many_tiles_as_a_block_has_groups) {
  EXPECT_EQ(std::string(loops::schedule::queue::name()), "queue");
  const loops::uniform w(100000, 9);
  static_assert(!decltype(loops::schedule::queue{}.compose())::pure);
  for (const int lanes : {1, 8, 256}) {
    const auto a = loops::schedule::queue{lanes}.compose().bind(w, geometry::gpu);
    EXPECT_EQ(a.lanes, lanes);
    EXPECT_EQ(a.slices, 100000);
    EXPECT_EQ(a.visits, loops::ceil_div(100000, 256 / lanes));
    EXPECT_LE(a.blocks, 528);
  }
  EXPECT_EQ(loops::schedule::queue{}.compose().bind(w, geometry::wide_gpu).lanes, 64);
  EXPECT_EQ(loops::schedule::queue{}.compose().bind(w, geometry::cpu).visits,
            loops::ceil_div(100000, 256));
}

}  // namespace
