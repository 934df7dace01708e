// SPDX-License-Identifier: Apache-2.0
/// The selector of the device class cdna chooses in the open and within its bounds.
#include "loops/select/cdna.hpp"

#include <gtest/gtest.h>

#include "choices.hpp"

namespace {

using loops::select::cdna;

static_assert(well_formed(cdna));

TEST(cdna, NamesItsDeviceAndItsBasis) {
  EXPECT_EQ(cdna.device, "cdna");
  EXPECT_FALSE(cdna.basis.empty());
  EXPECT_EQ(cdna.proved, cdna.device != "cdna");
}

TEST(cdna, ChoosesSomethingForEveryWork) {
  select_support::choose_everywhere(cdna);
}

TEST(cdna, ForecastsAreInOrder) {
  select_support::check_forecasts(cdna);
}

TEST(cdna, DecidesByTheSizeInLessThanAMicrosecond) {
  EXPECT_LT(select_support::seconds_to_decide(cdna), 1e-6);
}

}  // namespace
