// SPDX-License-Identifier: Apache-2.0
/// Group-mapped: a group of neighbouring lanes shares a tile.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per group of `lanes` lanes, 1 … the block (virtual warps, Hong et al. PPoPP'11). Wins
/// when tiles have one to eight atoms per lane of the group and little variance.
struct group_mapped {
  int lanes = 8;  ///< a power of two; 0 is the wave
  [[nodiscard]] static constexpr const char* name() { return "group_mapped"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::one_tile, worker::group, order::in_order>{{lanes}};
  }
};

static_assert(schedule_like<group_mapped>);

}  // namespace loops::schedule
