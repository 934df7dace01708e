// SPDX-License-Identifier: Apache-2.0
/// How a group reduces a slice of many tiles without shared memory for its values: for wide ones.
#pragma once

#include "loops/algorithm/slice_reduce.hpp"
#include "loops/collective/bundle.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace loops {

namespace detail {

/// A map may read what all shares of an atom have in common once for all of them.
template <class Map>
inline constexpr bool has_common = requires(const Map& m) {
  m.common(std::int64_t{0});
};

/// What is kept of an atom until it is mapped.
template <class Map, bool Common = has_common<Map>>
struct kept_of {
  struct type {};
};
template <class Map>
struct kept_of<Map, true> {
  using type = std::remove_cvref_t<decltype(std::declval<const Map&>().common(std::int64_t{0}))>;
  static_assert(!std::is_same_v<type, std::int64_t>, "it would be taken for an atom");
};

/// An emitter may ask for neighbouring tiles in neighbouring lanes, because that is how it stores.
template <class Emit>
inline constexpr bool wants_neighbours = requires {
  requires Emit::neighbours::value;
};

/// How many atoms of a lane are on their way at a time.
template <class Value>
inline constexpr int atoms_in_flight = sizeof(Value) <= 16 ? 4 : 2;

/// The members of every lane of a group and of its neighbours have seen the same shared memory.
template <class Group>
LOOPS_HD void sync_members(const Group& g) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  if (members_of < block_type >> 1 && g.size() == 1) {
    g.block().wave_sync();
  } else {
    g.sync();
  }
}

}  // namespace detail

/// Shared memory of `walk_slice`: where tiles end, what is kept of atoms, and, for emitters that
/// want neighbours, the first tiles of a round.
template <class Block, class Value, class Map, class Emit>
struct walk_storage {
  static constexpr int steps = Block::items;  ///< of a lane and round
  static constexpr int capacity = Block::threads * steps;
  static_assert(capacity < 65536, "tile ends are 16-bit inside a block");
  using kept_type = typename detail::kept_of<Map>::type;
  uninitialized<std::uint16_t, capacity> ends;
  uninitialized<kept_type, detail::has_common<Map> ? capacity : 1> kept;
  static constexpr bool gathers = detail::wants_neighbours<Emit>;
  /// Shares of a tile, and one of padding: those of neighbours lie in different banks.
  static constexpr int pitch = members_of<Block> + 1;
  static constexpr int room = 16384 / (pitch * int(sizeof(Value)));
  static constexpr int held_tiles = !gathers ? 0 : room < capacity ? room : capacity;
  uninitialized<Value, held_tiles * pitch> held;
  group_storage<Block, Value> scan[members_of<Block>];
};

/// Does what `reduce_slice` does, for values too wide to keep one per atom: every lane follows an
/// equal stretch of the slice, and what stretches leave open is joined by a segmented scan. With
/// bundles for lanes, what a lane reads in a row is what its members read side by side. What the
/// shares of an atom have in common is read side by side beforehand, by all members. An emitter
/// with `neighbours` is called by neighbouring lanes for neighbouring tiles, as far as shared
/// memory goes. Cost: one read of every atom and tile end, a search per lane, one scan; three
/// barriers per lanes * items steps.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void walk_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                         bool valid, const Map& map, const Combine& combine, const Emit& emit,
                         const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int members = members_of<block_type>;
  constexpr int batch = detail::atoms_in_flight<Value>;
  constexpr bool common = detail::has_common<Map> && !renamed_work<Work>;
  constexpr bool tested = native::tested_loads_overlap<block_type> || !pure_map<Map>;
  constexpr bool gathers = Storage::gathers && Group::whole_block;
  constexpr int never = std::numeric_limits<int>::max();
  const Value none = combine.template identity<Value>();
  const int lanes = g.size();
  const int capacity = lanes * Storage::steps;
  const int base = Group::whole_block ? 0 : g.index() * capacity;
  std::uint16_t* const ends = shared.ends.data() + base;
  auto* const kept = shared.kept.data() + (common ? base : 0);
  const int reader = g.rank() * members + member_of(g.block());
  const int readers = lanes * members;
  const int held = gathers ? Storage::held_tiles : 0;

  coordinate at = range.begin;
  const coordinate stop = valid ? range.end : range.begin;
  Value open = none;
  bool cut = valid && at.tile < w.tiles() && at.atom > w.offset(at.tile);
  bool begun = cut;  // the tile at hand began before this round
  while (g.any(at != stop)) {
    const coordinate next = next_stop(w, at, stop, capacity);
    const int tiles = static_cast<int>(next.tile - at.tile);
    const int atoms = static_cast<int>(next.atom - at.atom);
    detail::sync_members(g);  // the storage may still be read for the round before
    for (int i = reader; i < tiles; i += readers)
      ends[i] = static_cast<std::uint16_t>(w.offset(at.tile + i + 1) - at.atom);
    if constexpr (common) {
      for (int i = reader; i < atoms; i += readers) kept[i] = map.common(at.atom + i);
    }
    detail::sync_members(g);

    const int stretch = (tiles + atoms + lanes - 1) / lanes;
    const auto tiles_before = [&](int steps) {
      return first_where(0, tiles, [&](int t) { return ends[t] + t >= steps; });
    };
    const int low = g.rank() * stretch < tiles + atoms ? g.rank() * stretch : tiles + atoms;
    const int high = low + stretch < tiles + atoms ? low + stretch : tiles + atoms;
    const int first_tile = tiles_before(low);
    const int last_tile = tiles_before(high);
    const int last = high - last_tile;

    // The first tile a lane closes may have begun on another lane: it waits for the scan.
    int t = first_tile;
    int atom = low - first_tile;
    const bool waits =
        t < last_tile && (t > 0 ? atom > static_cast<int>(ends[t - 1]) : begun || atom > 0);
    int end = t < last_tile ? static_cast<int>(ends[t]) : never;
    Value first = none;
    Value sum = none;
    const auto finish = [&](int tile, const Value& v) {
      if (tile < held) {
        shared.held[tile * Storage::pitch + member_of(g.block())] = v;
      } else {
        emit(tile_id(w, at.tile + tile), v);
      }
    };
    const auto close = [&] {
      if (waits && t == first_tile) {
        first = sum;
      } else {
        finish(t, sum);
      }
      sum = none;
      ++t;
      end = t < last_tile ? static_cast<int>(ends[t]) : never;
    };
    for (; atom < last; atom += batch) {
      Value v[batch];
      LOOPS_UNROLL
      for (int i = 0; i < batch; ++i) {
        if (tested && atom + i >= last) continue;
        const int here = tested || atom + i < last ? atom + i : last - 1;
        if constexpr (common) {
          v[i] = map(kept[here]);
        } else if constexpr (maps_atoms<Map> && !renamed_work<Work>) {
          v[i] = map(at.atom + here);
        }
      }
      LOOPS_UNROLL
      for (int i = 0; i < batch; ++i) {
        while (end == atom + i) close();
        if (atom + i < last) {
          if constexpr (!common && (!maps_atoms<Map> || renamed_work<Work>))
            v[i] = detail::map_atom(w, map, at.tile + t, at.atom + atom + i);
          sum = combine(sum, v[i]);
        }
      }
    }
    while (t < last_tile) close();

    const auto scanned =
        g.scan_open(sum, first_tile < last_tile, open, combine, shared.scan[member_of(g.block())]);
    if (waits) {
      const Value whole = combine(scanned.before, first);
      if (cut && first_tile == 0) {
        head(at.tile, whole);
      } else {
        finish(first_tile, whole);
      }
    }
    if constexpr (gathers) {
      g.sync();
      const int first_held = cut ? 1 : 0;
      const int count = (tiles < held ? tiles : held) - first_held;
      for (int i = reader; i < count * members; i += readers) {
        const int member = i / count;
        const int tile = first_held + i - member * count;
        emit.for_member(member - member_of(g.block()), tile_id(w, at.tile + tile),
                        shared.held[tile * Storage::pitch + member]);
      }
    }
    open = scanned.total;
    if (tiles > 0) cut = false;
    begun = next != stop && next.atom > w.offset(next.tile);
    at = next;
  }
  if (valid && g.rank() == 0) tail(open);
}

}  // namespace loops
