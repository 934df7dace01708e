// SPDX-License-Identifier: Apache-2.0
/// Visits every atom once.
#pragma once

#include "loops/algorithm/early.hpp"
#include "loops/algorithm/for_each_tile.hpp"
#include "loops/algorithm/spread_atoms.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// Calls the caller's function, with the block in front where it asks for that.
LOOPS_CALLS_USER
template <class Block, class F>
LOOPS_HD void call_with_atom([[maybe_unused]] Block& block, const F& f, std::int64_t tile,
                             std::int64_t atom) {
  if constexpr (std::is_invocable_v<const F&, Block&, std::int64_t, std::int64_t>) {
    f(block, tile, atom);
  } else {
    f(tile, atom);
  }
}

/// The lanes of a group share a piece by striding over it.
template <class Work, class F>
struct call_with_atoms {
  Work w;
  F f;
  LOOPS_CALLS_USER
  template <class Group>
  LOOPS_HD void operator()(std::int64_t t, atom_range atoms, const Group& g) const {
    if constexpr (reads_first<F>) {
      spread_atoms_of_tile(g, w, t, atoms, f);
    } else {
      for (std::int64_t a = atoms.first + g.rank(); a < atoms.last; a += g.size())
        call_with_atom(g.block(), f, tile_id(w, t), atom_id(w, t, a));
    }
  }
};

/// Slices of many tiles are spread over the lanes of their group.
template <class Bound, class F>
struct visit_atoms {
  Bound bound;
  F f;
  /// Lanes of a worker that are known here, or 0.
  template <class Block>
  static constexpr int fixed_lanes =
      std::is_same_v<typename Bound::worker_type, worker::block> ? Block::threads : 0;

  template <class Block>
  struct storage {
    visit_storage visit;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      if (!v.valid) return;
      if constexpr (reads_first<F>) {
        spread_atoms_ahead(group<Block, fixed_lanes<Block>>(block, v.lanes), bound.w,
                           bound.at_once(v.number), f);
      } else {
        spread_atoms(
            group<Block>(block, v.lanes), bound.w, bound.at_once(v.number),
            [&](std::int64_t tile, std::int64_t atom) { call_with_atom(block, f, tile, atom); });
      }
    });
  }
};

}  // namespace detail

/// As below, with everything prepared by `plan`.
template <class... P, class F>
void for_each_atom(const tile_plan<P...>& p, const F& f) {
  using plan_type = tile_plan<P...>;
  using bound_type = typename plan_type::bound_type;
  detail::require_lanes_alone<plan_type>();
  const bound_type& b = p.bound_schedule();
  if (b.w.atoms() == 0) return;
  const detail::use_of guard(p);
  using shape = typename plan_type::shape_type;
  const auto launch = [&p](const auto& kernel) {
    if constexpr (detail::starts_early<F>()) {
      p.executor().template launch_early<shape>(p.blocks(), detail::early{kernel});
    } else {
      p.executor().template launch<shape>(p.blocks(), kernel);
    }
  };
  if constexpr (std::is_same_v<typename bound_type::measure_type, measure::one_tile>) {
    using visitor = detail::call_with_atoms<typename plan_type::work_type, F>;
    launch(detail::visit_pieces<bound_type, visitor>{b, visitor{b.w, f}});
  } else {
    launch(detail::visit_atoms<bound_type, F>{b, f});
  }
}

/// Calls `f(tile, atom)`, or `f(block, tile, atom)`, exactly once for every atom of `w`, in no
/// particular order. The block is for its atomics: calls of one wave need not come together. An `f`
/// that has `of_tile(tile)` and `of_atom(atom)` is called with what these return,
/// `f(block, of_tile, of_atom)`: both only read, of several atoms before the first of the calls,
/// and of some more often than once. An `f` that says `starts_early` is launched while the kernel
/// in front of it drains, and called when that has ended.
template <class Exec, class Schedule, work Work, class F>
void for_each_atom(const Exec& exec, const Schedule& schedule, const Work& w, const F& f) {
  for_each_atom(plan(exec, schedule, w, reuse::once), f);
}

}  // namespace loops
