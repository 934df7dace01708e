// SPDX-License-Identifier: Apache-2.0
/// Tells every atom what its tile comes to.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"

#include <cstdint>

namespace loops {

namespace detail {

/// Tells an atom, where totals lie in memory.
template <class Value, class Map, class Emit>
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

}  // namespace detail

/// For every atom calls `emit(tile, atom, value, total)` exactly once: what `map(atom)`, or
/// `map(tile, atom)`, says of it, and the combination of that over its tile. So rows are
/// normalised, by their sum, their largest, or both. `map` is asked about an atom twice, with the
/// same answer. `combine` is as for `reduce_tiles`, and so are the promises; an `emit` may write
/// over what `map` reads of its own atom, and of no other. `totals` is room for a value per tile,
/// of the base for a selection, and holds the totals afterwards, of empty tiles the identity. Cost:
/// `reduce_tiles`, and `for_each_atom`, under one plan.
template <class Value, class... P, class Map, class Combine, class Emit>
void reduce_to_atoms(const tile_plan<P...>& p, Value* totals, const Map& map,
                     const Combine& combine, const Emit& emit) {
  reduce_tiles<Value>(p, map, combine, store_in<Value>{totals});
  for_each_atom(p, detail::tell_atom<Value, Map, Emit>{map, emit, totals});
}

/// The same, once; room for totals is allocated in stream order.
template <class Value, class Exec, class Schedule, work Work, class Map, class Combine, class Emit>
void reduce_to_atoms(const Exec& exec, const Schedule& schedule, const Work& w, const Map& map,
                     const Combine& combine, const Emit& emit) {
  const auto p = plan<Value>(exec, schedule, w, reuse::once);
  array<Value> totals(static_cast<std::size_t>(tile_ids(w)), exec.memory());
  reduce_to_atoms(p, totals.data(), map, combine, emit);
}

}  // namespace loops
