// SPDX-License-Identifier: Apache-2.0
/// Data-parallel: whole tiles, dealt to resident blocks.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Whole tiles; worker x of P takes tiles x, x + P, … Wins where tiles fill the last wave; nothing
/// is joined, so a tile's value does not depend on the machine.
struct data_parallel {
  int processors = 0;  ///< blocks at a time; 0: as many as the machine holds
  [[nodiscard]] static constexpr const char* name() { return "data_parallel"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::shares_then_tiles, worker::block, order::last_first>{
        {}, grain::worker_capacity, {.waves = 0}, processors};
  }
};

static_assert(schedule_like<data_parallel>);

}  // namespace loops::schedule
