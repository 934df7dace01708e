// SPDX-License-Identifier: Apache-2.0
/// The selector of the device class h200 chooses in the open and within its bounds.
#include "loops/select/h200.hpp"

#include <gtest/gtest.h>

#include "choices.hpp"

namespace {

using loops::select::h200;

static_assert(well_formed(h200));

TEST(h200, NamesItsDeviceAndItsBasis) {
  EXPECT_EQ(h200.device, "h200");
  EXPECT_FALSE(h200.basis.empty());
  EXPECT_EQ(h200.proved, h200.device != "cdna");
}

TEST(h200, ChoosesSomethingForEveryWork) {
  select_support::choose_everywhere(h200);
}

TEST(h200, ForecastsAreInOrder) {
  select_support::check_forecasts(h200);
}

TEST(h200, DecidesByTheSizeInLessThanAMicrosecond) {
  EXPECT_LT(select_support::seconds_to_decide(h200), 1e-6);
}

}  // namespace
