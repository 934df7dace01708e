// SPDX-License-Identifier: Apache-2.0
/// One round of a slice: its atoms mapped by all lanes of a group, its tiles summed in shared
/// memory.
#pragma once

#include "loops/algorithm/lines.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <type_traits>

namespace loops {

/// Whether `map` is called as map(atom); otherwise it is map(tile, atom).
template <class Map>
inline constexpr bool maps_atoms = std::is_invocable_v<const Map&, std::int64_t>;

/// Whether a map says, by `using pure = std::true_type`, that it may be asked about an atom more
/// than once: it reads and computes, and does nothing else.
template <class Map>
inline constexpr bool pure_map = requires {
  requires Map::pure::value;
};

/// Whether a map has a form that reads past a processor's own cache: `past()`.
template <class Map>
inline constexpr bool can_read_past = requires(const Map& map) {
  map.past();
};

namespace detail {

/// Whether a map reads what belongs to an atom, and nothing else, in a step of its own: `ask(atom)`
/// gives what `finish` makes the value of. Where there is no atom, nothing is asked for.
template <class Map>
inline constexpr bool asks_first = requires(const Map& map) {
  map.finish(map.ask(std::int64_t{0}));
};

/// Whether a map can say first where an atom reads, by what no use of a plan changes:
/// `place(atom)`. `ask(atom, place)` then asks for the rest.
template <class Map>
inline constexpr bool knows_places = requires(const Map& map) {
  map.finish(map.ask(std::int64_t{0}, map.place(std::int64_t{0})));
};

/// Whether a reduction has kernels for small works: its atoms need no tile.
template <class Reduction, class Work>
inline constexpr bool may_be_short =
    !Reduction::wide && maps_atoms<decltype(Reduction::map)> && !renamed_work<Work>;

template <class Map, bool Atoms = maps_atoms<Map>>
struct mapped {
  using type = std::remove_cvref_t<std::invoke_result_t<const Map&, std::int64_t>>;
};
template <class Map>
struct mapped<Map, false> {
  static_assert(std::is_invocable_v<const Map&, std::int64_t, std::int64_t>,
                "a map is called as map(atom) or map(tile, atom), and does not change itself; nvcc "
                "hides what a device lambda returns: name the type, reduce_tiles<float>(…)");
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

/// Maps atoms first + rank, first + rank + lanes, … of the `atoms` from `first` on, which are
/// seldom Items per lane, but for the first `from`, at most one per lane. Loads overlap when they
/// are issued before the first store and none is behind a branch: so a pure map is asked about
/// those all the same, and about the last atom where there is none.
LOOPS_CALLS_USER
template <int Items, class Work, class Map, class Value>
LOOPS_HD void map_part_of_round(const Work& w, const Map& map, std::int64_t first, int rank,
                                int lanes, int from, int atoms, Value (&mapped)[Items]) {
  if constexpr (pure_map<Map>) {
    if (atoms == from) return;
    LOOPS_UNROLL
    for (int k = 0; k < Items; ++k) {
      const int i = rank + k * lanes;
      mapped[k] = map_atom(w, map, 0, first + (i < atoms ? i : atoms - 1));
    }
  } else {
    LOOPS_UNROLL
    for (int k = 0; k < Items; ++k) {
      const int i = rank + k * lanes;
      if (i < atoms && (k > 0 || i >= from)) mapped[k] = map_atom(w, map, 0, first + i);
    }
  }
}

/// Maps atoms first + rank, first + rank + lanes, … of the `atoms` from `first` on. A full round
/// is mapped without a test.
LOOPS_CALLS_USER
template <int Items, class Work, class Map, class Value>
LOOPS_HD void map_round(const Work& w, const Map& map, std::int64_t first, int rank, int lanes,
                        int atoms, Value (&mapped)[Items]) {
  if (Items * lanes <= atoms) {
    LOOPS_UNROLL
    for (int k = 0; k < Items; ++k) mapped[k] = map_atom(w, map, 0, first + rank + k * lanes);
  } else {
    map_part_of_round(w, map, first, rank, lanes, 0, atoms, mapped);
  }
}

}  // namespace detail

/// Shared memory of a round: where tiles end, and one value per path step.
template <class Block, class Value>
struct round_storage {
  static constexpr int capacity = Block::threads == 1 ? 1 : Block::threads * Block::items;
  static_assert(capacity < 65536, "tile ends are 16-bit inside a block");
  /// One value of padding per row of banks: power-of-two tiles would all start on one bank.
  static constexpr int row = sizeof(Value) < 128 ? 128 / sizeof(Value) : 1;
  static LOOPS_HD constexpr unsigned padded(int i) {
    return static_cast<unsigned>(i) + static_cast<unsigned>(i) / row;
  }
  uninitialized<std::uint16_t, capacity> ends;
  uninitialized<Value, capacity + capacity / row + 1> values;
};

namespace detail {

/// Sums what lies between the tile ends in shared memory: `parts` tiles, the last of them the one
/// that is left open, each by as many lanes as there are to spare, and one much longer than its
/// neighbours by a whole wave. `open` is what rank 0 already has of the first. Tiles are numbered
/// from `first_tile` on; `rest(value)` gets the open one. Sync: none; shared memory must be
/// ordered.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Combine, class Work, class Emit,
          class Head, class Rest>
LOOPS_HD void sum_tiles(const Group& g, Storage& shared, int base, int parts, int atoms,
                        const Value& open, const Combine& combine, const Work& w,
                        std::int64_t first_tile, bool begun_before, const Emit& emit,
                        const Head& head, const Rest& rest) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int long_factor = 32;
  const Value none = combine.template identity<Value>();
  const std::uint16_t* const ends = shared.ends.data() + base;
  const Value* const values = shared.values.data();
  const int lanes = g.size();
  const int rank = g.rank();
  const int width = lanes < block_type::wave ? lanes : block_type::wave;
  const int tiles = parts - 1;
  int per = 1;
  LOOPS_ROLLED
  while (per < width && 2 * per * parts <= lanes) per *= 2;
  const int stride = lanes / per;
  LOOPS_ROLLED
  for (int first = 0; g.any(first < parts); first += stride) {
    const int part = first + rank / per;
    const int begin = part > 0 && part < parts ? ends[part - 1] : 0;
    const int end = part < tiles ? ends[part] : part < parts ? atoms : begin;
    const bool is_long =
        width == block_type::wave && per < width && end - begin > long_factor * per;
    Value v = none;
    if (!is_long)
      for (int i = begin + (rank & (per - 1)); i < end; i += per)
        v = combine(v, values[Storage::padded(base + i)]);
    if constexpr (Group::whole_block && native::fixed_distances<block_type>) {
      v = reduce_in_wave(g.block(), v, per, combine);
    } else {
      LOOPS_ROLLED
      for (int d = (Group::whole_block ? per : width) / 2; d > 0; d /= 2) {
        const Value right = g.block().shuffle_down(v, d);
        if (d < per) v = combine(v, right);
      }
    }
    const bool mine = part < parts && (rank & (per - 1)) == 0;
    if (width == block_type::wave) {
      // Long tiles of this wave, one after another, by the whole wave.
      std::uint64_t left = g.block().ballot(mine && is_long);
      while (left != 0) {
        const int lane = native::lowest_bit(left);
        left &= left - 1;
        const int wave_lane = rank & (width - 1);
        const int from = g.block().shuffle(begin, lane);
        const int to = g.block().shuffle(end, lane);
        Value sum = none;
        LOOPS_ROLLED
        for (int i = from + wave_lane; i < to; i += width)
          sum = combine(sum, values[Storage::padded(base + i)]);
        sum = reduce_in_wave(g.block(), sum, width, combine);
        if (wave_lane == lane) v = sum;
      }
    }
    if (mine) {
      if (part == 0) v = combine(open, v);
      if (part == tiles) {
        rest(v);
      } else if (part == 0 && begun_before) {
        head(first_tile, v);
      } else {
        emit(tile_id(w, first_tile + part), v);
      }
    }
  }
}

}  // namespace detail

}  // namespace loops
