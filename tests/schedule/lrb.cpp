// SPDX-License-Identifier: Apache-2.0
/// Groups sized by the bits of a tile.
#include "loops/schedule/lrb.hpp"

#include "loops/core/error.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <climits>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

using loops::worker::by_bin;

TEST(lrb, the_bin_of_a_tile_is_the_number_of_bits_of_its_size) {
  EXPECT_EQ(by_bin::bin_of(0), 0);
  EXPECT_EQ(by_bin::bin_of(1), 1);
  for (int b = 2; b < 63; ++b) {
    const std::int64_t power = std::int64_t{1} << (b - 1);
    EXPECT_EQ(by_bin::bin_of(power - 1), b - 1);
    EXPECT_EQ(by_bin::bin_of(power), b);
    EXPECT_EQ(by_bin::bin_of(power + 1), b == 2 ? 2 : b);
    EXPECT_EQ(by_bin::bin_of(2 * (power - 1) + 1), b);
  }
  EXPECT_EQ(by_bin::bin_of(INT64_MAX), 63);
  // What is no size has a bin, too.
  EXPECT_EQ(by_bin::bin_of(-1), 0);
  EXPECT_EQ(by_bin::bin_of(INT64_MIN), 0);
  static_assert(by_bin::bins == 64);
}

TEST(lrb, groups_are_powers_of_two_that_give_no_lane_more_than_asked) {
  EXPECT_EQ(std::string(loops::schedule::lrb::name()), "lrb");
  for (const int per_lane : {1, 3, 8, 100}) {
    const auto s = loops::schedule::lrb{per_lane}.compose();
    EXPECT_EQ(s.who.size[0], 1);
    for (int b = 1; b < by_bin::bins; ++b) {
      const int lanes = s.who.size[b];
      EXPECT_GE(lanes, s.who.size[b - 1]);
      EXPECT_EQ(lanes & (lanes - 1), 0);
      const std::int64_t largest = (std::int64_t{1} << (b - 1)) - 1 + (std::int64_t{1} << (b - 1));
      EXPECT_TRUE(lanes == 1024 || largest / lanes <= per_lane) << b;
      // And no larger than that takes.
      EXPECT_TRUE(lanes == 1 || largest / (lanes / 2) > per_lane) << b;
      EXPECT_EQ(s.who.lanes(b, geometry::gpu), lanes < 256 ? lanes : 256);
      EXPECT_EQ(s.who.lanes(b, geometry::cpu), 1);
    }
  }
}

TEST(lrb, a_lane_takes_an_atom_at_least) {
  for (const int none : {0, -1, INT_MIN})
    support::expect_error(loops::errc::invalid_argument, "one atom at least",
                          [&] { static_cast<void>(loops::schedule::lrb{none}.compose()); });
}

}  // namespace
