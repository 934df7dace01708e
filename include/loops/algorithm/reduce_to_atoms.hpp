// SPDX-License-Identifier: Apache-2.0
/// Tells every atom what its tile comes to.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/marked_tiles.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// Shared memory of a round whose lanes learn from later ones.
template <class Block, class Value>
struct totals_storage : marked_storage<Block, Value> {
  group_storage<Block, Value> later;
};

/// Sums the tiles that end in a round (`put_round`), and puts what a tile comes to at the places of
/// all its atoms; of those behind the last end, nothing. `head` gets what the round has of the
/// first tile that ends in it, `tail` what it leaves open, each on one lane. Lanes: a whole block.
/// Sync: three barriers, the last at the end.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Combine, class Head, class Tail>
LOOPS_HD void put_totals(const Group& g, Storage& shared, int tiles, const Combine& combine,
                         const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int items = Storage::items;
  constexpr int wave = block_type::wave;
  constexpr int waves = block_type::threads / wave;
  const Value none = combine.template identity<Value>();
  const int rank = g.rank();
  const int lane = rank % wave;
  Value* const mine = shared.values.data() + rank * (items + 1);
  const auto marks = shared.marks_of(rank);
  Value open = none;
  int closed = -1;  // where the first tile ends
  LOOPS_UNROLL
  for (int k = items - 1; k >= 0; --k)
    if (marks.ends(k)) closed = k;
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    open = combine(open, mine[k]);
    if (marks.ends(k)) {
      mine[k] = open;
      open = none;
    }
  }
  const auto [before, total] = open_before_lanes(g, shared.scan, open, closed >= 0, combine);
  if (rank == 0) tail(total);
  Value first = none;
  if (closed >= 0) mine[closed] = first = combine(before, mine[closed]);
  // Atoms behind the last end of a lane belong to the first tile that ends on a later one.
  const std::uint64_t closing = g.block().ballot(closed >= 0);
  const std::uint64_t behind = closing >> lane >> 1;
  Value now = g.block().shuffle(first, behind != 0 ? lane + 1 + native::lowest_bit(behind) : lane);
  const Value first_of_wave =
      g.block().shuffle(first, closing != 0 ? native::lowest_bit(closing) : 0);
  if (lane == 0) {
    shared.later.value[rank / wave] = first_of_wave;
    shared.later.flag[rank / wave] = closing != 0;
  }
  g.sync();
  if (rank == 0)
    head(tiles > 0 && shared.ends[0] > 0 ? shared.values[Storage::place(shared.ends[0] - 1)]
                                         : none);
  bool found = behind != 0;
  LOOPS_UNROLL
  for (int i = 1; i < waves; ++i) {
    if (!found && i > rank / wave && shared.later.flag[i]) {
      now = shared.later.value[i];
      found = true;
    }
  }
  g.sync();  // the head has been read
  LOOPS_UNROLL
  for (int k = items - 1; k >= 0; --k) {
    if (marks.ends(k)) now = mine[k];
    mine[k] = now;
  }
  g.sync();
}

/// Takes slices that a round holds, a block each: tells the atoms of tiles that lie in one slice,
/// and leaves the parts of the others.
template <class Bound, class Value, class Map, class Combine, class Emit>
struct total_short_slices {
  Bound bound;
  Map map;
  Combine combine;
  Emit emit;
  Value* heads;
  Value* tails;

  static constexpr int wanted_lanes = slice_lanes<sizeof(Value)>;

  template <class Block>
  struct storage {
    totals_storage<Block, Value> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    auto& work = shared.work;
    const group<Block, Block::threads> g(block);
    const auto& w = bound.w;
    const std::int64_t s = block.id();
    const slice range = bound.at(s);
    const coordinate& at = range.begin;
    const int tiles = static_cast<int>(range.end.tile - at.tile);
    put_round<Value>(g, work, w, at, range.end, map, combine);
    put_totals<Value>(
        g, work, tiles, combine, [&](const Value& v) { heads[s] = v; },
        [&](const Value& v) { tails[s] = v; });
    if (tiles == 0) return;
    const bool begun = at.atom > w.offset(at.tile);
    const int first = begun ? work.ends[0] : 0;
    const int last = work.ends[tiles - 1];
    LOOPS_UNROLL
    for (int k = 0; k < Block::items; ++k) {
      const int i = g.rank() + k * Block::threads;
      if (i < first || i >= last) continue;
      const std::int64_t tile = at.tile + work.tile_of(tiles, i);
      emit(tile_id(w, tile), atom_id(w, tile, at.atom + i), map_atom(w, map, tile, at.atom + i),
           work.values[marked_storage<Block, Value>::place(i)]);
    }
  }
};

/// Tells the atoms of tiles that were cut, a wave for each slice.
template <class Bound, class Value, class Map, class Emit>
struct tell_cut_tiles {
  Bound bound;
  Map map;
  Emit emit;
  const Value* totals;

  static constexpr int wanted_lanes = 0;
  template <class Block>
  struct storage {};

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const group<Block, Block::wave> g(block);
    const auto& w = bound.w;
    const std::int64_t s = block.id() * (Block::threads / Block::wave) + g.index();
    slice range{};
    if (s < bound.a.slices) range = bound.at(s);
    const auto [at, end] = range;
    const bool begun = at.tile < w.tiles() && at.atom > w.offset(at.tile);
    // Two stretches: of the tile that the slice begins inside of, and of the one that it leaves
    // open. Each is the whole slice where they are the same tile.
    const std::int64_t closed = at.tile < end.tile ? w.offset(at.tile + 1) : end.atom;
    const std::int64_t left =
        at.tile < end.tile && end.tile < w.tiles() ? w.offset(end.tile) : end.atom;
    block.await_previous();
    if (begun) tell(g, at.tile, at.atom, closed);
    if (at.tile < end.tile) {
      tell(g, end.tile, left, end.atom);
    } else if (!begun) {
      tell(g, at.tile, at.atom, end.atom);
    }
  }

 private:
  LOOPS_CALLS_USER
  template <class Group>
  LOOPS_HD void tell(const Group& g, std::int64_t tile, std::int64_t first,
                     std::int64_t last) const {
    if (first >= last) return;
    const auto& w = bound.w;
    const Value total = totals[tile_id(w, tile)];
    LOOPS_ROLLED
    for (std::int64_t a = first + g.rank(); a < last; a += g.size())
      emit(tile_id(w, tile), atom_id(w, tile, a), map_atom(w, map, tile, a), total);
  }
};

/// Tells an atom, where totals lie in memory.
template <class Work, class Value, class Map, class Emit>
struct tell_atom {
  Map map;
  Emit emit;
  const Value* totals;
  LOOPS_CALLS_USER
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    if constexpr (maps_atoms<Map>) {
      emit(tile, atom, map(atom), totals[tile]);
    } else {
      emit(tile, atom, map(tile, atom), totals[tile]);
    }
  }
};

template <class Value, class Plan, class Map, class Combine, class Emit>
void run_to_atoms(const Plan& p, Value* totals, const Map& map, const Combine& combine,
                  const Emit& emit) {
  using bound_type = typename Plan::bound_type;
  using shape = typename Plan::shape_type;
  const bound_type& b = p.bound_schedule();
  if (b.w.atoms() == 0) return;
  if constexpr (Plan::may_carry && sizeof(Value) <= 16) {
    if (p.carries().words) {
      using block = typename Plan::executor_type::template block<shape>;
      using reduction = detail::reduction<Value, Map, Combine, store_in<Value>>;
      const use_of guard(p);
      const auto [heads, tails] = p.template parts<Value>();
      p.executor().template launch<shape>(p.blocks(),
                                          total_short_slices<bound_type, Value, Map, Combine, Emit>{
                                              b, map, combine, emit, heads, tails});
      if (b.a.slices == 1) return;
      p.executor().template launch_early<shape>(
          ceil_div(b.a.slices, std::int64_t{block::threads} * block::batch),
          join_slices<bound_type, reduction>{b, {map, combine, {totals}}, {heads, tails}});
      return p.executor().template launch_early<shape>(
          ceil_div(b.a.slices, std::int64_t{block::threads / block::wave}),
          tell_cut_tiles<bound_type, Value, Map, Emit>{b, map, emit, totals});
    }
  }
  reduce_tiles<Value>(p, map, combine, store_in<Value>{totals});
  for_each_atom(p, tell_atom<typename Plan::work_type, Value, Map, Emit>{map, emit, totals});
}

}  // namespace detail

/// For every atom calls `emit(tile, atom, value, total)` exactly once: what `map(atom)`, or
/// `map(tile, atom)`, says of it, and the combination of that over its tile. `map` is pure: it is
/// asked about an atom more than once. `combine` is as for `reduce_tiles`, and so are the promises.
/// `totals` is room for a value per tile, those of the base for a selection; what is in it
/// afterwards is not said. Cost: where blocks hold their slices, one read of the atoms, and two
/// small kernels for the tiles that slices cut, whose atoms are read again; else two reads.
template <class Value, class... P, class Map, class Combine, class Emit>
void reduce_to_atoms(const tile_plan<P...>& p, Value* totals, const Map& map,
                     const Combine& combine, const Emit& emit) {
  detail::run_to_atoms(p, totals, map, combine, emit);
}

/// The same over a plan whose schedule was chosen.
template <class Value, class Exec, work Work, class V, class Shape, class Map, class Combine,
          class Emit>
void reduce_to_atoms(const tile_plan<Exec, schedule::automatic, Work, V, Shape>& p, Value* totals,
                     const Map& map, const Combine& combine, const Emit& emit) {
  std::visit([&](const auto& chosen) { reduce_to_atoms(chosen, totals, map, combine, emit); },
             p.chosen());
}

}  // namespace loops
