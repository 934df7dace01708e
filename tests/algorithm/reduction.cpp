// SPDX-License-Identifier: Apache-2.0
/// What kernels of a reduction are given: nothing where no tile is cut, and one value per lane.
#include "loops/algorithm/reduction.hpp"

#include "loops/algorithm/reduce_wide.hpp"
#include "loops/core/functional.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace {

struct one {
  LOOPS_HD float operator()(std::int64_t) const { return 1; }
  LOOPS_HD float operator()(int, std::int64_t) const { return 1; }
};
struct drop {
  LOOPS_HD void operator()(std::int64_t, float) const {}
  LOOPS_HD void operator()(int, std::int64_t, float) const {}
};
using narrow = loops::detail::reduction<float, one, loops::plus, drop>;
using wide = loops::detail::wide_reduction<float, one, loops::plus, drop>;

TEST(reduction, has_no_parts_unless_it_is_given_room) {
  const loops::detail::partials<narrow> none;
  EXPECT_EQ(none.heads, nullptr);
  EXPECT_EQ(none.tails, nullptr);
  EXPECT_EQ(loops::detail::partials<wide>{}.heads.first, nullptr);
}

TEST(reduction, holds_a_value_per_slice_or_a_share_of_one) {
  static_assert(!narrow::wide && wide::wide);
  float room[6] = {0, 1, 2, 3, 4, 5};
  const loops::detail::partials<narrow> values{room, room + 3};
  EXPECT_EQ(values.heads[2], 2);
  EXPECT_EQ(values.tails[1], 4);
  // Two shares per value: those of a slice lie side by side, and a share sees every other one.
  const loops::detail::partials<wide> shares{{room + 1, 2}, {}};
  EXPECT_EQ(shares.heads[0], 1);
  EXPECT_EQ(shares.heads[2], 5);
}

}  // namespace
