// SPDX-License-Identifier: Apache-2.0
/// Chooses a schedule from a few facts about the work.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/select/facts.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace loops {

namespace schedule {

/// The schedule is chosen when the plan is made. Looking at the tiles costs a pass over them and a
/// wait for its result, so a plan for a single use does without and takes merge-path.
struct automatic {
  using decided_by_plan = void;
  std::int64_t uses = 100;  ///< how often the plan will be used
  [[nodiscard]] static constexpr const char* name() { return "automatic"; }
};

static_assert(schedule_like<automatic>);

/// What `automatic` chooses from.
using automatic_choice = std::variant<group_mapped, nonzero_split, merge_path>;

/// A choice and the reason for it, in words.
struct explained_choice {
  automatic_choice schedule;
  std::string reason;
};

/// The choice for tiles about which nothing but their number is known: nothing can go far wrong.
inline explained_choice choose_unseen() {
  return {merge_path{}, "merge_path: sizes of tiles unknown, and it is never far from the best"};
}

/// The choice for a work with these statistics on this machine.
inline explained_choice choose(const tile_statistics& s, const machine& m) {
  if (m.threads == 1)
    return {merge_path{}, "merge_path: equal stretches of the path keep all CPU threads busy"};
  if (s.tiles == 0 || s.atoms == 0)
    return {group_mapped{1}, "group_mapped:1: there is nothing to balance"};
  // A lane reads about eight atoms while it waits for the first; fewer lanes per tile waste none.
  constexpr std::int64_t atoms_per_lane = 8;
  // A lane that follows a tile much longer than this holds up everybody.
  constexpr std::int64_t longest_per_lane = 32;
  int lanes = 1;
  while (lanes < m.threads && lanes * atoms_per_lane * s.tiles < s.atoms) lanes *= 2;
  while (lanes < m.threads && lanes * longest_per_lane < s.longest) lanes *= 2;
  // Lanes that find nothing to do cost little while the machine has lanes to spare: a small work
  // takes as long as its longest tile takes its group.
  const std::int64_t spare = m.blocks * m.threads;
  while (lanes < m.threads && lanes * 2 * s.tiles <= spare && lanes * 2 < s.longest) lanes *= 2;
  // Long tiles of one size that fill the machine end together, and read the same x together.
  const bool even = s.longest * s.tiles <= 2 * s.atoms && lanes * s.tiles * 2 >= spare;
  const bool holds_up = lanes * longest_per_lane < s.longest && !even;
  const bool wasteful = lanes * s.tiles > s.atoms + spare;
  if (!holds_up && !wasteful)
    return {group_mapped{lanes}, "group_mapped:" + std::to_string(lanes) +
                                     ": tiles are even enough for " + std::to_string(lanes) +
                                     " lanes each, in a single launch"};
  if (s.empty * 2 < s.tiles)
    return {nonzero_split{}, "nonzero_split: tiles are uneven, and few are empty"};
  return {merge_path{}, "merge_path: tiles are uneven, and many are empty"};
}

}  // namespace schedule

}  // namespace loops
