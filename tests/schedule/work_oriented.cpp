// SPDX-License-Identifier: Apache-2.0
/// An even share of the path per resident lane.
#include "loops/schedule/work_oriented.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(work_oriented, has_one_slice_per_resident_lane) {
  const auto s = loops::schedule::work_oriented{}.compose();
  EXPECT_EQ(std::string(loops::schedule::work_oriented::name()), "work_oriented");
  const loops::uniform w(1 << 20, 9);
  const auto a = s.bind(w, geometry::gpu);
  EXPECT_EQ(a.lanes, 1);
  EXPECT_EQ(a.step, loops::ceil_div(10 << 20, 528 * 256));
  EXPECT_LE(a.slices, 528 * 256);
  EXPECT_LE(a.blocks, 528);
  EXPECT_EQ(s.bind(w, geometry::cpu).slices, 8);
}

TEST(work_oriented, has_no_more_slices_than_steps) {
  const auto s = loops::schedule::work_oriented{}.compose();
  EXPECT_EQ(s.bind(loops::uniform(1, 2), geometry::gpu).slices, 3);
}

}  // namespace
