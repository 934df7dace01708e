// SPDX-License-Identifier: Apache-2.0
/// A wave's part of a result, kept in registers: a grid of instructions' results.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/tile/atom.hpp"

namespace loops::tile {

/// `Rows` x `Cols` results of `Atom`: what one lane holds of them.
template <class Atom, int Rows, int Cols>
struct register_tile {
  static_assert(Rows % Atom::m == 0 && Cols % Atom::n == 0,
                "a register tile is made of whole instructions");
  using atom = Atom;
  using element = typename Atom::sum;
  static constexpr int rows = Rows;
  static constexpr int cols = Cols;
  static constexpr int down = Rows / Atom::m;
  static constexpr int across = Cols / Atom::n;
  /// Elements a lane holds.
  static constexpr int count = down * across * Atom::c_count;

  result_fragment<Atom> at[down][across];

  LOOPS_HD void fill(element v) {
    LOOPS_UNROLL
    for (int i = 0; i < count; ++i) flat(i) = v;
  }
  /// Element i of this lane, in a fixed order.
  LOOPS_HD element& flat(int i) {
    return at[i / Atom::c_count / across][i / Atom::c_count % across].at[i % Atom::c_count];
  }
  [[nodiscard]] LOOPS_HD const element& flat(int i) const {
    return at[i / Atom::c_count / across][i / Atom::c_count % across].at[i % Atom::c_count];
  }
  /// The place of `flat(i)` of lane `lane` of the wave.
  static LOOPS_HD constexpr result_place place(int lane, int i) {
    const result_place p = Atom::c(lane, i % Atom::c_count);
    return {Atom::m * (i / Atom::c_count / across) + p.row,
            Atom::n * (i / Atom::c_count % across) + p.col};
  }

  /// How many of a lane's elements are neighbours in a row: 1, 2 or 4, beginning at a multiple.
  static constexpr int span() {
    int s = 4;
    while (s > 1 && !spans(s)) s /= 2;
    return s;
  }

 private:
  static constexpr bool spans(int s) {
    if (Atom::c_count % s != 0) return false;
    for (int lane = 0; lane < Atom::wave; ++lane)
      for (int i = 0; i < Atom::c_count; i += s) {
        const result_place first = Atom::c(lane, i);
        if (first.col % s != 0) return false;
        for (int j = 1; j < s; ++j)
          if (Atom::c(lane, i + j) != result_place{first.row, first.col + j}) return false;
      }
    return true;
  }
};

/// What a lane moves at once of `Count` elements: 16 bytes, if these make up all.
template <class T, int Count>
struct alignas(Count % (16 / int(sizeof(T))) == 0 ? 16 : sizeof(T)) lane_chunk {
  static constexpr int wide = Count % (16 / int(sizeof(T))) == 0 ? 16 / int(sizeof(T)) : 1;
  T at[wide];
};

/// Writes the lanes' elements into a slot: chunk i of all lanes together, so that a wave's accesses
/// are one stretch of memory. `Lanes` is how many share the slot.
template <int Lanes, class Tile>
LOOPS_HD void store_lanes(const Tile& tile, typename Tile::element* slot, int lane) {
  using element = typename Tile::element;
  using pack = lane_chunk<element, Tile::count>;
  constexpr int wide = pack::wide;
  lane = native::recomputed(lane);
  LOOPS_UNROLL
  for (int i = 0; i < Tile::count / wide; ++i) {
    pack p;
    LOOPS_UNROLL
    for (int j = 0; j < wide; ++j) p.at[j] = tile.flat(i * wide + j);
    reinterpret_cast<pack*>(slot)[i * Lanes + lane] = p;
  }
}

/// Adds what `store_lanes` wrote.
template <int Lanes, class Tile>
LOOPS_HD void add_lanes(Tile& tile, const typename Tile::element* slot, int lane) {
  using element = typename Tile::element;
  using pack = lane_chunk<element, Tile::count>;
  constexpr int wide = pack::wide;
  lane = native::recomputed(lane);
  LOOPS_UNROLL
  for (int i = 0; i < Tile::count / wide; ++i) {
    const pack p = reinterpret_cast<const pack*>(slot)[i * Lanes + lane];
    LOOPS_UNROLL
    for (int j = 0; j < wide; ++j) tile.flat(i * wide + j) += p.at[j];
  }
}

}  // namespace loops::tile
