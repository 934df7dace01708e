// SPDX-License-Identifier: Apache-2.0
/// Visits every tile, in as many pieces as the schedule cuts it into.
#pragma once

#include "loops/algorithm/plan.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// Hands pieces of tiles to whoever the schedule says. `Visitor` is called as
/// visitor(tile, atoms, group), all lanes of the group together, groups without a piece not at all.
template <class Bound, class Visitor>
struct visit_pieces {
  Bound bound;
  Visitor visitor;

  static constexpr bool single = std::is_same_v<typename Bound::measure_type, measure::one_tile>;

  template <class Block>
  struct storage {
    visit_storage visit;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      if constexpr (single) {
        if (v.valid) visitor(v.tile, atoms_of(bound.w, v.tile), group<Block>(block, v.lanes));
      } else {
        if (v.valid) take(block, bound.at(v.number), v.lanes);
      }
    });
  }

  /// Cuts a slice once more, into an equal stretch of the path per lane.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void take(Block& block, const slice& range, int lanes) const {
    const group<Block> alone(block, 1);
    const std::int64_t rank = block.lane() & (lanes - 1);
    const std::int64_t share = ceil_div(range.steps(), lanes);
    const std::int64_t low = range.begin.diagonal() + rank * share;
    const std::int64_t end = range.end.diagonal();
    const std::int64_t high = low + share < end ? low + share : end;
    if (low >= high) return;
    coordinate at = place(low, range);
    const coordinate stop = place(high, range);
    for (; at.tile < stop.tile; ++at.tile) {
      const std::int64_t last = bound.w.offset(at.tile + 1);
      // A piece without atoms is a tile only when the tile has none.
      if (last > at.atom || at.atom == bound.w.offset(at.tile))
        visitor(at.tile, atom_range{at.atom, last}, alone);
      at.atom = last;
    }
    if (stop.atom > at.atom) visitor(at.tile, atom_range{at.atom, stop.atom}, alone);
  }

  [[nodiscard]] LOOPS_HD coordinate place(std::int64_t diagonal, const slice& range) const {
    if (diagonal <= range.begin.diagonal()) return range.begin;
    if (diagonal >= range.end.diagonal()) return range.end;
    return path_cut(bound.w, diagonal, range.begin.tile, range.end.tile);
  }
};

/// Tells the caller's function tiles and atoms under the names the work gives them.
template <class Work, class F>
struct call_with_tile {
  Work w;
  F f;
  LOOPS_CALLS_USER
  template <class Group>
  LOOPS_HD void operator()(std::int64_t t, atom_range atoms, const Group& g) const {
    if (atoms.size() == 0) {
      f(tile_id(w, t), atom_range{}, g);
      return;
    }
    const std::int64_t first = atom_id(w, t, atoms.first);
    f(tile_id(w, t), atom_range{first, first + atoms.size()}, g);
  }
};

}  // namespace detail

/// As below, with everything prepared by `plan`.
template <class... P, class F>
void for_each_tile(const tile_plan<P...>& p, const F& f) {
  using plan_type = tile_plan<P...>;
  using bound_type = typename plan_type::bound_type;
  using visitor = detail::call_with_tile<typename plan_type::work_type, F>;
  detail::require_lanes_alone<plan_type>();
  const bound_type& b = p.bound_schedule();
  if (b.w.tiles() == 0) return;
  const detail::use_of guard(p);
  p.executor().template launch<typename plan_type::shape_type>(
      p.blocks(), detail::visit_pieces<bound_type, visitor>{b, visitor{b.w, f}});
}

/// Calls `f(tile, atoms, group)` for pieces of tiles; the pieces of a tile are its atoms, each
/// once, and an empty tile is one empty piece. Schedules that do not cut tiles bring every tile in
/// one piece. Where atoms stand for others, those of a tile must stand for neighbours, as they do
/// in a selection. Lanes: all of `group` make the call; they share the piece by `group.rank()`.
/// Groups of the same wave or block have pieces of other sizes, or none, and then make no call. So
/// `f` may use barriers, shuffles and the collectives of the group only where it has no such
/// neighbours: where it is a whole wave (`wave_mapped`), a whole block (`block_mapped`), or one
/// lane.
template <class Exec, class Schedule, work Work, class F>
void for_each_tile(const Exec& exec, const Schedule& schedule, const Work& w, const F& f) {
  for_each_tile(plan(exec, schedule, w, reuse::once), f);
}

}  // namespace loops
