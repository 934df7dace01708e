// SPDX-License-Identifier: Apache-2.0
/// Dynamic merge-path: equal stretches of the path, taken by whoever is free.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Merge-path slices handed out by an atomic ticket: equal work per slice and tolerance of blocks
/// that run late. Results do not depend on who took what.
struct dynamic_merge_path {
  [[nodiscard]] static constexpr const char* name() { return "dynamic_merge_path"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::path, worker::block, order::arrival>{};
  }
};

static_assert(schedule_like<dynamic_merge_path>);

}  // namespace loops::schedule
