// SPDX-License-Identifier: Apache-2.0
/// A round in which every lane takes as many atoms in a row, and marks say where tiles end.
#pragma once

#include "loops/algorithm/slice_round.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"

#include <cstdint>

namespace loops::detail {

/// Shared memory of such a round: values as lanes take them in a row, with one value free after
/// each lane's, and a byte per atom to mark where it ends tiles.
template <class Block, class Value>
struct marked_storage {
  static constexpr int items = Block::items;
  static constexpr int capacity = Block::threads == 1 ? 1 : Block::threads * items;
  static_assert(capacity < 65536, "tile ends are 16-bit inside a block");
  static constexpr int words = (items + 3) / 4;  ///< of marks, per lane
  static LOOPS_HD constexpr int place(int i) { return i + i / items; }
  /// Where the `k`th value of a lane is when lanes take them side by side.
  static LOOPS_HD constexpr int place(int rank, int k) {
    constexpr int lanes = Block::threads;
    // Constants apart: no division for each.
    if constexpr (lanes % items == 0) return place(rank) + k * place(lanes);
    return place(rank + k * lanes);
  }
  uninitialized<std::uint16_t, capacity> ends;
  uninitialized<Value, capacity + Block::threads> values;
  uninitialized<std::uint32_t, Block::threads * words> marks;
  group_storage<Block, Value> scan;

  /// Before any end is marked, and a barrier before that.
  LOOPS_HD void clear_marks(int rank) {
    LOOPS_UNROLL
    for (int i = 0; i < words; ++i) marks[rank * words + i] = 0;
  }
  /// Tile i ends before place `end`. Of a place, tiles that end there may all say so: they write
  /// the same.
  LOOPS_HD void mark_end(int i, std::uint16_t end) {
    ends[i] = end;
    if (end > 0) native::store_same(&bytes()[mark_of(end - 1)], static_cast<unsigned char>(1));
  }
  /// Whether a tile ends with the atom at place i.
  [[nodiscard]] LOOPS_HD bool ends_at(int i) { return bytes()[mark_of(i)] != 0; }

  /// How many of the `tiles` tiles that end here end before the atom at place i. Known steps: who
  /// does not ask for the tile does not pay for the search, as compilers keep loops.
  [[nodiscard]] LOOPS_HD int tile_of(int tiles, int i) {
    int found = 0;
    LOOPS_UNROLL
    for (int d = 1 << 15; d > 0; d /= 2) {
      if (d > capacity) continue;
      if (found + d <= tiles && ends[found + d - 1] <= i) found += d;
    }
    return found;
  }

  /// The marks of one lane.
  struct row {
    std::uint32_t word[words];
    [[nodiscard]] LOOPS_HD bool ends(int k) const {
      return ((word[k / 4] >> (k % 4 * 8)) & 1u) != 0;
    }
  };
  [[nodiscard]] LOOPS_HD row marks_of(int rank) {
    row r;
    LOOPS_UNROLL
    for (int i = 0; i < words; ++i) r.word[i] = marks[rank * words + i];
    return r;
  }

 private:
  static LOOPS_HD constexpr int mark_of(int i) { return i / items * (4 * words) + i % items; }
  LOOPS_HD unsigned char* bytes() { return reinterpret_cast<unsigned char*>(marks.data()); }
};

/// Maps the atoms between two places of the path, no more steps than a block has, side by side into
/// shared memory, and marks where tiles end; behind the last atom is the identity. Lanes: a whole
/// block. Sync: two barriers, the last at the end.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine>
LOOPS_HD void put_round(const Group& g, Storage& shared, const Work& w, const coordinate& at,
                        const coordinate& next, const Map& map, const Combine& combine) {
  constexpr int items = Storage::items;
  constexpr bool direct = maps_atoms<Map> && !renamed_work<Work>;
  const Value none = combine.template identity<Value>();
  const int lanes = g.size();
  const int rank = g.rank();
  const int tiles = static_cast<int>(next.tile - at.tile);
  const int atoms = static_cast<int>(next.atom - at.atom);
  const auto end_of = [&](int t) {
    return static_cast<std::uint16_t>(w.offset(at.tile + t + 1) - at.atom);
  };

  shared.clear_marks(rank);
  std::uint16_t first_end = 0;  // asked for before the atoms, and put down after them
  if (rank < tiles) first_end = end_of(rank);
  Value v[items];
  if constexpr (direct) {
    if (atoms > 0) map_round(w, map, at.atom, rank, lanes, atoms, v);
  }
  g.sync();
  if (rank < tiles) shared.mark_end(rank, first_end);
  LOOPS_ROLLED
  for (int t = rank + lanes; t < tiles; t += lanes) shared.mark_end(t, end_of(t));
  if constexpr (!direct) {
    g.sync();
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) {
      const int i = rank + k * lanes;
      if (i < atoms) v[k] = map_atom(w, map, at.tile + shared.tile_of(tiles, i), at.atom + i);
    }
  }
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    shared.values[Storage::place(rank, k)] = native::pick(rank + k * lanes < atoms, v[k], none);
  }
  g.sync();
}

/// What the lanes of a block leave open, scanned.
template <class Value>
struct open_values {
  Value before;  ///< what is open before this lane, back to the last lane that closed a tile
  Value total;   ///< what is open behind the last lane; on all lanes
};

/// A lane takes over what is open before it: `open` is what it leaves open itself, `closed` whether
/// a tile ended on it. Lanes: the block. Sync: one barrier; `shared` is free after the next.
LOOPS_CALLS_USER
template <class Group, class Storage, class Value, class Combine>
LOOPS_HD open_values<Value> open_before_lanes(const Group& g, Storage& shared, Value open,
                                              bool closed, const Combine& combine) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int wave = block_type::wave;
  constexpr int waves = block_type::threads / wave;
  const Value none = combine.template identity<Value>();
  const int rank = g.rank();
  const int lane = rank % wave;
  const std::uint64_t closing = g.block().ballot(closed);
  const std::uint64_t before = closing & ((std::uint64_t{1} << lane) - 1);
  const int back = closed ? 0 : before != 0 ? lane - native::highest_bit(before) : lane;
  LOOPS_UNROLL
  for (int d = 1; d < wave; d *= 2) {
    const Value left = g.block().shuffle_up(open, d);
    if (d <= back) open = combine(left, open);
  }
  Value taken = g.block().shuffle_up(open, 1);
  if (lane == 0) taken = none;
  if (lane == wave - 1) {
    shared.value[rank / wave] = open;
    shared.flag[rank / wave] = closing != 0;
  }
  g.sync();
  Value total = none;
  LOOPS_UNROLL
  for (int i = 0; i < waves; ++i) {
    if (i == rank / wave && before == 0) taken = combine(total, taken);
    total = combine(native::pick(shared.flag[i], none, total), shared.value[i]);
  }
  return {taken, total};
}

}  // namespace loops::detail
