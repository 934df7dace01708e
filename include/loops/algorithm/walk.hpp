// SPDX-License-Identifier: Apache-2.0
/// How one lane reduces atoms, and how a group walks a slice of many tiles through shared memory.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <type_traits>

namespace loops {

/// Whether `map` is called as map(atom); otherwise it is map(tile, atom).
template <class Map>
inline constexpr bool maps_atoms = std::is_invocable_v<const Map&, std::int64_t>;

namespace detail {

template <class Map, bool Atoms = maps_atoms<Map>>
struct mapped {
  using type = std::remove_cvref_t<std::invoke_result_t<const Map&, std::int64_t>>;
};
template <class Map>
struct mapped<Map, false> {
  using type = std::remove_cvref_t<std::invoke_result_t<const Map&, std::int64_t, std::int64_t>>;
};

/// `map` of atom a of tile t, under the names the work gives them.
LOOPS_CALLS_USER
template <class Work, class Map>
LOOPS_HD auto map_atom(const Work& w, const Map& map, std::int64_t t, std::int64_t a) {
  if constexpr (maps_atoms<Map>) {
    return map(atom_id(w, t, a));
  } else {
    return map(tile_id(w, t), atom_id(w, t, a));
  }
}

/// Combines atoms first, first + stride, … below `last` of tile t. Four at a time, so that loads
/// and additions of neighbours overlap; the order depends on the range and the stride alone.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine>
LOOPS_HD Value reduce_atoms(const Work& w, std::int64_t t, std::int64_t first, std::int64_t last,
                            std::int64_t stride, const Map& map, const Combine& combine) {
  Value sum = combine.template identity<Value>();
  std::int64_t a = first;
  for (; a + 3 * stride < last; a += 4 * stride) {
    const Value v0 = map_atom(w, map, t, a);
    const Value v1 = map_atom(w, map, t, a + stride);
    const Value v2 = map_atom(w, map, t, a + 2 * stride);
    const Value v3 = map_atom(w, map, t, a + 3 * stride);
    sum = combine(sum, combine(combine(v0, v1), combine(v2, v3)));
  }
  for (; a < last; a += stride) sum = combine(sum, Value(map_atom(w, map, t, a)));
  return sum;
}

}  // namespace detail

/// Shared memory of a walk: where tiles end, and one value per path step.
template <class Block, class Value>
struct walk_storage {
  static constexpr int capacity = Block::threads * Block::items;
  static_assert(Block::threads == 1 || capacity < 65536, "tile ends are 16-bit inside a block");
  using end_type = std::uint16_t;
  uninitialized<end_type, Block::threads == 1 ? 1 : capacity> ends;
  uninitialized<Value, Block::threads == 1 ? 1 : capacity> values;
  group_storage<Block, Value> scan;
};

/// Where a walk stops for breath: at most `capacity` steps after `from`, within `to`.
template <class Work>
LOOPS_HD coordinate next_stop(const Work& w, coordinate from, coordinate to,
                              std::int64_t capacity) {
  if (to.diagonal() - from.diagonal() <= capacity) return to;
  const std::int64_t diagonal = from.diagonal() + capacity;
  const std::int64_t reach = from.tile + capacity;
  return path_cut(w, diagonal, from.tile, reach < to.tile ? reach : to.tile);
}

/// Walks `range` with all lanes of `g`: atoms are mapped in lane-strided order into shared memory,
/// then every lane follows its part of the path there, and a segmented scan joins the parts.
///   emit(tile, value)  for every tile closed that also began inside the slice
///   head(tile, value)  for the first tile closed, when it began before the slice
///   tail(value)        once, what is left open at the end (the identity when nothing is)
/// Groups with `valid` false only take part in the barriers. Cost: one read of every atom and tile
/// end, 4 barriers per `lanes * items` steps.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void walk(const Group& g, Storage& shared, const Work& w, const slice& range, bool valid,
                   const Map& map, const Combine& combine, const Emit& emit, const Head& head,
                   const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int items = block_type::items;
  const int lanes = g.size();
  const int rank = g.rank();
  const std::int64_t capacity = static_cast<std::int64_t>(lanes) * items;
  auto* ends = shared.ends.data() + g.index() * capacity;
  Value* values = shared.values.data() + g.index() * capacity;

  coordinate at = range.begin;
  const coordinate stop = valid ? range.end : range.begin;
  Value open = combine.template identity<Value>();
  bool begun_before = valid && at.tile < w.tiles() && at.atom > w.offset(at.tile);
  while (g.any(at != stop)) {
    const coordinate next = next_stop(w, at, stop, capacity);
    const int tiles = static_cast<int>(next.tile - at.tile);
    const int atoms = static_cast<int>(next.atom - at.atom);
    const int steps = tiles + atoms;

    for (int i = rank; i < tiles; i += lanes)
      ends[i] = static_cast<typename Storage::end_type>(w.offset(at.tile + i + 1) - at.atom);
    if constexpr (maps_atoms<Map> && !renamed_work<Work>) {
      // All loads are issued before the first store: the compiler cannot know they do not alias.
      Value mapped[items];
      LOOPS_UNROLL
      for (int k = 0; k < items; ++k) {
        const int i = rank + k * lanes;
        if (i < atoms) mapped[k] = detail::map_atom(w, map, 0, at.atom + i);
      }
      LOOPS_UNROLL
      for (int k = 0; k < items; ++k) {
        const int i = rank + k * lanes;
        if (i < atoms) values[i] = mapped[k];
      }
    } else {
      g.sync();
      int tile = 0;
      for (int i = rank; i < atoms; i += lanes) {
        tile =
            static_cast<int>(first_where(tile, tiles, [&](std::int64_t t) { return ends[t] > i; }));
        values[i] = detail::map_atom(w, map, at.tile + tile, at.atom + i);
      }
    }
    g.sync();

    // This lane's part: `items` steps from its own place on the path.
    const int from = rank * items < steps ? rank * items : steps;
    const int to = from + items < steps ? from + items : steps;
    int tile =
        static_cast<int>(first_where(from > atoms ? from - atoms : 0, from < tiles ? from : tiles,
                                     [&](std::int64_t t) { return ends[t] + t >= from; }));
    int atom = from - tile;
    int end = tile < tiles ? ends[tile] : atoms + 1;
    const int first_tile = tile;
    Value first = combine.template identity<Value>();
    Value sum = first;
    for (int step = from; step < to; ++step) {
      if (atom < end) {
        sum = combine(sum, values[atom++]);
      } else {
        // Sums of closed tiles go behind the atoms: together they are as many as the steps.
        if (tile == first_tile) {
          first = sum;
        } else {
          values[atoms + tile] = sum;
        }
        sum = combine.template identity<Value>();
        ++tile;
        end = tile < tiles ? ends[tile] : atoms + 1;
      }
    }
    const auto joined = g.scan_open(sum, tile > first_tile, open, combine, shared.scan);
    if (tile > first_tile) values[atoms + first_tile] = combine(joined.before, first);
    open = joined.total;
    g.sync();

    for (int i = rank; i < tiles; i += lanes) {
      if (i == 0 && begun_before) {
        head(at.tile, values[atoms]);
      } else {
        emit(tile_id(w, at.tile + i), values[atoms + i]);
      }
    }
    if (tiles > 0) begun_before = false;
    g.sync();
    at = next;
  }
  if (valid && rank == 0) tail(open);
}

}  // namespace loops
