// SPDX-License-Identifier: Apache-2.0
/// How a group of any size scans a slice: every lane takes a few neighbours at a time.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/slice_round.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"

#include <cstdint>

namespace loops::detail {

/// How many neighbours a lane takes by itself, before lanes join what theirs come to.
template <class Value>
inline constexpr int neighbours_of_lane = sizeof(Value) <= 8    ? 4
                                          : sizeof(Value) <= 16 ? 2
                                                                : 1;

/// What neighbours that a lane holds leave open, since the last of them with which a tile began, if
/// any: then `began`.
LOOPS_CALLS_USER
template <int N, class Value, class Combine>
LOOPS_HD Value left_open(const Value (&values)[N], const bool (&begins)[N], const Combine& combine,
                         bool& began) {
  const Value none = combine.template identity<Value>();
  Value open = none;
  LOOPS_UNROLL
  for (int k = 0; k < N; ++k) {
    open = combine(native::pick(begins[k], none, open), values[k]);
    began = began || begins[k];
  }
  return open;
}

/// Shared memory for kernels that scan slices so.
template <class Block, class Value>
struct neighbour_storage {
  visit_storage visit;
  group_storage<Block, Value> scan;
};

/// Calls `emit(tile, atom, before, through)` for the atoms of a slice. `open`: what the tile with
/// which it begins comes to before; returns what is open behind the slice. Combines in the order of
/// atoms. Lanes: all of the group. Sync: two barriers for every round.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit>
LOOPS_HD Value scan_neighbours(const Group& g, Storage& shared, const Work& w, const slice& range,
                               const Map& map, const Combine& combine, const Emit& emit,
                               Value open) {
  const Value none = combine.template identity<Value>();
  constexpr int at_once = neighbours_of_lane<Value>;
  std::int64_t tile = range.begin.tile;
  const std::int64_t high = range.end.tile < w.tiles() ? range.end.tile : w.tiles() - 1;
  const std::int64_t end = range.end.atom;
  const std::int64_t atoms = end - range.begin.atom;
  const std::int64_t all = std::int64_t{at_once} * g.size();
  const int each = atoms < all ? static_cast<int>(ceil_div(atoms, g.size())) : at_once;
  for (std::int64_t base = range.begin.atom; g.any(base < end); base += all) {
    const std::int64_t first = base + std::int64_t{g.rank()} * each;
    Value values[at_once];
    std::int64_t tiles[at_once];
    bool begins[at_once];
    LOOPS_UNROLL
    for (int k = 0; k < at_once; ++k) {
      values[k] = none;
      begins[k] = false;
      const std::int64_t a = first + k;
      if (k < each && a < end) {
        tile = first_where_near(tile, high, [&](std::int64_t t) { return w.offset(t + 1) > a; });
        values[k] = map_atom(w, map, tile, a);
        begins[k] = a == w.offset(tile);
      }
      tiles[k] = tile;
    }
    bool anew = false;
    const Value mine = left_open(values, begins, combine, anew);
    const auto scanned = g.scan_open(mine, anew, open, combine, shared);
    Value before = scanned.before;
    LOOPS_UNROLL
    for (int k = 0; k < at_once; ++k) {
      const std::int64_t a = first + k;
      if (k >= each || a >= end) break;
      before = native::pick(begins[k], none, before);
      const Value through = combine(before, values[k]);
      emit(tile_id(w, tiles[k]), atom_id(w, tiles[k], a), before, through);
      before = through;
    }
    open = scanned.total;
    g.sync();
  }
  return open;
}

}  // namespace loops::detail
