// SPDX-License-Identifier: Apache-2.0
/// Rows and columns of a register tile are combined over every lane that holds a part of them.
#include "loops/tile/reduce.hpp"

#include "loops/core/functional.hpp"

#include <vector>

#include "tile/on_waves.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

/// Sums the element numbers of every row or column.
template <class Tile, along Direction>
struct sum_all {
  float* to;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if constexpr (Block::wave == Tile::atom::wave) {
      Tile t;
      Tile sums;
      for (int i = 0; i < Tile::count; ++i) {
        const result_place p = Tile::place(block.lane(), i);
        t.flat(i) = float(p.row * Tile::cols + p.col);
      }
      reduce<Direction>(block, t, sums, plus{});
      for (int i = 0; i < Tile::count; ++i) {
        const result_place p = Tile::place(block.lane(), i);
        to[p.row * Tile::cols + p.col] = float(sums.flat(i));
      }
    }
  }
};

template <class Atom, int Rows, int Cols>
void check() {
  if (!waves::ready<Atom::wave>()) GTEST_SKIP() << "no such waves here";
  using tile_type = register_tile<Atom, Rows, Cols>;
  const waves::executor<Atom::wave> exec;
  array<float> result(Rows * Cols, exec.memory());
  const auto at = [&](const std::vector<float>& v, int r, int c) {
    return v[static_cast<std::size_t>(r * Cols + c)];
  };
  exec.template launch<team<Atom::wave>>(1, sum_all<tile_type, along::cols>{result.data()});
  exec.synchronize();
  const auto by_row = result.to_vector();
  exec.template launch<team<Atom::wave>>(1, sum_all<tile_type, along::rows>{result.data()});
  exec.synchronize();
  const auto by_col = result.to_vector();
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Cols; ++c) {
      ASSERT_EQ(at(by_row, r, c), float(r * Cols * Cols + Cols * (Cols - 1) / 2));
      ASSERT_EQ(at(by_col, r, c), float(Rows * c + Cols * Rows * (Rows - 1) / 2));
    }
}

TEST(reduce, along_both_directions) {
#if !LOOPS_HIP
  check<mma_m16n8<loops::half>, 32, 16>();
  check<lane_products<float>, 32, 32>();
#endif
#if !LOOPS_CUDA
  check<mfma_32x32<loops::half, loops::half, 4>, 32, 64>();
  check<mfma_16x16_f64, 32, 16>();
#endif
}

}  // namespace
