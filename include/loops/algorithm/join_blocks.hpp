// SPDX-License-Identifier: Apache-2.0
/// Blocks that come last in a launch and emit the tiles that slices have cut.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/post.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::detail {

/// What slices first … last - 1 send, combined, a run for each `lanes` neighbouring lanes: on the
/// first of these, if they have one (`has`). A run of many is taken by the wave. Lanes: all of the
/// wave; `lanes` is a power of two that they agree on, and those with the same run know the same.
LOOPS_CALLS_USER
template <class Value, class Block, class Combine>
LOOPS_HD Value collect_runs(Block& block, const post& boxes, bool has, std::int64_t first,
                            std::int64_t last, int lanes, const Combine& combine) {
  constexpr std::int64_t few = 4;  // for a lane
  const bool many = last - first > few * lanes && lanes < Block::wave;
  const int rank = block.lane() & (Block::wave - 1);
  const int member = rank & (lanes - 1);
  Value sum = combine.template identity<Value>();
  if (has && !many) sum = collect<Value>(block, boxes, first + member, last, lanes, combine);
  sum = reduce_in_wave(block, sum, lanes, combine);
  std::uint64_t left = block.ballot(has && many && member == 0);
  while (left != 0) {
    const int lane = native::lowest_bit(left);
    left &= left - 1;
    const std::int64_t begin = block.shuffle(first, lane);
    const std::int64_t end = block.shuffle(last, lane);
    Value all = collect<Value>(block, boxes, begin + rank, end, Block::wave, combine);
    all = reduce_in_wave(block, all, Block::wave, combine);
    if (rank == lane) sum = all;
  }
  return sum;
}

/// Emits every tile that was cut and is closed by one of this block's slices, of which each lane
/// has one: block `bound.a.slices` has the first of them. Waits for the parts, which earlier blocks
/// of the launch send: those of a tile left open come in `boxes`, the last one in `boxes.heads`.
LOOPS_CALLS_USER
template <class Value, class Block, class Bound, class Reduction>
LOOPS_HD void join_as_last(Block& block, const Bound& bound, const Reduction& r,
                           const post& boxes) {
  const std::int64_t s = (block.id() - bound.a.slices) * Block::threads + block.lane();
  std::int64_t begun = s < bound.a.slices ? boxes.begun[s] : -1;
  std::int64_t tile = 0;
  if (begun >= 0) {
    const slice range = bound.at(s);
    tile = range.begin.tile;
    if (tile == range.end.tile) begun = -1;  // the tile stays open
  }
  const Value open = collect_runs<Value>(block, boxes, begun >= 0, begun, s, 1, r.combine);
  if (begun >= 0)
    r.emit(tile_id(bound.w, tile),
           r.combine(open, collect<Value>(block, boxes.of_heads(), s, s + 1, 1, r.combine)));
}

/// Tiles in several pieces, the boxes by which these reach whoever joins them, and how many lanes
/// do: a power of two.
struct pieces_to_join {
  post boxes{};
  const cut_tile* tiles = nullptr;
  std::int64_t count = 0;
  int lanes = 1;

  /// Blocks of so many lanes that join.
  [[nodiscard]] constexpr std::int64_t blocks(int threads) const {
    return ceil_div(count * lanes, std::int64_t{threads});
  }
};

/// Emits every tile in several pieces: block `bound.a.blocks` has the first of them. Waits for the
/// pieces, which earlier blocks of the launch send.
LOOPS_CALLS_USER
template <class Value, class Block, class Bound, class Reduction>
LOOPS_HD void join_pieces_as_last(Block& block, const Bound& bound, const Reduction& r,
                                  const pieces_to_join& cut) {
  const std::int64_t lane = (block.id() - bound.a.blocks) * Block::threads + block.lane();
  const std::int64_t i = quotient(lane, cut.lanes);
  const cut_tile run = i < cut.count ? cut.tiles[i] : cut_tile{};
  const Value sum = collect_runs<Value>(block, cut.boxes, i < cut.count, run.first, run.last,
                                        cut.lanes, r.combine);
  if (i < cut.count && lane == i * cut.lanes) r.emit(tile_id(bound.w, run.tile), sum);
}

}  // namespace loops::detail
