// SPDX-License-Identifier: Apache-2.0
/// The list has every schedule, under a name that leads back to it.
#include "loops/schedule/catalogue.hpp"

#include "support/executors.hpp"
#include "support/schedules.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace {

TEST(catalogue, names_are_distinct_and_begin_with_the_schedules_own) {
  std::set<std::string> names;
  std::set<std::size_t> kinds;
  for (const loops::named_schedule& s : loops::all_schedules()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    kinds.insert(s.schedule.index());
    std::visit([&](const auto& one) { EXPECT_EQ(s.name.find(one.name()), 0U) << s.name; },
               s.schedule);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<loops::any_schedule>)
      << "a schedule of the variant is not in the list";
}

TEST(catalogue, finds_what_it_lists) {
  for (const loops::named_schedule& s : loops::all_schedules())
    EXPECT_EQ(loops::schedule_named(s.name).index(), s.schedule.index());
  EXPECT_EQ(std::get<loops::schedule::group_mapped>(loops::schedule_named("group_mapped:16")).lanes,
            16);
  EXPECT_EQ(std::get<loops::schedule::queue>(loops::schedule_named("queue:8")).lanes, 8);
}

TEST(catalogue, takes_any_number_of_lanes) {
  namespace schedule = loops::schedule;
  using loops::schedule_named;
  EXPECT_EQ(std::get<schedule::group_mapped>(schedule_named("group_mapped:1")).lanes, 1);
  EXPECT_EQ(std::get<schedule::group_mapped>(schedule_named("group_mapped:256")).lanes, 256);
  EXPECT_EQ(std::get<schedule::long_first>(schedule_named("long_first:8")).lanes, 8);
  EXPECT_EQ(std::get<schedule::queue>(schedule_named("queue:64")).lanes, 64);
  EXPECT_EQ(std::get<schedule::tiles_in_groups>(schedule_named("tiles_in_groups:2")).lanes, 2);
  EXPECT_EQ(std::get<schedule::wide_groups>(schedule_named("wide_groups:32")).lanes, 32);
}

TEST(catalogue, names_what_there_is_when_asked_for_what_is_not) {
  for (const char* wrong :
       {"", "merge", "group_mapped:3", "merge_path ", "group_mapped:", "group_mapped", "queue:08",
        "queue:0", "queue:-2", "long_first:2048", "merge_path:8", "long_first:8x"})
    support::expect_error(loops::errc::invalid_argument, "dynamic_merge_path",
                          [&] { static_cast<void>(loops::schedule_named(wrong)); });
}

TEST(catalogue, every_kind_of_kernel_is_among_the_points_under_test) {
  std::set<std::size_t> kinds;
  for (const support::named_point& p : support::all_points()) kinds.insert(p.schedule.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<support::any_point>);
  EXPECT_EQ(support::all_points().size(), loops::all_schedules().size());
}

}  // namespace
