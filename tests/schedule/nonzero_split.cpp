// SPDX-License-Identifier: Apache-2.0
/// Equal atoms per block.
#include "loops/schedule/nonzero_split.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geometry.hpp"

namespace {

TEST(nonzero_split, cuts_by_atoms_alone) {
  const auto s = loops::schedule::nonzero_split{}.compose();
  EXPECT_EQ(std::string(loops::schedule::nonzero_split::name()), "nonzero_split");
  const loops::uniform w(1000000, 9);
  const auto a = s.bind(w, geometry::gpu);
  EXPECT_EQ(a.step, 256 * 7);
  EXPECT_EQ(a.slices, loops::ceil_div(9000000, 256 * 7));
  EXPECT_EQ(a.cut(w, 1), (loops::coordinate{1792 / 9, 1792}));
  // Empty tiles do not count.
  EXPECT_EQ(s.bind(loops::uniform(1000000, 0), geometry::gpu).slices, 1);
}

TEST(nonzero_split, begins_slices_where_waves_begin_their_loads) {
  const auto s = loops::schedule::nonzero_split{}.compose();
  const loops::machine m = geometry::gpu;
  for (const std::int64_t atoms : {1000, 54'321, 999'999, 5'000'001, 100'000'007}) {
    const auto a = s.bind(loops::uniform(1, atoms), m);
    EXPECT_EQ(a.step % m.wave, 0) << atoms;
    EXPECT_LE(a.step, std::int64_t{m.threads} * m.items) << atoms;
    EXPECT_EQ(a.slices, loops::ceil_div(atoms, a.step)) << atoms;
  }
}

TEST(nonzero_split, somebody_closes_tiles_that_are_all_empty) {
  const auto s = loops::schedule::nonzero_split{}.compose();
  EXPECT_EQ(s.bind(loops::uniform(1000, 0), geometry::gpu).slices, 1);
  EXPECT_EQ(s.bind(loops::uniform(0, 0), geometry::gpu).slices, 0);
}

}  // namespace
