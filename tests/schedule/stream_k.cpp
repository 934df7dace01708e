// SPDX-License-Identifier: Apache-2.0
/// Equal runs over everything, or over what is left over.
#include "loops/schedule/stream_k.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace {

using loops::schedule::stream_k;

TEST(stream_k, gives_everybody_the_same_number_of_atoms) {
  EXPECT_EQ(std::string(stream_k::name()), "stream_k");
  const loops::uniform w(21, 32);
  const loops::machine m{1, 1, 1, 1, 4, 8};
  const auto a = stream_k{}.compose().bind(w, m);
  EXPECT_EQ(a.workers(), 4);
  EXPECT_EQ(a.cut_slices(), 4);
  for (std::int64_t s = 0; s < 4; ++s) EXPECT_EQ(a.at(w, s).atoms().size(), 168);
}

TEST(stream_k, shares_as_many_tiles_as_its_waves_say) {
  const loops::uniform w(23, 32);
  const loops::machine m{1, 1, 1, 1, 4, 8};
  for (int n = 1; n <= 6; ++n) {
    const auto a = stream_k{.waves = n}.compose().bind(w, m);
    EXPECT_EQ(a.what.shared, n < 6 ? 4 * n - 1 : 23);
    EXPECT_EQ(a.workers(), 4);
    // The whole tiles after the shares: everybody has the same number.
    EXPECT_EQ((a.slices - a.what.shares) % 4, 0);
  }
  // Nothing is left over: whole tiles.
  EXPECT_EQ((stream_k{.waves = 2}.compose().bind(loops::uniform(24, 32), m).cut_slices()), 0);
}

TEST(stream_k, shares_among_as_many_as_it_is_worth_while_for) {
  const loops::machine m{1, 1, 1, 1, 8, 8};
  for (const auto& [atoms, shares] :
       {std::pair{7, 0}, {8, 0}, {15, 0}, {16, 2}, {17, 2}, {24, 3}, {63, 7}, {64, 8}, {640, 8}}) {
    const auto a = stream_k{}.compose().bind(loops::uniform(1, atoms), m);
    EXPECT_EQ(a.what.shares, shares) << atoms << " atoms";
    EXPECT_EQ(a.slices, shares > 0 ? shares : 1) << atoms << " atoms";
  }
}

TEST(stream_k, keeps_to_its_processors) {
  const loops::uniform w(23, 32);
  const auto a = stream_k{.waves = 1, .processors = 3}.compose().bind(w, {1, 1, 1, 1, 4, 8});
  EXPECT_EQ(a.workers(), 3);
  EXPECT_EQ(a.what.shares, 3);
  EXPECT_EQ(a.what.shared, 2);
  // No more of them run at a time than the machine holds.
  EXPECT_EQ((stream_k{.processors = 9}.compose().bind(w, {1, 1, 1, 1, 4, 8}).workers()), 4);
}

}  // namespace
