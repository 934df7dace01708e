// SPDX-License-Identifier: Apache-2.0
/// The slices of merge-path, handed out by arrival.
#include "loops/schedule/dynamic_merge_path.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

constexpr loops::composed<loops::measure::path, loops::worker::block, loops::order::in_order>
    composed_of_merge_path;

TEST(dynamic_merge_path, has_the_slices_of_merge_path) {
  const auto s = loops::schedule::dynamic_merge_path{}.compose();
  EXPECT_EQ(std::string(loops::schedule::dynamic_merge_path::name()), "dynamic_merge_path");
  static_assert(!decltype(s)::pure, "who takes what is known only at run time");
  const loops::uniform w(1 << 20, 9);
  const auto a = s.bind(w, geometry::gpu);
  const auto merge = composed_of_merge_path.bind(w, geometry::gpu);
  EXPECT_EQ(a.slices, merge.slices);
  for (std::int64_t i = 0; i <= a.slices; i += 97) EXPECT_EQ(a.cut(w, i), merge.cut(w, i));
  EXPECT_EQ(a.blocks, 528);
}

}  // namespace
