// SPDX-License-Identifier: Apache-2.0
/// Copies bring a window into a tile, whatever its alignment, with zeros where it ends.
#include "loops/tile/copy.hpp"

#include <vector>

#include "tile/on_waves.hpp"

namespace {

using namespace loops;
using namespace loops::tile;

enum class way { async, staged, transposed };

/// Copies a window into a tile and the tile, element by element, out again.
template <class Tile, way Way, bool Whole>
struct copy_window {
  using T = typename Tile::element;
  window<T> from;
  T* to;
  template <class Block>
  struct storage {
    Tile tile;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const int lane = block.lane();
    if constexpr (Way == way::async) {
      async_copies::begin<Block::threads, Whole>(shared.tile, from, lane);
      async_copies::close();
      async_copies::await<0>();
    } else {
      staged_copy<Tile, Block::threads, Way == way::transposed, Whole> c;
      c.fetch(from, lane);
      c.put(shared.tile, lane);
    }
    block.sync();
    for (int i = lane; i < Tile::outer * Tile::k; i += Block::threads)
      to[i] = shared.tile.data()[Tile::index({i / Tile::k, i % Tile::k})];
  }
};

template <class T, major Major, way Way, bool Whole, int Lanes = 64>
void check(int rows, int width, int shift, bool anywhere = false) {
  if (!waves::ready<32>()) GTEST_SKIP() << "no such waves here";
  constexpr int k = 64 / int(sizeof(T));
  constexpr int outer = 64;
  using tile_type = shared_tile<T, outer, k, Major, xor_swizzle<1, 2>>;
  // Rows of memory run along k, unless they are turned or the tile keeps the other direction.
  constexpr bool along_k = Major == major::k && Way != way::transposed;
  constexpr int leading = 80;
  std::vector<T> memory(static_cast<std::size_t>(leading * 70 + shift));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = T(float(i % 15) - 7);
  const waves::executor<32> exec;
  const array<T> source(memory, exec.memory());
  array<T> result(outer * k, exec.memory());
  const window<T> w{source.data() + shift, leading, rows, width,
                    anywhere || shift * int(sizeof(T)) % 16 == 0};
  exec.template launch<team<Lanes>>(1, copy_window<tile_type, Way, Whole>{w, result.data()});
  exec.synchronize();
  const std::vector<T> got = result.to_vector();
  for (int o = 0; o < outer; ++o)
    for (int q = 0; q < k; ++q) {
      const int r = along_k ? o : q;
      const int at = along_k ? q : o;
      const bool inside = r < rows && at < width;
      const double expected =
          inside ? double(float(memory[static_cast<std::size_t>(shift + r * leading + at)])) : 0.0;
      ASSERT_EQ(double(float(got[static_cast<std::size_t>(o * k + q)])), expected)
          << "element " << o << ", " << q << " of " << rows << " x " << width;
    }
}

template <class T>
void every_way() {
  constexpr int chunk = 16 / int(sizeof(T));
  for (const int shift : {0, 1})
    for (const int rows : {1, 3, 64, 100})
      for (const int width : {1, 7, 16, 63, 100}) {
        check<T, major::k, way::async, false>(rows, width, shift);
        check<T, major::outer, way::async, false>(rows, width, shift);
        check<T, major::k, way::staged, false>(rows, width, shift);
        check<T, major::k, way::transposed, false>(rows, width, shift);
        check<T, major::k, way::transposed, false, 256>(rows, width, shift);
        if (LOOPS_CUDA) continue;  // others read 16 bytes from any address
        check<T, major::k, way::staged, false>(rows, width, shift, true);
        check<T, major::k, way::transposed, false>(rows, width, shift, true);
      }
  for (const int rows : {1, 64})
    for (const int width : {chunk, 3 * chunk, 64}) {
      check<T, major::k, way::async, true>(rows, width, 0);
      check<T, major::outer, way::async, true>(rows, width, 0);
      check<T, major::k, way::staged, true>(rows, width, 0);
      check<T, major::k, way::transposed, true>(rows, width, 0);
      check<T, major::k, way::transposed, true, 256>(rows, width, 0);
    }
}

TEST(copy, of_bytes) {
  every_way<float8_e4m3>();
}
TEST(copy, of_halves) {
  every_way<loops::half>();
}
TEST(copy, of_floats) {
  every_way<float>();
}
TEST(copy, of_doubles) {
  every_way<double>();
}

}  // namespace
