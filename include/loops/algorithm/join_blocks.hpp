// SPDX-License-Identifier: Apache-2.0
/// Blocks that come last in a launch and emit the tiles that slices have cut.
#pragma once

#include "loops/algorithm/post.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::detail {

/// Emits every tile that was cut and is closed by one of this block's slices, of which each lane
/// has one: block `bound.a.slices` has the first of them. Waits for the parts, which earlier blocks
/// of the launch send: those of a tile left open come in `boxes`, the last one in `boxes.heads`. A
/// tile in many parts is joined by a wave.
LOOPS_CALLS_USER
template <class Value, class Block, class Bound, class Reduction>
LOOPS_HD void join_as_last(Block& block, const Bound& bound, const Reduction& r,
                           const post& boxes) {
  constexpr std::int64_t few = 4;
  const std::int64_t s = (block.id() - bound.a.slices) * Block::threads + block.lane();
  std::int64_t begun = s < bound.a.slices ? boxes.begun[s] : -1;
  std::int64_t tile = 0;
  if (begun >= 0) {
    const slice range = bound.at(s);
    tile = range.begin.tile;
    if (tile == range.end.tile) begun = -1;  // the tile stays open
  }
  const bool many = s - begun > few;
  Value open = r.combine.template identity<Value>();
  if (begun >= 0 && !many) open = collect<Value>(block, boxes, begun, s, 1, r.combine);
  const int rank = block.lane() & (Block::wave - 1);
  std::uint64_t left = block.ballot(begun >= 0 && many);
  while (left != 0) {
    const int lane = native::lowest_bit(left);
    left &= left - 1;
    const std::int64_t first = block.shuffle(begun, lane);
    const std::int64_t last = block.shuffle(s, lane);
    Value sum = collect<Value>(block, boxes, first + rank, last, Block::wave, r.combine);
    sum = reduce_in_wave(block, sum, Block::wave, r.combine);
    if (rank == lane) open = sum;
  }
  if (begun >= 0)
    r.emit(tile_id(bound.w, tile),
           r.combine(open, collect<Value>(block, boxes.of_heads(), s, s + 1, 1, r.combine)));
}

}  // namespace loops::detail
