// SPDX-License-Identifier: Apache-2.0
/// The schedules of the library under as few types as there are kinds of kernels.
#pragma once

#include "loops/schedule/catalogue.hpp"

#include <string>
#include <variant>
#include <vector>

namespace support {

/// A schedule that is nothing but its composition: schedules that differ only in name share the
/// kernels compiled for it.
template <class Composed>
struct point {
  Composed composed;
  [[nodiscard]] static constexpr const char* name() { return "point"; }
  [[nodiscard]] constexpr Composed compose() const { return composed; }
};

template <class Schedule>
using point_of = point<decltype(Schedule{}.compose())>;

template <class Schedule>
point_of<Schedule> point_for(const Schedule& schedule) {
  return {schedule.compose()};
}

/// Every kind of composition in the catalogue.
using any_point =
    std::variant<point_of<loops::schedule::wave_mapped>, point_of<loops::schedule::queue>,
                 point_of<loops::schedule::lrb>, point_of<loops::schedule::tiles_in_groups>,
                 point_of<loops::schedule::nonzero_split>, point_of<loops::schedule::work_oriented>,
                 point_of<loops::schedule::merge_path>,
                 point_of<loops::schedule::dynamic_merge_path>,
                 point_of<loops::schedule::long_first>>;

/// A point and the name of the schedule it came from.
template <class Any>
struct named {
  std::string name;
  Any schedule;
};
using named_point = named<any_point>;

/// Every schedule of the catalogue with every parameter it lists; one that is new to the
/// catalogue is here without further ado, or does not compile.
inline const std::vector<named_point>& all_points() {
  static const std::vector<named_point> all = [] {
    std::vector<named_point> points;
    for (const loops::named_schedule& s : loops::all_schedules())
      std::visit(
          [&](const auto& schedule) {
            points.push_back({s.name, point_for(schedule)});
          },
          s.schedule);
    return points;
  }();
  return all;
}

/// The points that are named here.
inline std::vector<named_point> points_named(const std::vector<std::string>& names) {
  std::vector<named_point> points;
  for (const std::string& name : names)
    for (const named_point& p : all_points())
      if (p.name == name) points.push_back(p);
  return points;
}

/// One that takes tiles whole and one that cuts them.
using whole_or_cut =
    std::variant<point_of<loops::schedule::group_mapped>, point_of<loops::schedule::merge_path>>;
inline std::vector<named<whole_or_cut>> whole_and_cut_points() {
  return {{"group_mapped:8", point_for(loops::schedule::group_mapped{8})},
          {"merge_path", point_for(loops::schedule::merge_path{})}};
}

/// Calls `f(composed)` for every schedule whose slices need no device: on the host, in no time.
template <class F>
void for_each_static(const F& f) {
  for (const named_point& p : all_points())
    std::visit(
        [&](const auto& s) {
          if constexpr (decltype(s.compose())::pure) f(p.name, s.compose());
        },
        p.schedule);
}

}  // namespace support
