// SPDX-License-Identifier: Apache-2.0
/// Combines the shares of every atom: what several lanes compute of it together.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/bundles.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/spread_atoms.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace loops {

namespace detail {

/// What all shares of an atom have in common: what the map says, or which atom it is.
template <class Map>
LOOPS_HD auto common_of(const Map& map, std::int64_t atom) {
  if constexpr (requires { map.common(atom); }) {
    return map.common(atom);
  } else {
    return atom;
  }
}

/// Bundles of a group take atoms of its slice in batches of neighbours. Members of a bundle read
/// what is common to the shares of an atom each, hand it round, and emit an atom each. All lanes of
/// a wave come to every turn, for members combine what they found by shuffles.
template <class Bound, int Width, class Map, class Combine, class Emit>
struct reduce_shares_of_slices {
  using finder = tile_finder<typename Bound::work_type>;
  using tile_type = typename finder::tile_type;
  using common = decltype(common_of(std::declval<const Map&>(), std::int64_t{}));
  using of_tile = std::remove_cvref_t<decltype(std::declval<const Map&>().of_tile(0, 0))>;
  using of_atom = std::remove_cvref_t<decltype(std::declval<const Map&>().of_atom(
      0, std::declval<const common&>()))>;
  using sum = std::remove_cvref_t<decltype(std::declval<const Map&>()(
      0, std::declval<const of_tile&>(), std::declval<const of_atom&>()))>;
  static constexpr bool single = std::is_same_v<typename Bound::measure_type, measure::one_tile>;
  /// Lanes of a worker that are known here, or 0.
  template <class Block, class Who = typename Bound::worker_type>
  static constexpr int fixed_lanes = std::is_same_v<Who, worker::block>  ? Block::threads
                                     : std::is_same_v<Who, worker::lane> ? 1
                                                                         : 0;
  /// Atoms on their way at a time.
  static constexpr int at_once = 2;
  static constexpr int batch = Width > at_once ? Width : at_once;
  /// Of a batch, what a member reads: several where a lane is alone, all of them on their way.
  static constexpr int held = batch / Width;
  static_assert(held == 1 || (held == at_once && Width == 1));
  /// What is held of atoms and a tile should fit registers; small maps take what they take.
  static constexpr int wanted_lanes = sizeof(of_tile) + at_once * sizeof(of_atom) > 96 ? 1024 : 0;
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
        range = bound.at_once(v.number);
      }
      take(g, range);
    });
  }

 private:
  LOOPS_CALLS_USER
  template <class Group>
  LOOPS_HD void take(const Group& g, const slice& range) const {
    const auto& bundle = g.block();
    const int member = member_of(bundle);
    const std::int64_t end = range.end.atom;
    finder find(bound.w, range.begin.tile, range.end.tile);
    auto tile = static_cast<tile_type>(-1);
    of_tile x{};
    const std::int64_t atoms = end - range.begin.atom;
    int each = batch;
    if (atoms < std::int64_t{batch} * g.size()) each = static_cast<int>(ceil_div(atoms, g.size()));
    for (std::int64_t base = range.begin.atom; any_in_wave(bundle, base < end);
         base += std::int64_t{batch} * g.size()) {
      const std::int64_t first = base + g.rank() * each;
      const int mine = first >= end ? 0 : end - first < each ? static_cast<int>(end - first) : each;
      tile_type tiles[held] = {};
      common commons[held] = {};
      sum sums[held] = {};
      LOOPS_UNROLL
      for (int h = 0; h < held; ++h) {
        // Who has no atom left reads the last one, as others do; and the first of all who has none.
        const int i = member + h * Width;
        const std::int64_t next = first + (i < each ? i : each - 1);
        const std::int64_t at = atoms <= 0 ? 0 : next < end ? next : end - 1;
        tiles[h] = atoms > 0 ? find(bound.w, at) : finder(bound.w, 0, bound.w.tiles())(bound.w, 0);
        commons[h] = common_of(map, atom_id(bound.w, tiles[h], at));
      }
      for (int turn = 0; turn < Width && any_in_wave(bundle, turn < mine); turn += at_once) {
        tile_type now[at_once];
        of_atom y[at_once];
        LOOPS_UNROLL
        for (int u = 0; u < at_once; ++u) {
          const int from = (turn + u) & (Width - 1);
          now[u] = from_member(bundle, tiles[u & (held - 1)], from);
          y[u] = map.of_atom(share, from_member(bundle, commons[u & (held - 1)], from));
        }
        LOOPS_UNROLL
        for (int u = 0; u < at_once; ++u) {
          if (now[u] != tile) {
            tile = now[u];
            x = map.of_tile(share, tile_id(bound.w, tile));
          }
          const sum value = bundle.reduce_members(map(share, x, y[u]), combine);
          if (member == ((turn + u) & (Width - 1))) sums[u & (held - 1)] = value;
        }
      }
      LOOPS_UNROLL
      for (int h = 0; h < held; ++h)
        if (member + h * Width < mine)
          emit(atom_id(bound.w, tiles[h], first + member + h * Width), sums[h]);
    }
  }
};

}  // namespace detail

/// For every atom calls `emit(atom, value)` exactly once, with the combination over the shares s,
/// 0 … Width - 1, of `map(s, map.of_tile(s, tile), map.of_atom(s, atom))`. `reduce_wide` combines
/// the atoms of a tile, share by share; this combines the shares of an atom. Shares are held by the
/// members of a bundle of `Width` lanes: what is told apart by the share should lie side by side in
/// memory. `of_tile` is asked for once for as long as the atoms of a bundle stay in their tile. A
/// map may have `common(atom)`, what all shares need of an atom: it is asked for once, of one
/// member, and `of_atom(s, common)` is told it in place of the atom. Atoms are read more than once
/// where that fills a turn. Any schedule; on the same device the same bits, for what is combined
/// does not depend on it.
template <class Exec, int Width, class... P, class Map, class Combine, class Emit>
void reduce_shares(const tile_plan<bundle_executor<Exec, Width>, P...>& p, const Map& map,
                   const Combine& combine, const Emit& emit) {
  using plan_type = tile_plan<bundle_executor<Exec, Width>, P...>;
  using bound_type = typename plan_type::bound_type;
  require(p.executor().copies() == 1, errc::invalid_argument,
          "reduce_shares: a bundle holds all shares of an atom");
  const bound_type& b = p.bound_schedule();
  if (b.w.atoms() == 0) return;
  const detail::use_of guard(p);
  p.executor().template launch<typename plan_type::shape_type>(
      p.blocks(), detail::reduce_shares_of_slices<bound_type, Width, Map, Combine, Emit>{
                      b, map, combine, emit});
}

/// The same over a plan whose schedule was chosen.
template <class Exec, int Width, work Work, class V, class Shape, class Map, class Combine,
          class Emit>
void reduce_shares(
    const tile_plan<bundle_executor<Exec, Width>, schedule::automatic, Work, V, Shape>& p,
    const Map& map, const Combine& combine, const Emit& emit) {
  std::visit([&](const auto& chosen) { reduce_shares(chosen, map, combine, emit); }, p.chosen());
}

}  // namespace loops
