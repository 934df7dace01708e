// SPDX-License-Identifier: Apache-2.0
/// Three bins: short tiles to lanes, middle ones to waves, long ones to blocks.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Bucketing as in Merrill's thread/warp/CTA gathering and ACSR: coarser than `lrb`, fewer kinds of
/// block. The bins are a plan on the device, made once and reused. Tiles come in bins of 2^(b-1) …
/// 2^b - 1 atoms: a threshold that is no power of two is as good as the next one that is.
struct three_bins {
  int wave_from = 32;     ///< tiles of at least this many atoms are taken by 32 lanes
  int block_from = 2048;  ///< tiles of at least this many atoms are taken by a block
  [[nodiscard]] static constexpr const char* name() { return "three_bins"; }
  [[nodiscard]] constexpr auto compose() const {
    composed<measure::one_tile, worker::by_bin, order::in_order> s;
    for (int b = 0; b < worker::by_bin::bins; ++b) {
      const std::int64_t smallest = b == 0 ? 0 : std::int64_t{1} << (b - 1);
      s.who.size[b] = smallest >= block_from ? 1024 : smallest >= wave_from ? 32 : 1;
    }
    return s;
  }
};

static_assert(schedule_like<three_bins>);

}  // namespace loops::schedule
