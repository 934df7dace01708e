// SPDX-License-Identifier: Apache-2.0
/// Block-mapped: all lanes of a block share a tile.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per block. Wins on few, very long tiles.
struct block_mapped {
  [[nodiscard]] static constexpr const char* name() { return "block_mapped"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::one_tile, worker::group, order::in_order>{{1 << 20}};
  }
};

static_assert(schedule_like<block_mapped>);

}  // namespace loops::schedule
