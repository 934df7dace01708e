// SPDX-License-Identifier: Apache-2.0
/// Combines the shares of every atom: what several lanes compute of it together.
#pragma once

#include "loops/algorithm/bundles.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/spread_atoms.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops {

namespace detail {

/// Bundles of a group stride over the atoms of its slice, some at a time. All lanes of a wave come
/// to every turn, for members of a bundle combine what they found by shuffles.
template <class Bound, class Map, class Combine, class Emit>
struct reduce_shares_of_slices {
  using of_tile = std::remove_cvref_t<decltype(std::declval<const Map&>().of_tile(0, 0))>;
  using of_atom = std::remove_cvref_t<decltype(std::declval<const Map&>().of_atom(0, 0))>;
  static constexpr bool single = std::is_same_v<typename Bound::measure_type, measure::one_tile>;
  /// Lanes of a worker that are known here, or 0.
  template <class Block, class Who = typename Bound::worker_type>
  static constexpr int fixed_lanes = std::is_same_v<Who, worker::block>  ? Block::threads
                                     : std::is_same_v<Who, worker::lane> ? 1
                                                                         : 0;
  /// What is held of atoms and a tile should fit registers; small maps take what they take.
  static constexpr int wanted_lanes = sizeof(of_tile) + 2 * sizeof(of_atom) > 96 ? 1024 : 0;
  static constexpr int at_once = 2;
  Bound bound;
  Map map;
  Combine combine;
  Emit emit;
  int share = 0;

  LOOPS_HD void take_share(int of, std::int64_t) { share = of; }

  template <class Block>
  struct storage {
    visit_storage visit;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const group<Block, fixed_lanes<Block>> g(block, v.lanes);
      slice range;
      if constexpr (single) {
        const atom_range all = v.valid ? atoms_of(bound.w, v.tile) : atom_range{};
        range = {{v.tile, all.first}, {v.tile, all.last}};
      } else if (v.valid) {
        range = bound.at(v.number);
      }
      take(g, range);
    });
  }

 private:
  LOOPS_CALLS_USER
  template <class Group>
  LOOPS_HD void take(const Group& g, const slice& range) const {
    const auto& bundle = g.block();
    const std::int64_t last = range.end.atom - 1;
    using finder = tile_finder<decltype(bound.w)>;
    using tile_type = typename finder::tile_type;
    finder find(bound.w, range.begin.tile, range.end.tile);
    auto tile = static_cast<tile_type>(-1);
    of_tile x{};
    std::int64_t mine = range.begin.atom + g.rank();
    while (g.any(mine - g.rank() <= last)) {
      tile_type tiles[at_once] = {};
      of_atom y[at_once] = {};
      if (mine - g.rank() <= last) {
        LOOPS_UNROLL
        for (int u = 0; u < at_once; ++u) {
          // Who has no atom left reads the last one, as others do.
          const std::int64_t next = mine + u * g.size();
          const std::int64_t at = next < last ? next : last;
          tiles[u] = find(bound.w, at);
          y[u] = map.of_atom(share, atom_id(bound.w, tiles[u], at));
        }
      }
      LOOPS_UNROLL
      for (int u = 0; u < at_once; ++u) {
        if (mine <= last && tiles[u] != tile) {
          tile = tiles[u];
          x = map.of_tile(share, tile_id(bound.w, tile));
        }
        const auto value = bundle.reduce_members(map(x, y[u]), combine);
        if (mine <= last && member_of(bundle) == 0) emit(atom_id(bound.w, tile, mine), value);
        mine += g.size();
      }
    }
  }
};

}  // namespace detail

/// For every atom calls `emit(atom, value)` exactly once, with the combination over the shares s,
/// 0 … Width - 1, of `map(map.of_tile(s, tile), map.of_atom(s, atom))`. `reduce_wide` combines
/// the atoms of a tile, share by share; this combines the shares of an atom. Shares are held by the
/// members of a bundle of `Width` lanes: what is told apart by the share should lie side by side in
/// memory. `of_tile` is asked for once for as long as the atoms of a bundle stay in their tile.
/// Any schedule; on the same device the same bits, for what is combined does not depend on it.
template <class Exec, int Width, class... P, class Map, class Combine, class Emit>
void reduce_shares(const tile_plan<bundle_executor<Exec, Width>, P...>& p, const Map& map,
                   const Combine& combine, const Emit& emit) {
  using plan_type = tile_plan<bundle_executor<Exec, Width>, P...>;
  using bound_type = typename plan_type::bound_type;
  require(p.executor().copies() == 1, errc::invalid_argument,
          "reduce_shares: a bundle holds all shares of an atom");
  const bound_type& b = p.bound_schedule();
  if (b.w.atoms() == 0) return;
  p.executor().template launch<typename plan_type::shape_type>(
      p.blocks(),
      detail::reduce_shares_of_slices<bound_type, Map, Combine, Emit>{b, map, combine, emit});
}

}  // namespace loops
