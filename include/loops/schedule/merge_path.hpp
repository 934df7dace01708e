// SPDX-License-Identifier: Apache-2.0
/// Merge-path: every block takes the same number of path steps.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Equal atoms plus tiles per block (Merrill and Garland, SC'16), so neither long tiles nor
/// millions of empty ones hurt. Costs a search per block and a carry per cut; the default when
/// unsure.
struct merge_path {
  [[nodiscard]] static constexpr const char* name() { return "merge_path"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::path, worker::block, order::in_order>{};
  }
};

static_assert(schedule_like<merge_path>);

}  // namespace loops::schedule
