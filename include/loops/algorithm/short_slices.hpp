// SPDX-License-Identifier: Apache-2.0
/// Slices that one round of a block holds: the kernel of small works.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/marked_tiles.hpp"
#include "loops/algorithm/post.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <cstdint>

namespace loops::detail {

/// Whether lanes sum equal shares of a slice instead of its tiles: pays where slices are long, and
/// the longer the larger the values.
template <class Block, class Value>
inline constexpr bool in_equal_shares = sizeof(Value) <= 8 &&
                                        (Block::items >
                                         (sizeof(Value) <= 4 ? few_items : some_items));

template <class Block, class Value>
using short_storage = std::conditional_t<in_equal_shares<Block, Value>,
                                         marked_storage<Block, Value>, round_storage<Block, Value>>;

/// How many places before its first atom a slice begins to count, so that a wave's first lane reads
/// where a line of memory begins: otherwise each of its loads touches a line more. None where the
/// round has no room for them, and in kernels of few steps per lane, which wait for other things.
template <class Block>
LOOPS_HD constexpr int places_before(std::int64_t first, int atoms) {
  constexpr int line = 32;  ///< atoms: 128 bytes of columns
  if constexpr (Block::threads < line || Block::items <= few_items) return 0;
  const int before = static_cast<int>(first & (line - 1));
  return atoms + before <= Block::threads * Block::items ? before : 0;
}

/// A slice in a round: its first atom comes `from` places after the beginning.
struct placed_slice {
  std::int64_t first_tile;
  std::int64_t start;  ///< the atom that would be at the first place
  int tiles;           ///< that end in the slice
  int from;
  int atoms;  ///< places up to the last atom, those before the first included
  /// The place after the last atom of tile i of the slice.
  template <class Work>
  [[nodiscard]] LOOPS_HD std::uint16_t end_of(const Work& w, int i) const {
    return static_cast<std::uint16_t>(w.offset(first_tile + i + 1) - start);
  }
  /// Whether a tile is left open at the end, by these ends.
  [[nodiscard]] LOOPS_HD bool leaves_open(const std::uint16_t* ends) const {
    return tiles > 0 ? ends[tiles - 1] < atoms : from < atoms;
  }
};
template <class Block>
LOOPS_HD placed_slice place_slice(const slice& s) {
  const int atoms = static_cast<int>(s.end.atom - s.begin.atom);
  const int from = places_before<Block>(s.begin.atom, atoms);
  return {s.begin.tile, s.begin.atom - from, static_cast<int>(s.end.tile - s.begin.tile), from,
          from + atoms};
}

/// Maps atoms `first + from` … `first + atoms - 1` into the places from `from` on of shared memory,
/// and fills the others with the identity.
LOOPS_CALLS_USER
template <class Value, class Storage, class Group, class Work, class Map, class Combine>
LOOPS_HD void map_short_slice(const Group& g, Storage& shared, const Work& w, const Map& map,
                              const Combine& combine, std::int64_t first, int from, int atoms) {
  constexpr int items = Storage::items;
  const int lanes = g.size();
  const int rank = g.rank();
  const Value none = combine.template identity<Value>();
  const auto holds = [&](int k) { return rank + k * lanes < atoms && (k > 0 || rank >= from); };
  using block_type = std::remove_cvref_t<decltype(g.block())>;
  constexpr bool tested =
      asks_first<Map> && (native::tested_loads_overlap<block_type> || !pure_map<Map>);
  Value mapped[items];
  if constexpr (tested) {
    // Addresses that are constants apart: half of the instructions of a map that is asked at once.
    decltype(map.ask(std::int64_t{0})) asked[items] = {};
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k)
      if (holds(k)) asked[k] = map.ask(first + rank + k * lanes);
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) {
      mapped[k] = none;
      if (holds(k)) mapped[k] = map.finish(asked[k]);
    }
  } else {
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) mapped[k] = none;
    map_part_of_round(w, map, first, rank, lanes, from, atoms, mapped);
  }
  Value* const values = shared.values.data();
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const Value v = tested ? mapped[k] : native::pick(holds(k), mapped[k], none);
    values[Storage::place(rank, k)] = v;
  }
}

/// Sums the tiles of a round from shared memory, where their ends are marked: each lane takes as
/// many atoms in a row, and what it leaves open meets that of its neighbours in a segmented scan.
/// So it takes the same time whatever the tiles are like. `tiles` end here; what is left open after
/// them goes to `rest`. Sync: two barriers.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Combine, class Work, class Emit,
          class Head, class Rest>
LOOPS_HD void sum_marked_tiles(const Group& g, Storage& shared, int tiles, const Combine& combine,
                               const Work& w, std::int64_t first_tile, bool begun_before,
                               const Emit& emit, const Head& head, const Rest& rest) {
  constexpr int items = Storage::items;
  const Value none = combine.template identity<Value>();
  const int rank = g.rank();
  Value* const mine = shared.values.data() + rank * (items + 1);
  Value v[items];
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) v[k] = mine[k];
  const auto marks = shared.marks_of(rank);
  Value open = none;
  int closed = -1;  // where the first tile ends
  LOOPS_UNROLL
  for (int k = items - 1; k >= 0; --k)
    if (marks.ends(k)) closed = k;
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    open = combine(open, v[k]);
    if (marks.ends(k)) {
      mine[k] = open;
      open = none;
    }
  }
  const auto [taken, total] = open_before_lanes(g, shared.scan, open, closed >= 0, combine);
  if (closed >= 0) mine[closed] = combine(taken, mine[closed]);
  if (rank == 0) rest(total);
  g.sync();
  const std::uint16_t* const ends = shared.ends.data();
  LOOPS_ROLLED
  for (int i = rank; i < tiles; i += g.size()) {
    const int end = ends[i];
    const int begin = i > 0 ? ends[i - 1] : 0;
    Value sum = none;
    if (end > begin) sum = shared.values[Storage::place(end - 1)];
    if (i == 0 && begun_before) {
      head(first_tile, sum);
    } else {
      emit(tile_id(w, first_tile + i), sum);
    }
  }
}

/// Does what `reduce_short_slice` does, with equal shares of the slice for all lanes.
/// Cost: four barriers.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void reduce_marked_slice(const Group& g, Storage& shared, const Work& w,
                                  const slice& range, bool begun_before, const Map& map,
                                  const Combine& combine, const Emit& emit, const Head& head,
                                  const Tail& tail) {
  const int lanes = g.size();
  const int rank = g.rank();
  const placed_slice s = place_slice<std::remove_reference_t<decltype(g.block())>>(range);
  std::uint16_t* const ends = shared.ends.data();
  shared.clear_marks(rank);
  // The first end is asked for before the atoms and put down after them.
  std::uint16_t first = 0;
  if (rank < s.tiles) first = s.end_of(w, rank);
  g.sync();
  map_short_slice<Value>(g, shared, w, map, combine, s.start, s.from, s.atoms);
  if (rank < s.tiles) shared.mark_end(rank, first);
  LOOPS_ROLLED
  for (int i = rank + lanes; i < s.tiles; i += lanes) shared.mark_end(i, s.end_of(w, i));
  g.sync();
  sum_marked_tiles<Value>(g, shared, s.tiles, combine, w, s.first_tile, begun_before, emit, head,
                          [&](const Value& v) { tail(v, s.leaves_open(ends)); });
}

/// Does what `reduce_slice` does, for a slice of at most Block::threads * Block::items steps.
/// `begun_before`: it begins inside a tile.
/// Cost: one barrier, and a third of the code, which has to come from memory before it runs: for
/// works of few steps that is most of the time. Registers are few, so that many blocks run at once.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void reduce_short_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                                 bool begun_before, const Map& map, const Combine& combine,
                                 const Emit& emit, const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  if constexpr (in_equal_shares<block_type, Value>) {
    reduce_marked_slice<Value>(g, shared, w, range, begun_before, map, combine, emit, head, tail);
  } else {
    constexpr int items = block_type::items;
    const int lanes = g.size();
    const int rank = g.rank();
    const placed_slice s = place_slice<block_type>(range);
    std::uint16_t* const ends = shared.ends.data();
    // Where registers allow, the first ends are asked for before the atoms and put down after them.
    constexpr int early = items <= few_items ? 2 : 0;
    std::uint16_t first[early + 1];
    LOOPS_UNROLL
    for (int k = 0; k < early; ++k)
      if (rank + k * lanes < s.tiles) first[k] = s.end_of(w, rank + k * lanes);
    if constexpr (early == 0)
      for (int i = rank; i < s.tiles; i += lanes) ends[i] = s.end_of(w, i);
    Value mapped[items];
    map_part_of_round(w, map, s.start, rank, lanes, s.from, s.atoms, mapped);
    if (rank < s.from) mapped[0] = combine.template identity<Value>();
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) {
      const int i = rank + k * lanes;
      if (i < s.atoms) shared.values.data()[Storage::padded(i)] = mapped[k];
    }
    if constexpr (early > 0) {
      LOOPS_UNROLL
      for (int k = 0; k < early; ++k)
        if (rank + k * lanes < s.tiles) ends[rank + k * lanes] = first[k];
      LOOPS_ROLLED
      for (int i = rank + early * lanes; i < s.tiles; i += lanes) ends[i] = s.end_of(w, i);
    }
    g.sync();
    sum_tiles(g, shared, 0, s.tiles + 1, s.atoms, combine.template identity<Value>(), combine, w,
              s.first_tile, begun_before, emit, head,
              [&](const Value& v) { tail(v, s.leaves_open(ends)); });
  }
}

/// Takes slices that one round holds, one per block, and emits every tile. One that was cut is
/// emitted by the slice that closes it, when the others have sent their parts. Comes while the
/// kernel before it ends, and reads nothing before that one has.
template <class Bound, class Reduction>
struct reduce_short_slices {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  post boxes;

  static constexpr int wanted_lanes = slice_lanes<sizeof(value_type)>;
  static constexpr bool waits_for_blocks = true;

  template <class Block>
  struct storage {
    short_storage<Block, value_type> work;
    uninitialized<value_type> last;  ///< the slice's own part of what it closes
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    if constexpr (native::fetches_ahead && knows_its_lines<decltype(Reduction::map)> &&
                  Block::items <= few_items) {
      constexpr std::int64_t few_lines = 16384;  // 2 MB
      if (reduction.map.lines() <= few_lines) fetch_lines(block, reduction.map);
    }
    block.await_previous();
    // Of many steps per lane, read again instead of kept: in between, registers are what decides.
    constexpr bool keeps = Block::items <= few_items;
    const group<Block, Block::threads> g(block);
    std::int32_t begun = boxes.begun[block.id()];
    reduce_short_slice<value_type>(
        g, shared.work, bound.w, bound.claimed(block.id()), begun >= 0, reduction.map,
        reduction.combine, reduction.emit,
        [&](std::int64_t, const value_type& value) { shared.last[0] = value; },
        [&](const value_type& value, bool open) {
          if (open) send(block, boxes, block.id(), value);
        });
    const std::int64_t s = native::recomputed(static_cast<int>(block.id()));
    if constexpr (!keeps) begun = boxes.begun[s];
    if (begun < 0 || g.rank() >= Block::wave) return;
    const slice range = bound.claimed(s);
    if (range.begin.tile == range.end.tile) return;
    value_type sum =
        collect<value_type>(block, boxes, begun + g.rank(), s, Block::wave, reduction.combine);
    sum = reduce_in_wave(block, sum, Block::wave, reduction.combine);
    if (g.rank() == 0)
      reduction.emit(tile_id(bound.w, range.begin.tile), reduction.combine(sum, shared.last[0]));
  }
};

}  // namespace loops::detail
