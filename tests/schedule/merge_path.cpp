// SPDX-License-Identifier: Apache-2.0
/// Equal path steps per block.
#include "loops/schedule/merge_path.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(merge_path, cuts_by_atoms_plus_tiles) {
  const auto s = loops::schedule::merge_path{}.compose();
  EXPECT_EQ(std::string(loops::schedule::merge_path::name()), "merge_path");
  const loops::uniform w(1000, 9);
  const auto a = s.bind(w, geometry::gpu);
  EXPECT_EQ(a.step, 256 * 7);
  EXPECT_EQ(a.slices, loops::ceil_div(10000, 256 * 7));
  EXPECT_EQ(a.blocks, a.slices);
  EXPECT_EQ(a.cut(w, 1), (loops::coordinate{179, 1613}));
  // Empty tiles count as steps.
  EXPECT_EQ(s.bind(loops::uniform(10000, 0), geometry::gpu).slices,
            loops::ceil_div(10000, 256 * 7));
}

}  // namespace
