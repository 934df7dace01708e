// SPDX-License-Identifier: Apache-2.0
/// Times that nobody measured: from the statistics of a matrix and a few facts of a machine.
#pragma once

#include "train/table.hpp"

namespace loops::train {

/// What a prediction needs to know of a machine.
struct rates {
  double launch_us = 0;  ///< of a small kernel
  double gb_per_s = 1;   ///< that a kernel reaches
  double lane_ns = 0;    ///< per atom of a lane that has a tile to itself
  double group_ns = 0;   ///< per round of a group over its tile
  double turn_us = 0;    ///< until a lane of the machine can be used again
};

/// What is assumed of a device class. h200: fitted by eye to spmv-h200-suitesparse.json. cdna: the
/// bandwidth of an MI300X's data sheet times the share that an H200 reaches of its own, and
/// everything else as on an H200.
[[nodiscard]] rates assumed_rates(const std::string& device);

/// The same matrices with predicted times of merge_path and of groups of every size, in place of
/// what was measured. Plans cost a launch, or three where they have cuts.
[[nodiscard]] results predicted(const results& r, const device_class& device);

}  // namespace loops::train
