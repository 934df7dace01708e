// SPDX-License-Identifier: Apache-2.0
/// Predicted times follow what they are made from.
#include "train/predict.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using namespace loops::train;
using train_support::matrix;

TEST(predict, ReplacesEveryTimeAndKeepsTheMatrices) {
  const results r = train_support::world(20);
  const results p = predicted(r, device_class_named("cdna"));
  ASSERT_EQ(p.rows.size(), r.rows.size());
  for (const measured& x : p.rows) {
    EXPECT_EQ(x.us.size(), 9u);
    EXPECT_FALSE(x.gather_us.has_value());
    for (const auto& [name, us] : x.us) EXPECT_GT(us, 0) << name;
  }
}

TEST(predict, ATileTakesAGroupAsLongAsItIs) {
  results r;
  r.rows = {matrix("a", "even", 1000, 20, 20), matrix("a", "hub", 1000, 20, 10000)};
  const results p = predicted(r, device_class_named("h200"));
  EXPECT_GT(p.rows[1].us.at("group_mapped:1"), 50 * p.rows[0].us.at("group_mapped:1"));
  EXPECT_GT(p.rows[1].us.at("group_mapped:8"), 5 * p.rows[1].us.at("group_mapped:128"));
  EXPECT_EQ(p.rows[1].us.at("merge_path"), p.rows[0].us.at("merge_path"));
  EXPECT_LT(p.rows[0].us.at("group_mapped:16"), p.rows[0].us.at("merge_path"));
}

}  // namespace
