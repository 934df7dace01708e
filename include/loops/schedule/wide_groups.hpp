// SPDX-License-Identifier: Apache-2.0
/// Groups of lanes in large blocks: more neighbouring tiles share what they read.
#pragma once

#include "loops/schedule/group_mapped.hpp"

namespace loops::schedule {

/// One tile per group of `lanes` lanes, as in group-mapped, but a block has the lanes of four, and
/// takes four times as many tiles. For short tiles whose columns lie anywhere in a band that moves
/// with them: a block reads its stretch of the band once. Values of more than 8 bytes, launch
/// shapes that a plan was asked for, and CPUs are left as they are.
struct wide_groups {
  static constexpr int blocks_in_one = 4;
  int lanes = 4;  ///< a power of two
  [[nodiscard]] static constexpr const char* name() { return "wide_groups"; }
  [[nodiscard]] constexpr auto compose() const { return group_mapped{lanes}.compose(); }
};

static_assert(schedule_like<wide_groups>);

}  // namespace loops::schedule
