// SPDX-License-Identifier: Apache-2.0
/// Scans the atoms of every tile: for each, what the atoms before it in its tile come to.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/carry_tree.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_carries.hpp"
#include "loops/algorithm/scan_neighbours.hpp"
#include "loops/algorithm/scan_round.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// A CPU scans a slice atom after atom. `open`: what the tile with which it begins comes to before.
LOOPS_CALLS_USER
template <class Value, class Work, class Map, class Combine, class Emit>
LOOPS_HD void scan_in_order(const Work& w, const slice& range, const Map& map,
                            const Combine& combine, const Emit& emit, Value open) {
  std::int64_t a = range.begin.atom;
  for (std::int64_t t = range.begin.tile; a < range.end.atom; ++t) {
    const std::int64_t next = w.offset(t + 1);
    const std::int64_t stop = next < range.end.atom ? next : range.end.atom;
    while (a < stop) {
      const Value through = combine(open, Value(map_atom(w, map, t, a)));
      emit(tile_id(w, t), atom_id(w, t, a), open, through);
      open = through;
      ++a;
    }
    open = combine.template identity<Value>();
  }
}

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
  using storage = neighbour_storage<Block, Value>;

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
      Value open = combine.template identity<Value>();
      if constexpr (splits) {
        if (v.valid && v.number < bound.slices_with_parts()) open = carries[v.number];
      }
      if constexpr (Block::threads == 1) {
        if (v.valid) scan_in_order(bound.w, range, map, combine, emit, open);
      } else {
        const group<Block, by_block ? Block::threads : 0> g(block, v.lanes);
        (void)scan_neighbours(g, shared.scan, bound.w, range, map, combine, emit, open);
      }
    });
  }
};

/// Scans slices of blocks, each from what is open where it begins, round by round.
template <class Bound, class Value, class Map, class Combine, class Emit>
struct scan_slices_in_rounds {
  Bound bound;
  Map map;
  Combine combine;
  Emit emit;
  const Value* carries;

  static constexpr int wanted_lanes = slice_lanes<sizeof(Value)>;

  template <class Block>
  struct storage {
    visit_storage visit;
    scan_storage<Block, Value> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const slice range = bound.at(v.number);
      Value open = carries[v.number];
      for (coordinate at = range.begin; at != range.end;) {
        const coordinate next = next_stop(bound.w, at, range.end, Block::threads * Block::items);
        const bool closes = at.tile < next.tile;
        scan_round<Value>(g, shared.work, bound.w, at, next, map, combine, emit,
                          [&](const Value& left) {
                            const Value in = open;
                            open = closes ? left : combine(open, left);
                            return in;
                          });
        at = next;
        g.sync();
      }
    });
  }
};

/// The same in one launch, for slices that one round holds, a block each: what is open where a
/// slice begins comes from the blocks before it.
template <class Bound, class Value, class Map, class Combine, class Emit>
struct scan_short_slices {
  Bound bound;
  Map map;
  Combine combine;
  Emit emit;
  carry_tree tree;

  static constexpr int wanted_lanes = slice_lanes<sizeof(Value)>;
  static constexpr bool waits_for_blocks = true;

  template <class Block>
  struct storage {
    scan_storage<Block, Value> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const carried<Block, Value> others(block, tree, block.id());
    const auto& w = bound.w;
    const slice range = bound.at(block.id());
    const coordinate& at = range.begin;
    const bool inside = at != range.end && at.tile < w.tiles() && at.atom > w.offset(at.tile);
    scan_round<Value>(g, shared.work, w, at, range.end, map, combine, emit, [&](const Value& open) {
      if (g.rank() == 0) others.send(open);
      if (!inside) return combine.template identity<Value>();
      if (g.rank() < Block::wave) {
        const Value in =
            others.collect(bound.a.slice_of(w, at.tile), at.tile == range.end.tile, open, combine);
        if (g.rank() == 0) shared.work.carry[0] = in;
      }
      g.sync();
      return shared.work.carry[0];
    });
  }
};

/// Launches the kernel of a scan, and where slices cut tiles, and do not tell each other, the two
/// before it.
template <class Value, class Plan, class Map, class Combine, class Emit>
void run_scan(const Plan& p, const Map& map, const Combine& combine, const Emit& emit) {
  using bound_type = typename Plan::bound_type;
  using shape_type = typename Plan::shape_type;
  using block = typename Plan::executor_type::template block<shape_type>;
  constexpr bool splits = bound_type::measure_type::splits_tiles;
  constexpr bool in_rounds = splits && block::threads > 1 && sizeof(Value) <= 16 &&
                             std::is_same_v<typename bound_type::worker_type, worker::block>;
  require_lanes_alone<Plan>();
  const bound_type& b = p.bound_schedule();
  if (b.w.atoms() == 0) return;
  const use_of guard(p);
  const auto [carries, tails] = p.template parts<Value>();
  if constexpr (in_rounds && Plan::may_carry) {
    if (p.carries().words) {
      const scan_short_slices<bound_type, Value, Map, Combine, Emit> kernel{b, map, combine, emit,
                                                                            p.carries()};
      if (p.joiner() == joiner::closing_slice && short_items<shape_type>(b.a.step) == few_items)
        return p.executor().template launch<short_shape<shape_type, few_items>>(p.blocks(), kernel);
      return p.executor().template launch<shape_type>(p.blocks(), kernel);
    }
  }
  if constexpr (splits) {
    if (b.slices_with_parts() > 0) find_carries<Value>(p, map, combine, carries, tails);
  }
  using kernel =
      std::conditional_t<in_rounds, scan_slices_in_rounds<bound_type, Value, Map, Combine, Emit>,
                         scan_slices<bound_type, Value, Map, Combine, Emit>>;
  p.executor().template launch<shape_type>(p.blocks(), kernel{b, map, combine, emit, carries});
}

}  // namespace detail

/// Plans `schedule` over `w` for scans of values of up to `sizeof(Value)` bytes. `automatic` is
/// `merge_path` here: the time of its scan hardly depends on the tiles, so there is nothing to ask.
template <class Value = double, class Exec, class Schedule, work Work>
auto plan_scan(const Exec& exec, const Schedule& schedule, const Work& w,
               reuse uses = reuse::many_times) {
  if constexpr (std::is_same_v<Schedule, schedule::automatic>) {
    return plan<Value>(exec, schedule::merge_path{}, w, uses);
  } else {
    return plan<Value>(exec, schedule, w, uses);
  }
}

/// As below, with everything prepared by `plan_scan`, or `plan`.
template <class Value = void, class... P, class Map, class Combine, class Emit>
void scan_tiles(const tile_plan<P...>& p, const Map& map, const Combine& combine,
                const Emit& emit) {
  using value = typename detail::value_of<Value, Map>::type;
  if constexpr (detail::can_reduce<value, Map, Combine> &&
                detail::can_emit<Emit, std::int64_t, std::int64_t, value, value>)
    detail::run_scan<value>(p, map, combine, emit);
}

/// For every atom of `w` calls `emit(tile, atom, before, through)` exactly once: the combination of
/// `map(atom)`, or `map(tile, atom)`, over the atoms of its tile before it, and through it.
/// `combine` is associative, need not be commutative, and has `identity<Value>()`: values meet in
/// the order of atoms. The promises are those of `reduce_tiles`. A work of one tile gives a plain
/// scan. Cost: one kernel and one read of the atoms, where a block holds every slice (`merge_path`
/// on a GPU) or the schedule cuts no tile; else a pass before it over the atoms that slices
/// leave open, and one block that goes over the slices. `map` is asked about these twice then.
template <class Value = void, class Exec, class Schedule, work Work, class Map, class Combine,
          class Emit>
void scan_tiles(const Exec& exec, const Schedule& schedule, const Work& w, const Map& map,
                const Combine& combine, const Emit& emit) {
  using value = typename detail::value_of<Value, Map>::type;
  scan_tiles<value>(plan_scan<value>(exec, schedule, w, reuse::once), map, combine, emit);
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
