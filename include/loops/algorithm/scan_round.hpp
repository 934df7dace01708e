// SPDX-License-Identifier: Apache-2.0
/// One round of a scan: as many steps of a slice as a block holds, whatever its tiles are like.
#pragma once

#include "loops/algorithm/marked_tiles.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <cstdint>

namespace loops::detail {

/// Shared memory of a round, and what is open before it.
template <class Block, class Value>
struct scan_storage : marked_storage<Block, Value> {
  uninitialized<Value> carry;
};

/// Scans the atoms between two places of the path, no more steps than a block has: maps them side
/// by side into shared memory, where tile ends are marked; every lane takes as many in a row, and
/// what it leaves open meets its neighbours' in a segmented scan; then lanes emit side by side.
/// `carry(open)` is told on all lanes what is open behind the round, and says what is open before
/// it, of the tile that the first atom belongs to. Lanes: a whole block. Sync: four barriers, and
/// those of `carry`.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Carry>
LOOPS_HD void scan_round(const Group& g, Storage& shared, const Work& w, const coordinate& at,
                         const coordinate& next, const Map& map, const Combine& combine,
                         const Emit& emit, const Carry& carry) {
  constexpr int items = Storage::items;
  constexpr bool direct = maps_atoms<Map> && !renamed_work<Work>;
  const Value none = combine.template identity<Value>();
  const int lanes = g.size();
  const int rank = g.rank();
  const int tiles = static_cast<int>(next.tile - at.tile);
  const int atoms = static_cast<int>(next.atom - at.atom);
  std::uint16_t* const ends = shared.ends.data();
  Value* const values = shared.values.data();
  const auto tile_of = [&](int i) { return shared.tile_of(tiles, i); };

  shared.clear_marks(rank);
  std::uint16_t first_end = 0;  // asked for before the atoms, and put down after them
  if (rank < tiles) first_end = static_cast<std::uint16_t>(w.offset(at.tile + rank + 1) - at.atom);
  Value v[items];
  if constexpr (direct) {
    if (atoms > 0) map_round(w, map, at.atom, rank, lanes, atoms, v);
  }
  g.sync();
  if (rank < tiles) shared.mark_end(rank, first_end);
  LOOPS_ROLLED
  for (int t = rank + lanes; t < tiles; t += lanes)
    shared.mark_end(t, static_cast<std::uint16_t>(w.offset(at.tile + t + 1) - at.atom));
  if constexpr (!direct) {
    g.sync();
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) {
      const int i = rank + k * lanes;
      if (i < atoms) v[k] = map_atom(w, map, at.tile + tile_of(i), at.atom + i);
    }
  }
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const int i = rank + k * lanes;
    values[Storage::place(i)] = native::pick(i < atoms, v[k], none);
  }
  g.sync();

  Value* const mine = values + rank * (items + 1);
  const auto marks = shared.marks_of(rank);
  Value open = none;
  bool closed = false;
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    open = combine(open, mine[k]);
    v[k] = open;
    if (marks.ends(k)) {
      open = none;
      closed = true;
    }
  }
  const auto [before, total] = open_before_lanes(g, shared.scan, open, closed, combine);
  const Value in = carry(total);
  // Who comes before the first end goes on with what is open before the round.
  const int first = tiles > 0 ? ends[0] : atoms;
  Value taken = before;
  if (rank * items < first) taken = combine(in, taken);
  bool joined = true;
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    mine[k] = joined ? combine(taken, v[k]) : v[k];
    joined = joined && !marks.ends(k);
  }
  g.sync();

  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const int i = rank + k * lanes;
    if (i >= atoms) break;
    const bool begins = i > 0 ? shared.ends_at(i - 1) : first == 0;
    Value so_far = none;
    if (!begins) so_far = i > 0 ? values[Storage::place(i - 1)] : in;
    const std::int64_t tile = at.tile + tile_of(i);
    emit(tile_id(w, tile), atom_id(w, tile, at.atom + i), so_far, values[Storage::place(i)]);
  }
}

}  // namespace loops::detail
