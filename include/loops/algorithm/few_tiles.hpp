// SPDX-License-Identifier: Apache-2.0
/// Whole tiles of a small work, a group of lanes each: a kernel of little code.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::detail {

/// Whether there is a kernel for few tiles: groups of lanes take them, and the map says how much it
/// reads, and can ask for it.
template <class Block, class Bound, class Reduction>
inline constexpr bool may_be_few_tiles = [] {
  constexpr bool by_groups = std::is_same_v<typename Bound::measure_type, measure::one_tile> &&
                             std::is_same_v<typename Bound::worker_type, worker::group>;
  return Block::threads > 1 && by_groups && !Bound::order_type::by_arrival &&
         may_be_short<Reduction, typename Bound::work_type> &&
         knows_its_lines<decltype(Reduction::map)>;
}();

/// Does what `reduce_slices` does for works that are read from memory as fast as the kernel itself:
/// asks for everything at once where there is an instruction for it, and has one loop, with four
/// atoms of a lane under way. `Lanes` take a tile; 0: as many as the bound says, which costs a
/// little.
template <class Bound, class Reduction, int Lanes = 0>
struct reduce_few_tiles {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  static constexpr int wanted_lanes = sizeof(value_type) <= 4   ? 2048
                                      : sizeof(value_type) <= 8 ? 1536
                                                                : 0;

  /// Whether this is the kernel for a work: a small one, with a group for every tile.
  [[nodiscard]] static bool takes(const Bound& b, const Reduction& r) {
    constexpr std::int64_t most_lines = 32768;                  // 4 MB
    constexpr std::int64_t most_atoms = std::int64_t{1} << 30;  // counted in 32 bits
    return r.map.lines() <= most_lines && b.w.atoms() <= most_atoms && b.a.blocks == b.a.visits;
  }

  template <class Block>
  struct storage {
    group_storage<Block, value_type> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    fetch_lines(block, reduction.map);
    const group<Block, Lanes> g(block, Lanes > 0 ? Lanes : bound.a.lanes);
    const int lanes = g.size();
    const std::int64_t t = block.id() * (Block::threads / lanes) + g.index();
    const bool valid = t < bound.a.slices;
    const atom_range atoms = valid ? atoms_of(bound.w, t) : atom_range{};
    value_type sum = reduction.combine.template identity<value_type>();
    const int last = static_cast<int>(atoms.last);
    LOOPS_ROLLED
    for (int a = static_cast<int>(atoms.first) + g.rank(); a < last; a += 4 * lanes)
      sum = reduction.combine(sum, four<Block>(a, lanes, last));
    sum = g.reduce(sum, reduction.combine, shared.work);
    if (valid && g.rank() == 0) reduction.emit(tile_id(bound.w, t), sum);
  }

 private:
  /// Combines atom a with up to three more, a stride apart, below `last`; all are asked for before
  /// the first is waited for.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD value_type four(int a, int stride, int last) const {
    using map_type = decltype(Reduction::map);
    constexpr bool tested = native::tested_loads_overlap<Block> || !pure_map<map_type>;
    const auto& map = reduction.map;
    const value_type none = reduction.combine.template identity<value_type>();
    const auto has = [&](int k) { return k == 0 || a + k * stride < last; };
    const auto atom = [&](int k) { return tested || has(k) ? a + k * stride : last - 1; };
    value_type v[4];
    if constexpr (asks_first<map_type>) {
      decltype(map.ask(std::int64_t{0})) asked[4];
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        if (k > 0) asked[k] = asked[0];
        if (!tested || has(k)) asked[k] = map.ask(atom(k));
      }
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        v[k] = none;
        if (!tested || has(k)) v[k] = map.finish(asked[k]);
      }
    } else {
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        v[k] = none;
        if (!tested || has(k)) v[k] = map(atom(k));
      }
    }
    if constexpr (!tested) {
      LOOPS_UNROLL
      for (int k = 1; k < 4; ++k) v[k] = native::pick(has(k), native::computed_here(v[k]), none);
    }
    return reduction.combine(reduction.combine(v[0], v[1]), reduction.combine(v[2], v[3]));
  }
};

/// Calls `launch(kernel)` with the kernel of few tiles for as many lanes as take a tile of `b`.
template <int Lanes = 1, class Bound, class Reduction, class Launch>
void with_few_tiles(const Bound& b, const Reduction& r, const Launch& launch) {
  constexpr int most = 32;  // of a kernel of its own
  if constexpr (Lanes > most) {
    launch(reduce_few_tiles<Bound, Reduction>{b, r});
  } else if (b.a.lanes == Lanes) {
    launch(reduce_few_tiles<Bound, Reduction, Lanes>{b, r});
  } else {
    with_few_tiles<2 * Lanes>(b, r, launch);
  }
}

}  // namespace loops::detail
