// SPDX-License-Identifier: Apache-2.0
/// A choice that is widened keeps what it says of itself.
#include "loops/schedule/among_all.hpp"

#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

using namespace loops::schedule;

TEST(among_all, keeps_the_choice_and_its_numbers) {
  constexpr auto wide = among_all(measured{5});
  static_assert(std::is_same_v<decltype(wide), const among_all<measured>>);
  static_assert(wide.candidates == 5 && among_all(automatic{7}).uses == 7);
  static_assert(loops::schedule_like<among_all<measured>> &&
                loops::schedule_like<among_all<automatic>>);
  EXPECT_EQ(std::string(wide.name()), measured::name());
  EXPECT_EQ(among_all<measured>().candidates, measured().candidates);
}

}  // namespace
