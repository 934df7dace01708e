// SPDX-License-Identifier: Apache-2.0
/// Work-oriented: every resident lane takes the same number of path steps.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One even share of the path per lane. On a CPU, where a lane is a core, this is Merrill and
/// Garland's merge-based SpMV; on a GPU lanes read far apart, and it is there for comparison.
struct work_oriented {
  [[nodiscard]] static constexpr const char* name() { return "work_oriented"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::path, worker::lane, order::in_order>{{}, grain::even_share};
  }
};

static_assert(schedule_like<work_oriented>);

}  // namespace loops::schedule
