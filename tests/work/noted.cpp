// SPDX-License-Identifier: Apache-2.0
/// A work whose atoms know their tile: the same work, whose tiles are looked up, not searched.
#include "loops/work/noted.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using base = loops::segments<std::int32_t>;
using work = loops::noted<base, std::int16_t>;
static_assert(loops::work<work> && loops::noted_work<work>);
static_assert(!loops::noted_work<base> && !loops::closed_form_work<work>);
template <class W>
concept has_offsets = requires(const W& w) {
  w.offsets();
};
static_assert(has_offsets<work> && !has_offsets<loops::noted<loops::uniform, int>>);

TEST(noted, is_its_base_and_tells_tiles) {
  const support::sizes s{"", {0, 3, 1, 0, 0, 7, 2, 0}};
  const auto offsets = s.offsets<std::int32_t>();
  const auto tiles = s.keys<std::int16_t>();
  const base b(offsets.data(), s.tiles(), s.atoms());
  const work w(b, tiles.data());
  EXPECT_EQ(w.tiles(), 8);
  EXPECT_EQ(w.atoms(), 13);
  for (std::int64_t t = 0; t <= 8; ++t) EXPECT_EQ(w.offset(t), b.offset(t));
  for (std::int64_t a = 0; a < 13; ++a) {
    EXPECT_EQ(loops::tile_of(w, a), loops::tile_of(b, a));
    EXPECT_EQ(loops::atom_cut(w, a), loops::atom_cut(b, a));
  }
}

TEST(noted, believes_its_notes) {
  const std::vector<std::int32_t> offsets{0, 2, 4};
  const std::vector<std::int16_t> tiles{0, 0, 0, 1};  // wrong: whoever searches finds others
  const work w(base(offsets.data(), 2, 4), tiles.data());
  EXPECT_EQ(loops::tile_of(w, 2), 0);
}

}  // namespace
