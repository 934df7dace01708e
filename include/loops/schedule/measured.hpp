// SPDX-License-Identifier: Apache-2.0
/// Leaves the choice of a schedule to a trial on the machine itself.
#pragma once

#include "loops/core/error.hpp"
#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// Making the plan runs the likeliest candidates on copies of the caller's operands and keeps the
/// fastest: milliseconds, for who will use the plan often. Results go to memory of the trial's own
/// meanwhile; a candidate that finds no memory is not tried, and without any for the trial the
/// likeliest is kept. Plans of the same product may choose differently, and sums then differ in
/// their last bits.
struct measured {
  using decided_by_plan = void;
  int candidates = 8;  ///< that are tried, at most
  /// As many, and one at least. Throws: invalid_argument.
  [[nodiscard]] int most() const {
    require(candidates > 0, errc::invalid_argument,
            "`measured` tries at least one candidate: `candidates` is 0 or less");
    return candidates;
  }
  [[nodiscard]] static constexpr const char* name() { return "measured"; }
};

static_assert(schedule_like<measured>);

}  // namespace loops::schedule
