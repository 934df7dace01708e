// SPDX-License-Identifier: Apache-2.0
/// Every schedule of the library, in one list: tests, benchmarks and the command read it.
#pragma once

#include "loops/core/error.hpp"
#include "loops/schedule/block_mapped.hpp"
#include "loops/schedule/dynamic_merge_path.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/long_first.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/schedule/queue.hpp"
#include "loops/schedule/thread_mapped.hpp"
#include "loops/schedule/three_bins.hpp"
#include "loops/schedule/tiles_in_groups.hpp"
#include "loops/schedule/wave_mapped.hpp"
#include "loops/schedule/wide_groups.hpp"
#include "loops/schedule/wide_split.hpp"
#include "loops/schedule/work_oriented.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace loops {

/// One schedule, chosen at run time; `std::visit` it.
using any_schedule =
    std::variant<schedule::thread_mapped, schedule::group_mapped, schedule::wave_mapped,
                 schedule::block_mapped, schedule::tiles_in_groups, schedule::nonzero_split,
                 schedule::work_oriented, schedule::merge_path, schedule::dynamic_merge_path,
                 schedule::lrb, schedule::three_bins, schedule::queue, schedule::wide_split,
                 schedule::wide_groups, schedule::long_first>;

/// A schedule and the name it is asked for by.
struct named_schedule {
  std::string name;
  any_schedule schedule;
};

/// Every schedule with every parameter worth trying, as "group_mapped:8".
inline std::vector<named_schedule> all_schedules() {
  std::vector<named_schedule> all{
      {"thread_mapped", schedule::thread_mapped{}},
      {"wave_mapped", schedule::wave_mapped{}},
      {"block_mapped", schedule::block_mapped{}},
      {"nonzero_split", schedule::nonzero_split{}},
      {"wide_split", schedule::wide_split{}},
      {"work_oriented", schedule::work_oriented{}},
      {"merge_path", schedule::merge_path{}},
      {"dynamic_merge_path", schedule::dynamic_merge_path{}},
      {"long_first", schedule::long_first{}},
      {"lrb", schedule::lrb{}},
      {"three_bins", schedule::three_bins{}},
      {"queue", schedule::queue{}},
      {"queue:1", schedule::queue{1}},
      {"queue:8", schedule::queue{8}},
      {"tiles_in_groups", schedule::tiles_in_groups{}},
      {"tiles_in_groups:8", schedule::tiles_in_groups{8}},
      {"tiles_in_groups:128", schedule::tiles_in_groups{128}},
  };
  for (int lanes = 2; lanes <= 128; lanes *= 2)
    all.push_back({"group_mapped:" + std::to_string(lanes), schedule::group_mapped{lanes}});
  for (int lanes = 1; lanes <= 16; lanes *= 2)
    all.push_back({"wide_groups:" + std::to_string(lanes), schedule::wide_groups{lanes}});
  return all;
}

namespace detail {

/// `Schedule` with the lanes that `name` says, as "queue:4" does; none where it says another
/// schedule, or no power of two of up to 1024.
template <class Schedule>
std::optional<any_schedule> with_lanes(const std::string& name) {
  const std::string start = std::string(Schedule::name()) + ":";
  if (!name.starts_with(start)) return std::nullopt;
  for (int lanes = 1; lanes <= 1024; lanes *= 2)
    if (name.substr(start.size()) == std::to_string(lanes)) return Schedule{lanes};
  return std::nullopt;
}

/// The first of `Schedules` that `name` gives lanes to.
template <class... Schedules>
std::optional<any_schedule> any_with_lanes(const std::string& name) {
  std::optional<any_schedule> out;
  static_cast<void>(((out = with_lanes<Schedules>(name)) || ...));
  return out;
}

}  // namespace detail

/// The schedule called `name`: one of the list, or with any other number of lanes, as
/// "long_first:8". Throws: invalid_argument with the names there are.
inline any_schedule schedule_named(const std::string& name) {
  if (const auto found =
          detail::any_with_lanes<schedule::group_mapped, schedule::wide_groups, schedule::queue,
                                 schedule::tiles_in_groups, schedule::long_first>(name))
    return *found;
  std::string names;
  for (const named_schedule& s : all_schedules()) {
    if (s.name == name) return s.schedule;
    names += " " + s.name;
  }
  throw error(errc::invalid_argument, "there is no schedule '" + name + "'; there are:" + names);
}

}  // namespace loops
