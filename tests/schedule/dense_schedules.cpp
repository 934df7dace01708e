// SPDX-License-Identifier: Apache-2.0
/// The list has every dense schedule, under a name that leads back to it.
#include "loops/schedule/dense_schedules.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <variant>

namespace {

TEST(dense_schedules, names_are_distinct_and_lead_back) {
  std::set<std::string> names;
  std::set<std::size_t> kinds;
  for (const loops::named_dense_schedule& s : loops::dense_schedules()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    kinds.insert(s.schedule.index());
    std::visit([&](const auto& one) { EXPECT_EQ(s.name.find(one.name()), 0U) << s.name; },
               s.schedule);
    EXPECT_EQ(loops::dense_schedule_named(s.name).index(), s.schedule.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<loops::any_dense_schedule>);
  EXPECT_EQ(std::get<loops::schedule::stream_k>(loops::dense_schedule_named("stream_k:6")).waves,
            6);
  EXPECT_EQ(std::get<loops::schedule::split_k>(loops::dense_schedule_named("split_k:8")).pieces, 8);
}

TEST(dense_schedules, numbers_that_are_not_in_the_list_lead_back_too) {
  using loops::name_of;
  namespace schedule = loops::schedule;
  for (const loops::any_dense_schedule& s : {loops::any_dense_schedule(schedule::split_k{3}),
                                             {schedule::split_k{1}},
                                             {schedule::split_k{2147483647}},
                                             {schedule::stream_k{.waves = 17}}}) {
    const auto again = loops::dense_schedule_named(name_of(s));
    EXPECT_EQ(again.index(), s.index());
    EXPECT_EQ(name_of(again), name_of(s));
  }
}

TEST(dense_schedules, names_what_there_is_when_asked_for_what_is_not) {
  for (const char* wrong :
       {"", ":", ":3", "stream_k:0", "split_k:0", "split_k:-3", "split_k:03", "split_k:3 ",
        "split_k:", "split_k", "split_k:2147483648", "data_parallel:3", "3", "merge_path"})
    support::expect_error(loops::errc::invalid_argument, "data_parallel",
                          [&] { static_cast<void>(loops::dense_schedule_named(wrong)); });
}

}  // namespace
