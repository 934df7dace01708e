// SPDX-License-Identifier: Apache-2.0
/// Thread-mapped: each lane walks tiles of its own.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per lane (Bell and Garland's scalar CSR kernel). Balanced are tiles, so a wave takes as
/// long as its longest tile. Wins on short tiles of nearly equal size and on very small works.
struct thread_mapped {
  [[nodiscard]] static constexpr const char* name() { return "thread_mapped"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::one_tile, worker::group, order::in_order>{{1}};
  }
};

static_assert(schedule_like<thread_mapped>);

}  // namespace loops::schedule
