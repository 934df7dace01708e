// SPDX-License-Identifier: Apache-2.0
/// The selector of the device class host chooses in the open and within its bounds.
#include "loops/select/host.hpp"

#include <gtest/gtest.h>

#include "choices.hpp"

namespace {

using loops::select::host;

static_assert(well_formed(host));

TEST(host, NamesItsDeviceAndItsBasis) {
  EXPECT_EQ(host.device, "host");
  EXPECT_FALSE(host.basis.empty());
  EXPECT_EQ(host.proved, host.device != "cdna");
}

TEST(host, ChoosesSomethingForEveryWork) {
  select_support::choose_everywhere(host);
}

TEST(host, ForecastsAreInOrder) {
  select_support::check_forecasts(host);
}

TEST(host, DecidesByTheSizeInLessThanAMicrosecond) {
  EXPECT_LT(select_support::seconds_to_decide(host), 1e-6);
}

}  // namespace
