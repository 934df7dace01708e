// SPDX-License-Identifier: Apache-2.0
/// Split-K: every tile in the same number of pieces.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// `pieces` equal pieces per tile, each a block's. For few, long tiles. Where a tile is cut depends
/// on nothing but its own length, so its value depends neither on the machine nor on other tiles.
/// Cost: a piece's partial has a place of its own, tiles x pieces in all; where all tiles are
/// equally long, none is cut into more pieces than it has atoms.
struct split_k {
  int pieces = 2;
  [[nodiscard]] static constexpr const char* name() { return "split_k"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::pieces, worker::block, order::last_first>{
        {}, grain::worker_capacity, {pieces}};
  }
};

static_assert(schedule_like<split_k>);

}  // namespace loops::schedule
