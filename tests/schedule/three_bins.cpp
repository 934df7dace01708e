// SPDX-License-Identifier: Apache-2.0
/// Lanes, waves and blocks, by two thresholds.
#include "loops/schedule/three_bins.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(three_bins, changes_groups_at_its_thresholds) {
  EXPECT_EQ(std::string(loops::schedule::three_bins::name()), "three_bins");
  const auto s = loops::schedule::three_bins{}.compose();
  const auto lanes = [&](std::int64_t atoms) {
    return s.who.lanes(loops::worker::by_bin::bin_of(atoms), geometry::gpu);
  };
  EXPECT_EQ(lanes(0), 1);
  EXPECT_EQ(lanes(31), 1);
  EXPECT_EQ(lanes(32), 32);
  EXPECT_EQ(lanes(2047), 32);
  EXPECT_EQ(lanes(2048), 256);
  EXPECT_EQ(lanes(std::int64_t{1} << 40), 256);
  const auto small = loops::schedule::three_bins{2, 4}.compose();
  EXPECT_EQ(small.who.size[1], 1);
  EXPECT_EQ(small.who.size[2], 32);
  EXPECT_EQ(small.who.size[3], 1024);
  // Between powers of two, thresholds are as good as the next one.
  EXPECT_EQ((loops::schedule::three_bins{33, 1025}.compose().who.size[6]), 1);
  EXPECT_EQ((loops::schedule::three_bins{33, 1025}.compose().who.size[7]), 32);
  EXPECT_EQ((loops::schedule::three_bins{33, 1025}.compose().who.size[11]), 32);
  EXPECT_EQ((loops::schedule::three_bins{33, 1025}.compose().who.size[12]), 1024);
}

}  // namespace
