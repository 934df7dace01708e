// SPDX-License-Identifier: Apache-2.0
/// Combines a register tile along its rows or columns: within a lane, then among the lanes.
#pragma once

#include "loops/tile/register_tile.hpp"

namespace loops::tile {

/// Which direction disappears.
enum class along { rows, cols };

namespace reduce_detail {

/// The index that remains.
template <along Direction>
constexpr int kept(result_place p) {
  return Direction == along::cols ? p.row : p.col;
}

/// Whether lanes that differ in this bit hold elements of the same rows (columns).
template <class Atom, along Direction>
constexpr bool shared_by(int bit) {
  for (int lane = 0; lane < Atom::wave; ++lane)
    for (int i = 0; i < Atom::c_count; ++i)
      if (kept<Direction>(Atom::c(lane, i)) != kept<Direction>(Atom::c(lane ^ bit, i)))
        return false;
  return true;
}

}  // namespace reduce_detail

/// For every element of this lane, in the order of `flat`, the combination of its row
/// (`along::cols`) or column (`along::rows`) over the tile. `combine` is associative and
/// commutative; the order depends on the types alone. Lanes: all of the wave.
template <along Direction, class Tile, class Block, class Combine>
LOOPS_HD void reduce(Block& block, const Tile& tile, Tile& result, const Combine& combine) {
  using reduce_detail::kept;
  using atom = typename Tile::atom;
  const int lane = block.lane() % atom::wave;
  LOOPS_UNROLL
  for (int i = 0; i < Tile::count; ++i) {
    // The first element with the same index computes it, the others copy.
    int first = i;
    for (int j = i - 1; j >= 0; --j)
      if (kept<Direction>(Tile::place(lane, j)) == kept<Direction>(Tile::place(lane, i))) first = j;
    if (first != i) {
      result.flat(i) = result.flat(first);
      continue;
    }
    auto v = tile.flat(i);
    for (int j = i + 1; j < Tile::count; ++j)
      if (kept<Direction>(Tile::place(lane, j)) == kept<Direction>(Tile::place(lane, i)))
        v = combine(v, tile.flat(j));
    LOOPS_UNROLL
    for (int bit = 1; bit < atom::wave; bit *= 2)
      if (reduce_detail::shared_by<atom, Direction>(bit)) v = combine(v, block.shuffle_xor(v, bit));
    result.flat(i) = v;
  }
}

}  // namespace loops::tile
