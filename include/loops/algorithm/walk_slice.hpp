// SPDX-License-Identifier: Apache-2.0
/// How a group reduces a slice of many tiles without shared memory for its atoms: for wide values.
#pragma once

#include "loops/algorithm/slice_reduce.hpp"

#include <cstdint>

namespace loops {

/// Does what `reduce_slice` does, for values too wide to keep one per atom: every lane follows an
/// equal stretch of the slice, and what stretches leave open is joined by a segmented scan. With
/// bundles for lanes, what a lane reads in a row is what its members read side by side.
/// Cost: one read of every atom and tile end, a search per lane, one scan; two barriers when the
/// group is larger than a wave.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void walk_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                         bool valid, const Map& map, const Combine& combine, const Emit& emit,
                         const Head& head, const Tail& tail) {
  const auto place = [&](std::int64_t diagonal) {
    if (diagonal <= range.begin.diagonal()) return range.begin;
    if (diagonal >= range.end.diagonal()) return range.end;
    return path_cut(w, diagonal, range.begin.tile, range.end.tile);
  };
  const std::int64_t stretch = ceil_div(range.steps(), g.size());
  const std::int64_t low = range.begin.diagonal() + g.rank() * stretch;
  const coordinate from = place(low);
  const coordinate to = place(low + stretch);

  // The first tile a lane closes may have begun on another lane: it waits for the scan.
  const bool begun_before = from.tile < to.tile && from.atom > w.offset(from.tile);
  Value first = combine.template identity<Value>();
  Value open = first;
  std::int64_t atom = from.atom;
  for (std::int64_t t = from.tile;; ++t) {
    const bool closes = t < to.tile;
    const std::int64_t end = closes ? w.offset(t + 1) : to.atom;
    const Value sum = detail::reduce_atoms<Value>(w, t, atom, end, 1, map, combine);
    atom = end;
    if (!closes) {
      open = sum;
      break;
    }
    if (t == from.tile && begun_before) {
      first = sum;
    } else {
      emit(tile_id(w, t), sum);
    }
  }

  g.sync();  // the storage may still be read for the slice before
  const auto scanned =
      g.scan_open(open, from.tile < to.tile, combine.template identity<Value>(), combine, shared);
  if (begun_before) {
    const Value sum = combine(scanned.before, first);
    const bool cut = from.tile == range.begin.tile && range.begin.atom > w.offset(range.begin.tile);
    if (cut) {
      head(from.tile, sum);
    } else {
      emit(tile_id(w, from.tile), sum);
    }
  }
  if (valid && g.rank() == 0) tail(scanned.total);
}

}  // namespace loops
