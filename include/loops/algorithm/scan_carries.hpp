// SPDX-License-Identifier: Apache-2.0
/// What is open where slices of a scan begin, where blocks do not tell each other: two launches.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/scan_neighbours.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::detail {

/// A scan of which nobody asks what it comes to on its way.
struct emit_nothing {
  template <class Value>
  LOOPS_HD void operator()(std::int64_t, std::int64_t, const Value&, const Value&) const {}
};

/// What every slice leaves open: of the tile in which it ends, the atoms that it has.
template <class Bound, class Value, class Map, class Combine>
struct open_tails {
  Bound bound;
  Map map;
  Combine combine;
  Value* tails;

  static constexpr bool by_block = std::is_same_v<typename Bound::worker_type, worker::block>;

  template <class Block>
  using storage = neighbour_storage<Block, Value>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      slice range{};
      if (v.valid) range = bound.at(v.number);
      std::int64_t first = range.end.atom;
      if (range.end.tile < bound.w.tiles()) {
        const std::int64_t begun = bound.w.offset(range.end.tile);
        first = begun > range.begin.atom ? begun : range.begin.atom;
      }
      const group<Block, by_block ? Block::threads : 0> g(block, v.lanes);
      const slice last{{range.end.tile, first}, range.end};
      const Value open = scan_neighbours(g, shared.scan, bound.w, last, map, combine,
                                         emit_nothing{}, combine.template identity<Value>());
      if (range.begin != range.end && g.rank() == 0) tails[v.number] = open;
    });
  }
};

/// One block turns what every slice leaves open into what is open where it begins.
template <class Bound, class Value, class Combine>
struct carry_over {
  Bound bound;
  Combine combine;
  Value* carries;
  const Value* tails;

  static constexpr int lanes = 512;
  /// Slices of a lane, all of them on their way.
  static constexpr int each = sizeof(Value) <= 16 ? 8 : 1;

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
    for (std::int64_t base = 0; base < slices; base += std::int64_t{each} * Block::threads) {
      const std::int64_t first = base + std::int64_t{block.lane()} * each;
      Value left[each];
      bool closes[each];
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const slice s = first + k < slices ? bound.at(first + k) : slice{};
        left[k] = s.begin != s.end ? tails[first + k] : none;
        closes[k] = s.begin.tile < s.end.tile;
      }
      bool closed = false;
      const Value mine = left_open(left, closes, combine, closed);
      const auto scanned = g.scan_open(mine, closed, open, combine, shared.scan);
      Value before = scanned.before;
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        if (first + k >= slices) break;
        carries[first + k] = before;
        before = combine(native::pick(closes[k], none, before), left[k]);
      }
      open = scanned.total;
      block.sync();
    }
  }
};

/// What slices leave open, and from that what is open where each begins, in `carries`.
template <class Value, class Plan, class Map, class Combine>
void find_carries(const Plan& p, const Map& map, const Combine& combine, Value* carries,
                  Value* tails) {
  using bound_type = typename Plan::bound_type;
  using shape_type = typename Plan::shape_type;
  using block = typename Plan::executor_type::template block<shape_type>;
  const bound_type& b = p.bound_schedule();
  bound_type open = b;
  if constexpr (bound_type::long_first) open = b.only_pieces(block::threads / block::wave);
  p.executor().template launch<shape_type>(
      p.blocks(), open_tails<bound_type, Value, Map, Combine>{open, map, combine, tails});
  using carry = carry_over<bound_type, Value, Combine>;
  p.executor().template launch<shape<carry::lanes, 1>>(1, carry{b, combine, carries, tails});
}

}  // namespace loops::detail
