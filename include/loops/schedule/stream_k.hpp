// SPDX-License-Identifier: Apache-2.0
/// Stream-K: equal runs of atoms for all resident blocks, over all tiles or those left over.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Every block takes the same number of atoms, up to one (Osama, Merrill, Cecka, Garland and Owens,
/// PPoPP 2023). With `waves` = n only the tiles that do not fill a wave are shared, and n - 1 waves
/// more, so that the tiles after them begin and end together: n = 1 and 2 are the hybrids of the
/// paper, 3 … 6 those of Stream-K++ (Sadasivan et al., 2024). Wins where whole tiles would leave
/// the last wave half empty.
struct stream_k {
  static constexpr int all = measure::shares_then_tiles::everything;
  int waves = all;     ///< all, or n >= 1; 0 shares none, as data_parallel does
  int processors = 0;  ///< blocks at a time; 0: as many as the machine holds
  [[nodiscard]] static constexpr const char* name() { return "stream_k"; }
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::shares_then_tiles, worker::block, order::last_first>{
        {}, grain::worker_capacity, {.waves = waves}, processors};
  }
};

static_assert(schedule_like<stream_k>);

}  // namespace loops::schedule
