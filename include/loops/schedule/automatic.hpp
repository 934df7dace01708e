// SPDX-License-Identifier: Apache-2.0
/// Leaves the choice of a schedule to the selector that was trained for the machine.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/schedule/wide_groups.hpp"
#include "loops/schedule/wide_split.hpp"
#include "loops/select/cdna.hpp"
#include "loops/select/h200.hpp"
#include "loops/select/host.hpp"
#include "loops/select/words.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace loops {

namespace schedule {

/// The schedule is chosen when the plan is made: by the number of tiles and atoms, or, where that
/// is expected to pay over all uses, after a pass over the tiles and a wait for what it finds.
struct automatic {
  using decided_by_plan = void;
  std::int64_t uses = 1000;  ///< how often the plan will be used; less than once is once
  [[nodiscard]] static constexpr const char* name() { return "automatic"; }
};

static_assert(schedule_like<automatic>);

/// What `automatic` chooses from where blocks have several lanes, and where they have one: every
/// schedule here is compiled for every use of `automatic`, so they are as few as suffice.
using choices_of_gpus =
    std::tuple<group_mapped, wide_groups, long_first, nonzero_split, wide_split, merge_path>;
using choices_of_hosts = std::tuple<merge_path>;
/// Where lanes are bundles, which have few partners in a wave for pieces of long tiles, and where
/// waves have 64, whose selector does not know these pieces.
using choices_without_pieces =
    std::tuple<group_mapped, wide_groups, nonzero_split, wide_split, merge_path>;

/// Where blocks have so many lanes, in such waves: what the selector for these knows.
template <int Threads, int Wave>
using choices_of_blocks =
    std::conditional_t<Threads == 1, choices_of_hosts,
                       std::conditional_t<Wave == 64, choices_without_pieces, choices_of_gpus>>;

/// What `automatic` may have chosen.
using automatic_choice =
    std::variant<group_mapped, wide_groups, long_first, nonzero_split, wide_split, merge_path>;

namespace detail {

template <class... Schedules>
constexpr bool knows(std::tuple<Schedules...>, std::string_view name) {
  return ((name == Schedules::name()) || ...);
}

/// Whether a selector chooses only what is compiled.
template <class Choices>
constexpr bool offers_only(const select::selector& s) {
  for (const select::candidate& c : s.schedules) {
    if (!knows(Choices{}, c.name)) return false;
    for (const select::substitute& other : c.instead)
      if (!other.name.empty() && !knows(Choices{}, other.name)) return false;
  }
  return true;
}

// A selector that was trained anew may choose from other schedules: list those above, and in
// automatic_choice and chosen_schedule, or train it with --schedules.
static_assert(offers_only<choices_of_blocks<128, 32>>(select::h200));
static_assert(offers_only<choices_of_blocks<128, 64>>(select::cdna));
static_assert(offers_only<choices_of_blocks<1, 1>>(select::host));

}  // namespace detail

/// The selector that was trained for machines like this one.
[[nodiscard]] inline const select::selector& selector_for(const machine& m) {
  return m.threads == 1 ? select::host : m.wave == 64 ? select::cdna : select::h200;
}

/// A work as the selector of this machine sees it, before a pass over the tiles.
[[nodiscard]] inline select::facts facts_of(std::int64_t tiles, std::int64_t atoms, int value_bytes,
                                            std::int64_t uses, const machine& m) {
  select::facts x;
  x.seen.tiles = tiles;
  x.seen.atoms = atoms;
  x.value_bytes = value_bytes;
  x.uses = uses;
  return select::on_machine(x, m);
}

/// The schedule that was decided for.
[[nodiscard]] inline automatic_choice chosen_schedule(const select::selector& s,
                                                      const select::decision& d) {
  const std::string_view name =
      select::kernels_of(s.schedules[static_cast<std::size_t>(d.choice)], d.given);
  if (name == group_mapped::name()) return group_mapped{d.lanes};
  if (name == wide_groups::name()) return wide_groups{d.lanes};
  if (name == long_first::name()) return long_first{};
  if (name == nonzero_split::name()) return nonzero_split{};
  if (name == wide_split::name()) return wide_split{};
  return merge_path{};
}

}  // namespace schedule

}  // namespace loops
