// SPDX-License-Identifier: Apache-2.0
/// A tile per wave, whatever the wave is.
#include "loops/schedule/wave_mapped.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(wave_mapped, follows_the_wave_of_the_machine) {
  const auto s = loops::schedule::wave_mapped{}.compose();
  EXPECT_EQ(std::string(loops::schedule::wave_mapped::name()), "wave_mapped");
  const loops::uniform w(17, 9);
  EXPECT_EQ(s.bind(w, geometry::gpu).lanes, 32);
  EXPECT_EQ(s.bind(w, geometry::gpu).blocks, 3);
  EXPECT_EQ(s.bind(w, geometry::wide_gpu).lanes, 64);
  EXPECT_EQ(s.bind(w, geometry::wide_gpu).blocks, 5);
  EXPECT_EQ(s.bind(w, geometry::cpu).lanes, 1);
}

}  // namespace
