// SPDX-License-Identifier: Apache-2.0
/// Nonzero split: every block takes the same number of atoms.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Equal atoms per block (Baxter; Dalton, Bell and Olson). As merge-path, but empty tiles are not
/// counted: cheaper cuts, and unbalanced when most tiles are empty.
struct nonzero_split {
  [[nodiscard]] static constexpr const char* name() { return "nonzero_split"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::atoms, worker::block, order::in_order>{};
  }
};

static_assert(schedule_like<nonzero_split>);

}  // namespace loops::schedule
