// SPDX-License-Identifier: Apache-2.0
/// A choice among everything that there is.
#pragma once

#include "loops/schedule/schedule.hpp"

namespace loops::schedule {

/// `automatic` or `measured`, choosing among all kernels that an algorithm has, and not only among
/// the few that serve most inputs nearly as well: some per cent faster, for minutes of a GPU's
/// compiler. `among_all(measured{.candidates = 16})`.
template <class Choice>
struct among_all : Choice {
  static_assert(
      requires { typename Choice::decided_by_plan; },
      "among_all widens a choice, schedule::automatic or schedule::measured; a schedule that is "
      "named chooses nothing");
  constexpr explicit among_all(const Choice& choice = Choice()) : Choice(choice) {}
};

}  // namespace loops::schedule
