// SPDX-License-Identifier: Apache-2.0
/// One tile per group of lanes, but for long ones, which come first, in pieces for waves.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per group of `lanes` lanes, as in group-mapped, where a lane has no more than eight
/// atoms. A wave takes a longer tile, or a piece of it, four to sixteen atoms per lane, and these
/// come first: by the time the last groups are through, what belongs together has been joined. For
/// uneven tiles, most of which have a few atoms per lane. A plan looks at all tiles and waits for
/// what it finds.
struct long_first {
  int lanes = worker::by_length::by_mean;  ///< a power of two, or chosen by the mean of the tiles
  [[nodiscard]] static constexpr const char* name() { return "long_first"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::long_first, worker::by_length, order::in_order>{{lanes}};
  }
};

static_assert(schedule_like<long_first>);

}  // namespace loops::schedule
