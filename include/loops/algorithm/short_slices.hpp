// SPDX-License-Identifier: Apache-2.0
/// Slices that one round of a block holds: the kernel of small works.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <cstdint>

namespace loops::detail {

/// Does what `reduce_slice` does, for a slice of at most Block::threads * Block::items steps.
/// Cost: one barrier, and a third of the code, which has to come from memory before it runs: for
/// works of few steps that is most of the time.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void reduce_short_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                                 const Map& map, const Combine& combine, const Emit& emit,
                                 const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int items = block_type::items;
  const int lanes = g.size();
  const int rank = g.rank();
  const coordinate at = range.begin;
  const int tiles = static_cast<int>(range.end.tile - at.tile);
  const int atoms = static_cast<int>(range.end.atom - at.atom);
  const bool begun_before = tiles > 0 && at.atom > w.offset(at.tile);
  // Ends are asked for before the atoms and put down after them, so that one wait does for both.
  std::uint16_t ends[items];
  if (tiles > 0) {
    LOOPS_UNROLL
    for (int k = 0; k < items; ++k) {
      const int i = rank + k * lanes;
      ends[k] =
          static_cast<std::uint16_t>(w.offset(at.tile + (i < tiles ? i : tiles - 1) + 1) - at.atom);
    }
  }
  Value mapped[items];
  map_part_of_round(w, map, at.atom, rank, lanes, atoms, mapped);
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const int i = rank + k * lanes;
    if (i < atoms) shared.values.data()[Storage::padded(i)] = mapped[k];
    if (i < tiles) shared.ends.data()[i] = ends[k];
  }
  g.sync();
  sum_tiles(g, shared, 0, tiles + 1, atoms, combine.template identity<Value>(), combine, w, at.tile,
            begun_before, emit, head, tail);
}

/// Blocks whose slices are counted in path steps reach no further than their step, which the host
/// knows.
template <class Bound, class Reduction, class Block>
inline constexpr bool may_be_short =
    (Block::threads > 1) && (Block::items > 4) &&
    std::is_same_v<typename Bound::measure_type,
                   measure::path>&& std::is_same_v<typename Bound::worker_type, worker::block> &&
    !Reduction::wide && maps_atoms<decltype(Reduction::map)> &&
    !renamed_work<typename Bound::work_type>;

/// The shape of their kernel: less shared memory, more blocks at a time.
template <class Shape>
using short_shape = loops::shape<Shape::threads, 4>;

/// Takes short slices and emits every tile that lies in one slice.
template <class Bound, class Reduction>
struct reduce_short_slices {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  partials<Reduction> parts;

  static constexpr int wanted_lanes = sizeof(value_type) <= 4   ? 2048
                                      : sizeof(value_type) <= 8 ? 1536
                                                                : 0;

  template <class Block>
  struct storage {
    visit_storage visit;
    round_storage<Block, value_type> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const group<Block, Block::threads> g(block);
      reduce_short_slice<value_type>(
          g, shared.work, bound.w, bound.at(v.number), reduction.map, reduction.combine,
          reduction.emit,
          [&](std::int64_t, const value_type& value) { parts.heads[v.number] = value; },
          [&](const value_type& value) { parts.tails[v.number] = value; });
    });
  }
};

}  // namespace loops::detail
