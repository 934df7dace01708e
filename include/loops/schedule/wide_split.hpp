// SPDX-License-Identifier: Apache-2.0
/// Nonzero split by large blocks: more neighbouring tiles share what they read.
#pragma once

#include "loops/schedule/nonzero_split.hpp"

namespace loops::schedule {

/// Equal atoms per block, as in nonzero split, but a block has the lanes of four, and takes four
/// times as many. For columns that lie anywhere in a band that moves with the tiles: a block reads
/// its stretch of the band once, however many tiles it takes. Values of more than 8 bytes, launch
/// shapes that a plan was asked for, and CPUs are left as they are.
struct wide_split {
  static constexpr int blocks_in_one = 4;
  [[nodiscard]] static constexpr const char* name() { return "wide_split"; }
  [[nodiscard]] constexpr auto compose() const { return nonzero_split{}.compose(); }
};

static_assert(schedule_like<wide_split>);

}  // namespace loops::schedule
