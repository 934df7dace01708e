// SPDX-License-Identifier: Apache-2.0
/// Wave-mapped: all lanes of a wave share a tile.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// One tile per wave (Bell and Garland's vector CSR kernel): lanes stride over its atoms. Wins on
/// tiles of one to many waves of atoms with little variance.
struct wave_mapped {
  [[nodiscard]] static constexpr const char* name() { return "wave_mapped"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::one_tile, worker::group, order::in_order>{{worker::group::whole_wave}};
  }
};

static_assert(schedule_like<wave_mapped>);

}  // namespace loops::schedule
