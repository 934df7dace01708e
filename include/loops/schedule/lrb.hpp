// SPDX-License-Identifier: Apache-2.0
/// Logarithmic radix binning: the group that takes a tile is sized by the tile.
#pragma once

#include "loops/core/error.hpp"
#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Tiles are binned by the bits of their size (Green et al., HPEC'18/'19), so those of a bin differ
/// by less than a factor of two, and each is taken by enough lanes for `atoms_per_lane` atoms each.
/// The bins are a plan on the device, made once and reused; a call never asks the host.
struct lrb {
  int atoms_per_lane = 8;  ///< at least 1; else `compose` throws invalid_argument
  [[nodiscard]] static constexpr const char* name() { return "lrb"; }
  [[nodiscard]] constexpr auto compose() const {
    if (atoms_per_lane < 1)
      throw error(errc::invalid_argument, "lrb: a lane takes one atom at least");
    composed<measure::one_tile, worker::by_bin, order::in_order> s;
    for (int b = 0; b < worker::by_bin::bins; ++b) {
      const std::int64_t largest = b == 0 ? 0 : ((std::int64_t{1} << (b - 1)) - 1) * 2 + 1;
      short lanes = 1;
      while (lanes < 1024 && largest / lanes > atoms_per_lane)
        lanes = static_cast<short>(lanes * 2);
      s.who.size[b] = lanes;
    }
    return s;
  }
};

static_assert(schedule_like<lrb>);

}  // namespace loops::schedule
