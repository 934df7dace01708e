// SPDX-License-Identifier: Apache-2.0
/// Slices that one round of a block holds: the kernel of small works.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/post.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <cstdint>

namespace loops::detail {

/// Does what `reduce_slice` does, for a slice of at most Block::threads * Block::items steps.
/// `begun_before`: it begins inside a tile.
/// Cost: one barrier, and a third of the code, which has to come from memory before it runs: for
/// works of few steps that is most of the time.
LOOPS_CALLS_USER
template <class Value, class Group, class Storage, class Work, class Map, class Combine, class Emit,
          class Head, class Tail>
LOOPS_HD void reduce_short_slice(const Group& g, Storage& shared, const Work& w, const slice& range,
                                 bool begun_before, const Map& map, const Combine& combine,
                                 const Emit& emit, const Head& head, const Tail& tail) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  constexpr int items = block_type::items;
  const int lanes = g.size();
  const int rank = g.rank();
  const coordinate at = range.begin;
  const int tiles = static_cast<int>(range.end.tile - at.tile);
  const int atoms = static_cast<int>(range.end.atom - at.atom);
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

/// Whether a reduction has a kernel for short slices: its atoms need no tile.
template <class Reduction, class Work>
inline constexpr bool may_be_short =
    !Reduction::wide && maps_atoms<decltype(Reduction::map)> && !renamed_work<Work>;

/// Takes short slices and emits every tile. One that was cut is emitted by the slice that closes
/// it, when the others have sent their parts.
template <class Bound, class Reduction>
struct reduce_short_slices {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  post boxes;

  static constexpr int wanted_lanes = slice_lanes<sizeof(value_type)>;
  static constexpr bool waits_for_blocks = true;

  template <class Block>
  struct storage {
    visit_storage visit;
    round_storage<Block, value_type> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (native::fetches_ahead && knows_its_lines<decltype(Reduction::map)>)
      fetch_lines(block, reduction.map);
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const group<Block, Block::threads> g(block);
      const std::int64_t s = v.number;
      const std::int32_t begun = boxes.begun[s];
      const bool ends_inside = boxes.begun[s + 1] >= 0;
      const slice range = bound.at(s);
      const bool closes = begun >= 0 && range.begin.tile < range.end.tile;
      value_type last{};  // on rank 0: the slice's own part of what it closes
      reduce_short_slice<value_type>(
          g, shared.work, bound.w, range, closes, reduction.map, reduction.combine, reduction.emit,
          [&](std::int64_t, const value_type& value) { last = value; },
          [&](const value_type& value) {
            if (ends_inside) send(block, boxes, s, value);
          });
      if (closes && g.rank() < Block::wave) {
        value_type sum =
            collect<value_type>(block, boxes, begun + g.rank(), s, Block::wave, reduction.combine);
        LOOPS_ROLLED
        for (int d = Block::wave / 2; d > 0; d /= 2)
          sum = reduction.combine(sum, block.shuffle_xor(sum, d));
        if (g.rank() == 0)
          reduction.emit(tile_id(bound.w, range.begin.tile), reduction.combine(sum, last));
      }
    });
  }
};

}  // namespace loops::detail
