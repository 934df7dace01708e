// SPDX-License-Identifier: Apache-2.0
/// How lanes of a GPU reduce atoms, and how a group reduces a slice of many tiles.
#pragma once

#include "loops/algorithm/slice_round.hpp"

#include <cstdint>
#include <type_traits>

namespace loops {

/// Shared memory of a slice: its rounds, one after another, and what one leaves to the next.
template <class Block, class Value>
struct slice_storage : round_storage<Block, Value> {
  uninitialized<Value, Block::threads> open;
  group_storage<Block, Value> wide;
};

namespace detail {

/// Combines atoms a, a + stride, a + 2 stride and a + 3 stride of tile t, whose loads overlap.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine>
LOOPS_HD Value reduce_four(const Work& w, std::int64_t t, std::int64_t a, std::int64_t stride,
                           const Map& map, const Combine& combine) {
  const Value v0 = map_atom(w, map, t, a);
  const Value v1 = map_atom(w, map, t, a + stride);
  const Value v2 = map_atom(w, map, t, a + 2 * stride);
  const Value v3 = map_atom(w, map, t, a + 3 * stride);
  return combine(combine(v0, v1), combine(v2, v3));
}

/// Combines up to three atoms a, a + stride, … below `last`, which is not the first of the tile;
/// their loads overlap too.
LOOPS_CALLS_USER
template <class Value, class Block, class Work, class Map, class Combine>
LOOPS_HD Value reduce_rest(const Work& w, std::int64_t t, std::int64_t a, std::int64_t last,
                           std::int64_t stride, const Map& map, const Combine& combine) {
  const Value none = combine.template identity<Value>();
  if constexpr (!native::tested_loads_overlap<Block> && pure_map<Map>) {
    Value v[3];
    LOOPS_UNROLL
    for (int k = 0; k < 3; ++k) {
      const std::int64_t i = a + k * stride;
      v[k] = map_atom(w, map, t, i < last ? i : last - 1);
    }
    LOOPS_UNROLL
    for (int k = 0; k < 3; ++k) v[k] = native::pick(a + k * stride < last, v[k], none);
    return combine(combine(v[0], v[1]), v[2]);
  }
  const Value v0 = a < last ? Value(map_atom(w, map, t, a)) : none;
  const Value v1 = a + stride < last ? Value(map_atom(w, map, t, a + stride)) : none;
  const Value v2 = a + 2 * stride < last ? Value(map_atom(w, map, t, a + 2 * stride)) : none;
  return combine(combine(v0, v1), v2);
}

/// Combines atoms first, first + stride, … below `last` of tile t on a GPU. Four at a time, so that
/// loads of neighbours overlap; the order depends on the range and the stride alone.
LOOPS_CALLS_USER
template <class Value, class Block, class Work, class Map, class Combine>
LOOPS_HD Value reduce_atoms(const Work& w, std::int64_t t, std::int64_t first, std::int64_t last,
                            std::int64_t stride, const Map& map, const Combine& combine) {
  Value sum = combine.template identity<Value>();
  std::int64_t a = first;
  for (; a + 3 * stride < last; a += 4 * stride)
    sum = combine(sum, reduce_four<Value>(w, t, a, stride, map, combine));
  if (a >= last) return sum;
  return combine(sum, reduce_rest<Value, Block>(w, t, a, last, stride, map, combine));
}

/// The same for a lane that takes a tile alone. Values that leave registers for it have up to seven
/// loads under way at the end, four of them behind no test; with larger ones the whole kernel
/// suffers, the loops of groups included.
LOOPS_CALLS_USER
template <class Value, class Block, class Work, class Map, class Combine>
LOOPS_HD Value reduce_atoms_alone(const Work& w, std::int64_t t, std::int64_t first,
                                  std::int64_t last, const Map& map, const Combine& combine) {
  if constexpr (sizeof(Value) > 4) {
    return reduce_atoms<Value, Block>(w, t, first, last, 1, map, combine);
  } else {
    Value sum = combine.template identity<Value>();
    std::int64_t a = first;
    for (; a + 7 < last; a += 4) sum = combine(sum, reduce_four<Value>(w, t, a, 1, map, combine));
    if (a + 3 < last)
      return combine(sum, combine(reduce_four<Value>(w, t, a, 1, map, combine),
                                  reduce_rest<Value, Block>(w, t, a + 4, last, 1, map, combine)));
    if (a >= last) return sum;
    return combine(sum, reduce_rest<Value, Block>(w, t, a, last, 1, map, combine));
  }
}

}  // namespace detail

/// Where a group stops for breath: at most `capacity` atoms and tiles after `from`, within `to`.
template <class Work>
LOOPS_HD coordinate next_stop(const Work& w, coordinate from, coordinate to, int capacity) {
  if (to.atom - from.atom <= capacity && to.tile - from.tile <= capacity) return to;
  const std::int64_t steps = to.diagonal() - from.diagonal();
  const std::int64_t reach = from.tile + capacity < to.tile ? from.tile + capacity : to.tile;
  return path_cut(w, from.diagonal() + (steps < capacity ? steps : capacity), from.tile, reach);
}

/// Reduces a slice of any number of tiles with all lanes of `g`. Atoms are mapped in lane-strided
/// order into shared memory; there, each tile is summed by as many lanes as there are to spare,
/// and a tile much longer than its neighbours by a whole wave.
///   emit(tile, value)  for every tile closed that also began inside the slice
///   head(tile, value)  for the first tile closed, when it began before the slice
///   tail(value, open)  once, what is left open at the end (the identity when nothing is), and
///                      whether anything is; not for an empty slice
/// Each is called by one lane.
/// Groups with `valid` false only take part in the barriers.
/// Cost: one read of every atom and tile end; one barrier per lanes * items steps, one more
/// between.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void reduce_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                           bool valid, const Map& map, const Combine& combine, const Emit& emit,
                           const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int items = block_type::items;
  constexpr bool direct = maps_atoms<Map> && !renamed_work<Work>;
  const Value none = combine.template identity<Value>();
  const int lanes = g.size();
  const int rank = g.rank();
  const int capacity = lanes * items;
  const int index = Group::whole_block ? 0 : g.index();
  const int base = index * capacity;
  std::uint16_t* const ends = shared.ends.data() + base;
  Value* const values = shared.values.data();

  coordinate at = range.begin;
  const coordinate stop = valid ? range.end : range.begin;
  Value open = none;  // on rank 0: what earlier rounds left of the current tile
  bool begun_before = valid && at.tile < w.tiles() && at.atom > w.offset(at.tile);
  bool again = false;
  while (g.any(at != stop)) {
    if (again) {
      g.sync();
      if (rank == 0) open = shared.open[index];
    }
    again = true;
    const coordinate next = next_stop(w, at, stop, capacity);
    const int tiles = static_cast<int>(next.tile - at.tile);
    const int atoms = static_cast<int>(next.atom - at.atom);

    for (int i = rank; i < tiles; i += lanes)
      ends[i] = static_cast<std::uint16_t>(w.offset(at.tile + i + 1) - at.atom);
    if constexpr (direct) {
      Value mapped[items];
      detail::map_round(w, map, at.atom, rank, lanes, atoms, mapped);
      if constexpr (Group::whole_block) {
        if (tiles == 0) {  // inside one long tile: nothing to sort out
          Value sum = native::pick(rank < atoms, mapped[0], none);
          LOOPS_UNROLL
          for (int k = 1; k < items; ++k)
            if (rank + k * lanes < atoms) sum = combine(sum, mapped[k]);
          sum = combine(open, g.reduce(sum, combine, shared.wide));
          if (rank == 0) {
            if (next == stop) {
              tail(sum, true);
            } else {
              shared.open[0] = sum;
            }
          }
          at = next;  // begun_before stays: the tile is not closed yet
          continue;
        }
      }
      LOOPS_UNROLL
      for (int k = 0; k < items; ++k) {
        const int i = rank + k * lanes;
        if (i < atoms) values[Storage::padded(base + i)] = mapped[k];
      }
    } else {
      g.sync();
      int tile = 0;
      for (int i = rank; i < atoms; i += lanes) {
        tile = first_where(tile, tiles, [&](int t) { return ends[t] > i; });
        values[Storage::padded(base + i)] = detail::map_atom(w, map, at.tile + tile, at.atom + i);
      }
    }
    g.sync();

    // A group that is through keeps the others company at barriers; it has nothing to hand over.
    const bool at_work = valid && (Group::whole_block || at != stop);
    detail::sum_tiles(g, shared, base, at_work ? tiles + 1 : 0, atoms, open, combine, w, at.tile,
                      begun_before, emit, head, [&](const Value& v) {
                        if (next == stop) {
                          tail(v, tiles == 0 || ends[tiles - 1] < atoms);
                        } else {
                          shared.open[index] = v;
                        }
                      });
    if (tiles > 0) begun_before = false;
    at = next;
  }
}

}  // namespace loops
