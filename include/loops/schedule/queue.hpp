// SPDX-License-Identifier: Apache-2.0
/// Chunked queue: tiles taken by whoever is free.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per group; a block draws a ticket for as many tiles as it has groups. For atoms whose
/// cost is not known beforehand; each tile's result does not depend on who took it.
struct queue {
  int lanes = worker::group::whole_wave;  ///< lanes per tile, a power of two; 0 is the wave
  [[nodiscard]] static constexpr const char* name() { return "queue"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::one_tile, worker::group, order::arrival>{{lanes}};
  }
};

static_assert(schedule_like<queue>);

}  // namespace loops::schedule
