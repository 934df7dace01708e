// SPDX-License-Identifier: Apache-2.0
/// One round of a scan: as many steps of a slice as a block holds, whatever its tiles are like.
#pragma once

#include "loops/algorithm/marked_tiles.hpp"

#include <cstdint>

namespace loops::detail {

/// Shared memory of a round, and what is open before it.
template <class Block, class Value>
struct scan_storage : marked_storage<Block, Value> {
  uninitialized<Value> carry;
};

/// Scans the atoms between two places of the path, as `put_round` takes them: every lane takes as
/// many in a row, and what it leaves open meets its neighbours' in a segmented scan; then lanes
/// emit side by side. `carry(open)` is told on all lanes what is open behind the round, and says
/// what is open before it, of the tile that the first atom belongs to. Lanes: a whole block. Sync:
/// four barriers, and those of `carry`.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Carry>
LOOPS_HD void scan_round(const Group& g, Storage& shared, const Work& w, const coordinate& at,
                         const coordinate& next, const Map& map, const Combine& combine,
                         const Emit& emit, const Carry& carry) {
  constexpr int items = Storage::items;
  const Value none = combine.template identity<Value>();
  const int lanes = g.size();
  const int rank = g.rank();
  const int tiles = static_cast<int>(next.tile - at.tile);
  const int atoms = static_cast<int>(next.atom - at.atom);
  put_round<Value>(g, shared, w, at, next, map, combine);

  Value* const values = shared.values.data();
  Value* const mine = values + rank * (items + 1);
  const auto marks = shared.marks_of(rank);
  Value open = none;
  bool closed = false;
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    open = combine(open, mine[k]);
    if (marks.ends(k)) {
      open = none;
      closed = true;
    }
  }
  const auto [before, total] = open_before_lanes(g, shared.scan, open, closed, combine);
  const Value in = carry(total);
  // Who comes before the first end goes on with what is open before the round. Values are read
  // again: registers that kept them would be missing where the block waits.
  const int first = tiles > 0 ? shared.ends[0] : atoms;
  open = before;
  if (rank * items < first) open = combine(in, open);
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    open = combine(open, mine[k]);
    mine[k] = open;
    if (marks.ends(k)) open = none;
  }
  g.sync();

  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const int i = rank + k * lanes;
    if (i >= atoms) break;
    const bool begins = i > 0 ? shared.ends_at(i - 1) : first == 0;
    Value so_far = none;
    if (!begins) so_far = i > 0 ? values[Storage::place(i - 1)] : in;
    const std::int64_t tile = at.tile + shared.tile_of(tiles, i);
    emit(tile_id(w, tile), atom_id(w, tile, at.atom + i), so_far, values[Storage::place(rank, k)]);
  }
}

}  // namespace loops::detail
