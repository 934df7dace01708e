// SPDX-License-Identifier: Apache-2.0
/// A schedule that a plan decides on, after a trial.
#include "loops/schedule/measured.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using loops::schedule::measured;

TEST(measured, names_itself_and_has_no_point_of_its_own) {
  static_assert(loops::schedule_like<measured>);
  EXPECT_EQ(std::string(measured::name()), "measured");
  EXPECT_GT(measured().candidates, 1);
}

}  // namespace
