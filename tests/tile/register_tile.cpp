// SPDX-License-Identifier: Apache-2.0
/// A register tile covers its part of the result, and goes through memory unchanged.
#include "loops/tile/register_tile.hpp"

#include <vector>

#include "tile/lanes.hpp"

namespace {

using namespace loops::tile;

template <class Atom, int Rows, int Cols, int Span>
void check() {
  using tile_type = register_tile<Atom, Rows, Cols>;
  static_assert(tile_type::span() == Span);
  std::set<std::pair<int, int>> places;
  std::vector<typename Atom::sum> slot(static_cast<std::size_t>(Rows * Cols));
  std::vector<tile_type> lanes(Atom::wave);
  for (int lane = 0; lane < Atom::wave; ++lane) {
    tile_type& t = lanes[static_cast<std::size_t>(lane)];
    t.fill(typename Atom::sum(0));
    for (int i = 0; i < tile_type::count; ++i) {
      const result_place p = tile_type::place(lane, i);
      places.insert({p.row, p.col});
      t.flat(i) = typename Atom::sum(p.row * Cols + p.col);
    }
    store_lanes<Atom::wave>(t, slot.data(), lane);
  }
  EXPECT_EQ(int(places.size()), Rows * Cols);
  for (int lane = 0; lane < Atom::wave; ++lane) {
    tile_type& t = lanes[static_cast<std::size_t>(lane)];
    add_lanes<Atom::wave>(t, slot.data(), lane);
    for (int i = 0; i < tile_type::count; ++i) {
      const result_place p = tile_type::place(lane, i);
      EXPECT_EQ(t.flat(i), typename Atom::sum(2 * (p.row * Cols + p.col)));
    }
  }
}

TEST(register_tile, covers_its_part) {
  check<mma_m16n8<loops::half>, 32, 24, 2>();
  check<mma_m16n8k8_f64, 16, 16, 2>();
  check<lane_products<float>, 64, 32, 4>();
  check<mfma_32x32<loops::half, loops::half, 4>, 64, 32, 1>();
  check<mfma_16x16_f64, 32, 16, 1>();
}

}  // namespace
