// SPDX-License-Identifier: Apache-2.0
/// A schedule that a plan decides on, after a trial.
#include "loops/schedule/measured.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using loops::schedule::measured;

template <class S>
constexpr bool has_point = requires(const S& s) {
  s.compose();
};

TEST(measured, names_itself_and_has_no_point_of_its_own) {
  static_assert(loops::schedule_like<measured> && !has_point<measured>);
  EXPECT_EQ(std::string(measured::name()), "measured");
  EXPECT_GT(measured().candidates, 1);
}

}  // namespace
