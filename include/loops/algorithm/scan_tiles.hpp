// SPDX-License-Identifier: Apache-2.0
/// Scans the atoms of every tile: for each, what the atoms before it in its tile come to.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// For a pass over the slices that is after what they leave open, and not after tiles.
struct emit_nothing {
  template <class Value>
  LOOPS_HD void operator()(std::int64_t, const Value&) const {}
};

/// One block turns what every slice leaves open into what is open where it begins.
template <class Bound, class Value, class Combine>
struct carry_over {
  Bound bound;
  Combine combine;
  Value* carries;
  const Value* tails;

  template <class Block>
  struct storage {
    group_storage<Block, Value> scan;
  };
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const Value none = combine.template identity<Value>();
    Value open = none;
    const std::int64_t slices = bound.slices_with_parts();
    for (std::int64_t base = 0; base < slices; base += Block::threads) {
      const std::int64_t s = base + block.lane();
      const bool valid = s < slices;
      const slice mine = valid ? bound.at(s) : slice{};
      Value mine_open = none;
      if (mine.begin != mine.end) mine_open = tails[s];
      const auto scanned =
          g.scan_open(mine_open, mine.begin.tile < mine.end.tile, open, combine, shared.scan);
      if (valid) carries[s] = scanned.before;
      open = scanned.total;
      block.sync();
    }
  }
};

/// Scans slices, each from what is open where it begins.
template <class Bound, class Value, class Map, class Combine, class Emit>
struct scan_slices {
  Bound bound;
  Map map;
  Combine combine;
  Emit emit;
  const Value* carries;

  static constexpr bool splits = Bound::measure_type::splits_tiles;
  static constexpr bool single = std::is_same_v<typename Bound::measure_type, measure::one_tile>;
  static constexpr bool by_block = std::is_same_v<typename Bound::worker_type, worker::block>;

  template <class Block>
  struct storage {
    visit_storage visit;
    group_storage<Block, Value> scan;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      slice range{};
      if constexpr (single) {
        const atom_range atoms = v.valid ? atoms_of(bound.w, v.tile) : atom_range{};
        range = {{v.tile, atoms.first}, {v.tile + 1, atoms.last}};
      } else {
        if (v.valid) range = bound.at(v.number);
      }
      const group<Block, by_block ? Block::threads : 0> g(block, v.lanes);
      take(g, shared.scan, range, v.number, v.valid);
    });
  }

  LOOPS_CALLS_USER
  template <class Group, class Storage>
  LOOPS_HD void take(const Group& g, Storage& shared, const slice& range, std::int64_t number,
                     bool valid) const {
    const Value none = combine.template identity<Value>();
    const Work& w = bound.w;
    Value open = none;
    if constexpr (splits) {
      if (valid && number < bound.slices_with_parts()) open = carries[number];
    }
    std::int64_t tile = range.begin.tile;
    const std::int64_t high = range.end.tile < w.tiles() ? range.end.tile : w.tiles() - 1;
    for (std::int64_t base = range.begin.atom; g.any(base < range.end.atom); base += g.size()) {
      const std::int64_t a = base + g.rank();
      const bool mine = a < range.end.atom;
      if (mine) tile = first_where(tile, high, [&](std::int64_t t) { return w.offset(t + 1) > a; });
      const bool begins = mine && a == w.offset(tile);
      const Value value = mine ? Value(map_atom(w, map, tile, a)) : none;
      const auto scanned = g.scan_open(value, begins, open, combine, shared);
      if (mine) {
        const Value before = native::pick(begins, none, scanned.before);
        emit(tile_id(w, tile), atom_id(w, tile, a), before, combine(before, value));
      }
      open = scanned.total;
      g.sync();
    }
  }

 private:
  using Work = typename Bound::work_type;
};

}  // namespace detail

/// As below, with everything prepared by `plan`.
template <class Value = void, class... P, class Map, class Combine, class Emit>
void scan_tiles(const tile_plan<P...>& p, const Map& map, const Combine& combine,
                const Emit& emit) {
  using plan_type = tile_plan<P...>;
  using bound_type = typename plan_type::bound_type;
  using shape_type = typename plan_type::shape_type;
  using value = typename detail::value_of<Value, Map>::type;
  if constexpr (detail::can_reduce<value, Map, Combine> &&
                detail::can_emit<Emit, std::int64_t, std::int64_t, value, value>) {
    const bound_type& b = p.bound_schedule();
    if (b.w.atoms() == 0) return;
    const detail::use_of guard(p);
    const auto [carries, tails] = p.template parts<value>();
    if constexpr (bound_type::measure_type::splits_tiles) {
      using reduction = detail::reduction<value, Map, Combine, detail::emit_nothing>;
      p.executor().template launch<shape_type>(
          p.blocks(),
          detail::reduce_slices<bound_type, reduction>{b, {map, combine, {}}, {carries, tails}});
      p.executor().template launch<shape_type>(
          1, detail::carry_over<bound_type, value, Combine>{b, combine, carries, tails});
    }
    using kernel = detail::scan_slices<bound_type, value, Map, Combine, Emit>;
    p.executor().template launch<shape_type>(p.blocks(), kernel{b, map, combine, emit, carries});
  }
}

/// For every atom of `w` calls `emit(tile, atom, before, through)` exactly once: the combination of
/// `map(atom)`, or `map(tile, atom)`, over the atoms of its tile before it, and through it.
/// `combine` is as for `reduce_tiles`, and so are the promises. A work of one tile gives a plain
/// scan. Cost: one kernel, which searches the tile of every atom; when the schedule cuts tiles, one
/// more pass over the atoms before it, and one block that goes over the slices.
template <class Value = void, class Exec, class Schedule, work Work, class Map, class Combine,
          class Emit>
void scan_tiles(const Exec& exec, const Schedule& schedule, const Work& w, const Map& map,
                const Combine& combine, const Emit& emit) {
  using value = typename detail::value_of<Value, Map>::type;
  scan_tiles<value>(plan<value>(exec, schedule, w, reuse::once), map, combine, emit);
}

/// The same over a plan whose schedule was chosen.
template <class Value = void, class Exec, work Work, class V, class Shape, class Map, class Combine,
          class Emit>
void scan_tiles(const tile_plan<Exec, schedule::automatic, Work, V, Shape>& p, const Map& map,
                const Combine& combine, const Emit& emit) {
  std::visit([&](const auto& chosen) { scan_tiles<Value>(chosen, map, combine, emit); },
             p.chosen());
}

}  // namespace loops
