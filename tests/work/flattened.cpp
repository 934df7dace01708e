// SPDX-License-Identifier: Apache-2.0
/// A flattened work has equal tiles, the last one shorter, and leads back to its base.
#include "loops/work/flattened.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "brute.hpp"

namespace {

TEST(flattened, has_the_path_of_its_sizes) {
  for (std::int64_t atoms = 0; atoms < 20; ++atoms)
    for (std::int64_t width = 1; width < 9; ++width) {
      SCOPED_TRACE(testing::Message() << atoms << " in chunks of " << width);
      std::vector<std::int64_t> sizes;
      for (std::int64_t a = 0; a < atoms; a += width)
        sizes.push_back(atoms - a < width ? atoms - a : width);
      brute::expect_work(loops::flattened(loops::uniform(1, atoms), width), sizes);
    }
}

TEST(flattened, leads_back_to_the_tiles_of_its_base) {
  const support::sizes s{"", {0, 3, 0, 0, 5, 1, 0}};
  const auto offsets = s.offsets<std::int32_t>();
  const auto keys = s.keys<std::int64_t>();
  const loops::flattened w(loops::segments<std::int32_t>(offsets.data(), s.tiles(), s.atoms()), 4);
  for (std::int64_t a = 0; a < s.atoms(); ++a)
    EXPECT_EQ(w.base_tile(a), keys[static_cast<std::size_t>(a)]);
}

TEST(flattened, takes_any_width) {
  for (const std::int64_t atoms : {0, 1, 5}) {
    const std::vector<std::int64_t> all(atoms > 0 ? 1 : 0, atoms);
    for (const std::int64_t width : {std::int64_t{6}, INT64_MAX - 1, INT64_MAX})
      brute::expect_work(loops::flattened(loops::uniform(1, atoms), width), all);
  }
  EXPECT_EQ(loops::flattened(loops::uniform(1, 5), 0).tiles(), -1);
  EXPECT_EQ(loops::flattened(loops::uniform(1, 5), INT64_MIN).tiles(), -1);
}

TEST(flattened, answers_past_32_bits) {
  constexpr std::int64_t atoms = (std::int64_t{1} << 40) + 1;
  const loops::flattened w(loops::uniform(1, atoms), 8);
  EXPECT_EQ(w.tiles(), (std::int64_t{1} << 37) + 1);
  EXPECT_EQ(loops::atoms_of(w, w.tiles() - 1).size(), 1);
  EXPECT_EQ(loops::path_cut(w, w.tiles() + atoms), (loops::coordinate{w.tiles(), atoms}));
  EXPECT_EQ(loops::path_cut(w, w.tiles() + atoms - 1), (loops::coordinate{w.tiles() - 1, atoms}));
  EXPECT_EQ(loops::path_cut(w, w.tiles() + atoms - 2),
            (loops::coordinate{w.tiles() - 1, atoms - 1}));
}

}  // namespace
