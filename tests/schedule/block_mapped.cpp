// SPDX-License-Identifier: Apache-2.0
/// A tile per block.
#include "loops/schedule/block_mapped.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(block_mapped, gives_a_block_one_tile) {
  const auto s = loops::schedule::block_mapped{}.compose();
  EXPECT_EQ(std::string(loops::schedule::block_mapped::name()), "block_mapped");
  for (const int threads : {32, 64, 256, 1024}) {
    const auto a = s.bind(loops::uniform(17, 9), {threads, 32, 7, 1, 10});
    EXPECT_EQ(a.lanes, threads);
    EXPECT_EQ(a.groups, 1);
    EXPECT_EQ(a.blocks, 17);
  }
}

}  // namespace
