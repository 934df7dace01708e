// SPDX-License-Identifier: Apache-2.0
/// Equal tiles answer by division what offsets answer by search, also where no array would fit.
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "brute.hpp"

namespace {

TEST(uniform, has_the_path_of_its_sizes) {
  for (std::int64_t tiles = 0; tiles < 7; ++tiles)
    for (std::int64_t width = 0; width < 7; ++width) {
      SCOPED_TRACE(testing::Message() << tiles << " x " << width);
      brute::expect_work(loops::uniform(tiles, width),
                         std::vector<std::int64_t>(static_cast<std::size_t>(tiles), width));
    }
}

TEST(uniform, answers_past_32_bits) {
  for (const std::int64_t width : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3},
                                   (std::int64_t{1} << 31) - 1, std::int64_t{1} << 33}) {
    const loops::uniform w(std::int64_t{1} << 27, width);
    EXPECT_EQ(w.atoms(), width << 27);
    for (const std::int64_t t :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{12345678}, w.tiles() - 1}) {
      // The steps around the end marker of tile t.
      const std::int64_t marker = w.offset(t + 1) + t;
      EXPECT_EQ(loops::path_cut(w, marker), (loops::coordinate{t, w.offset(t + 1)}));
      EXPECT_EQ(loops::path_cut(w, marker + 1), (loops::coordinate{t + 1, w.offset(t + 1)}));
      if (width > 0) {
        EXPECT_EQ(loops::path_cut(w, marker - 1), (loops::coordinate{t, w.offset(t + 1) - 1}));
        EXPECT_EQ(loops::tile_of(w, w.offset(t + 1) - 1), t);
        EXPECT_EQ(loops::tile_of(w, w.offset(t)), t);
        EXPECT_EQ(loops::atom_cut(w, w.offset(t) + 1).tile, width == 1 ? t + 1 : t);
      }
    }
  }
}

TEST(uniform, says_when_its_atoms_cannot_be_counted) {
  // 2^80 atoms are 0 modulo 2^64: a count that wrapped would look like an easy work.
  EXPECT_LT(loops::uniform(std::int64_t{1} << 40, std::int64_t{1} << 40).atoms(), 0);
  EXPECT_LT(loops::uniform(INT64_MAX, 2).atoms(), 0);
  EXPECT_EQ(loops::uniform(INT64_MAX, 1).atoms(), INT64_MAX);
  EXPECT_EQ(loops::uniform(1, INT64_MAX).atoms(), INT64_MAX);
}

TEST(uniform, is_the_rows_of_ell_and_dia) {
  brute::expect_work(
      loops::rows_of(loops::ell_view<float, int, std::int64_t>{3, 9, 2, 4, nullptr, nullptr}),
      {2, 2, 2});
  brute::expect_work(
      loops::rows_of(loops::dia_view<float, int, std::int64_t>{2, 9, 5, 4, nullptr, nullptr}),
      {5, 5});
}

}  // namespace
