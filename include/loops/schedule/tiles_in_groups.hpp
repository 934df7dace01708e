// SPDX-License-Identifier: Apache-2.0
/// Tiles in groups: as many tiles as lanes, shared by all lanes of the group.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// G tiles shared by G lanes (Merrill's scan-based gathering; "group-mapped" in gunrock/loops):
/// balanced inside a group, not between groups. Wins on short tiles of mixed sizes.
struct tiles_in_groups {
  int lanes = worker::group::whole_wave;  ///< a power of two; 0 is the wave
  [[nodiscard]] static constexpr const char* name() { return "tiles_in_groups"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::tiles, worker::group, order::in_order>{{lanes}, grain::worker_lanes};
  }
};

static_assert(schedule_like<tiles_in_groups>);

}  // namespace loops::schedule
