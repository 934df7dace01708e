// SPDX-License-Identifier: Apache-2.0
/// Slices that one round of a block holds: the kernel of small works.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/post.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"

#include <cstdint>

namespace loops::detail {

/// Does what `reduce_slice` does, for a slice of at most Block::threads * Block::items steps.
/// `begun_before`: it begins inside a tile.
/// Cost: one barrier, and a third of the code, which has to come from memory before it runs: for
/// works of few steps that is most of the time. Registers are few, so that many blocks run at once.
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
  std::uint16_t* const ends = shared.ends.data();
  const auto end_of = [&](int i) {
    return static_cast<std::uint16_t>(w.offset(at.tile + i + 1) - at.atom);
  };
  // Where registers allow, the first ends are asked for before the atoms and put down after them.
  constexpr int early = items <= few_items ? 2 : 0;
  std::uint16_t first[early + 1];
  LOOPS_UNROLL
  for (int k = 0; k < early; ++k)
    if (rank + k * lanes < tiles) first[k] = end_of(rank + k * lanes);
  if constexpr (early == 0)
    for (int i = rank; i < tiles; i += lanes) ends[i] = end_of(i);
  Value mapped[items];
  map_part_of_round(w, map, at.atom, rank, lanes, atoms, mapped);
  LOOPS_UNROLL
  for (int k = 0; k < items; ++k) {
    const int i = rank + k * lanes;
    if (i < atoms) shared.values.data()[Storage::padded(i)] = mapped[k];
  }
  if constexpr (early > 0) {
    LOOPS_UNROLL
    for (int k = 0; k < early; ++k)
      if (rank + k * lanes < tiles) ends[rank + k * lanes] = first[k];
    LOOPS_ROLLED
    for (int i = rank + early * lanes; i < tiles; i += lanes) ends[i] = end_of(i);
  }
  g.sync();
  sum_tiles(g, shared, 0, tiles + 1, atoms, combine.template identity<Value>(), combine, w, at.tile,
            begun_before, emit, head, tail);
}

/// Whether a reduction has a kernel for short slices: its atoms need no tile.
template <class Reduction, class Work>
inline constexpr bool may_be_short =
    !Reduction::wide && maps_atoms<decltype(Reduction::map)> && !renamed_work<Work>;

/// Takes slices that one round holds, one per block, and emits every tile. One that was cut is
/// emitted by the slice that closes it, when the others have sent their parts.
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
    round_storage<Block, value_type> work;
    uninitialized<value_type> last;  ///< the slice's own part of what it closes
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (native::fetches_ahead && knows_its_lines<decltype(Reduction::map)> &&
                  Block::items <= few_items) {
      constexpr std::int64_t few_lines = 8192;
      if (reduction.map.lines() <= few_lines) fetch_lines(block, reduction.map);
    }
    // Of many steps per lane, read again instead of kept: in between, registers are what decides.
    constexpr bool keeps = Block::items <= few_items;
    const group<Block, Block::threads> g(block);
    std::int32_t begun = boxes.begun[block.id()];
    const bool ends_inside = keeps && boxes.begun[block.id() + 1] >= 0;
    reduce_short_slice<value_type>(
        g, shared.work, bound.w, bound.at(block.id()), begun >= 0, reduction.map, reduction.combine,
        reduction.emit, [&](std::int64_t, const value_type& value) { shared.last[0] = value; },
        [&](const value_type& value) {
          if (keeps ? ends_inside : boxes.begun[block.id() + 1] >= 0)
            send(block, boxes, block.id(), value);
        });
    const std::int64_t s = native::recomputed(static_cast<int>(block.id()));
    if constexpr (!keeps) begun = boxes.begun[s];
    if (begun < 0 || g.rank() >= Block::wave) return;
    const slice range = bound.at(s);
    if (range.begin.tile == range.end.tile) return;
    value_type sum =
        collect<value_type>(block, boxes, begun + g.rank(), s, Block::wave, reduction.combine);
    LOOPS_ROLLED
    for (int d = Block::wave / 2; d > 0; d /= 2)
      sum = reduction.combine(sum, block.shuffle_xor(sum, d));
    if (g.rank() == 0)
      reduction.emit(tile_id(bound.w, range.begin.tile), reduction.combine(sum, shared.last[0]));
  }
};

}  // namespace loops::detail
