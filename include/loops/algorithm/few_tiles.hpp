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

/// Whether there is a kernel for few tiles: groups take them, and the map can ask for all it reads.
template <class Bound, class Reduction>
inline constexpr bool may_be_few_tiles =
    native::fetches_ahead&& may_be_short<Reduction, typename Bound::work_type>&&
        knows_its_lines<decltype(Reduction::map)>&&
            std::is_same_v<typename Bound::measure_type, measure::one_tile>&&
                std::is_same_v<typename Bound::worker_type, worker::group> &&
    !Bound::order_type::by_arrival;

/// Does what `reduce_slices` does for works that are read from memory as fast as the kernel itself:
/// asks for everything at once, and has one loop, with two atoms of a lane under way.
template <class Bound, class Reduction>
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
    const group<Block> g(block, bound.a.lanes);
    const std::int64_t t = block.id() * bound.a.groups + g.index();
    const bool valid = t < bound.a.slices;
    const atom_range atoms = valid ? atoms_of(bound.w, t) : atom_range{};
    const int lanes = g.size();
    value_type sum = reduction.combine.template identity<value_type>();
    const int last = static_cast<int>(atoms.last);
    LOOPS_ROLLED
    for (int a = static_cast<int>(atoms.first) + g.rank(); a < last; a += 2 * lanes)
      sum = reduction.combine(sum, two(a, a + lanes, a + lanes < last));
    sum = g.reduce(sum, reduction.combine, shared.work);
    if (valid && g.rank() == 0) reduction.emit(tile_id(bound.w, t), sum);
  }

 private:
  /// Atom a, combined with atom b, if there is one; their loads overlap.
  LOOPS_CALLS_USER
  LOOPS_HD value_type two(int a, int b, bool both) const {
    value_type second = reduction.combine.template identity<value_type>();
    if constexpr (asks_first<decltype(Reduction::map)>) {
      const auto asked = reduction.map.ask(a);
      auto asked_too = asked;
      if (both) asked_too = reduction.map.ask(b);
      const value_type first = reduction.map.finish(asked);
      if (both) second = reduction.map.finish(asked_too);
      return reduction.combine(first, second);
    } else {
      const value_type first = reduction.map(a);
      if (both) second = reduction.map(b);
      return reduction.combine(first, second);
    }
  }
};

}  // namespace loops::detail
