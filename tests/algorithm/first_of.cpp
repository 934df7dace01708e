// SPDX-License-Identifier: Apache-2.0
/// The first value of an array is what launches before have written there.
#include "loops/algorithm/first_of.hpp"

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

template <class Exec>
class first_of : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(first_of, support::executors, support::executor_name);

struct several {
  std::int64_t count;
  double sum;
  int few[9];
};

TYPED_TEST(first_of, is_of_any_size) {
  const auto exec = this->any();
  const auto there = [&](auto value) {
    const loops::array<decltype(value)> a(std::vector{value, decltype(value){}}, exec.memory());
    return loops::first_of(exec, a);
  };
  EXPECT_EQ(there(-7), -7);
  EXPECT_EQ(there(0.5F), 0.5F);
  for (const std::int64_t v :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(there(v), v);
  const several s = there(several{1LL << 40, -1.25, {1, 2, 3, 4, 5, 6, 7, 8, -9}});
  EXPECT_EQ(s.count, 1LL << 40);
  EXPECT_EQ(s.sum, -1.25);
  EXPECT_EQ(s.few[0], 1);
  EXPECT_EQ(s.few[8], -9);
}

struct count_atoms {
  int* count;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t) const {
    block.atomic_add(count, 1);
  }
};

TYPED_TEST(first_of, waits_for_what_was_launched_before) {
  const auto exec = this->any();
  loops::array<int> count(1, exec.memory());
  count.fill(0);
  for (int i = 1; i <= 20; ++i) {
    loops::for_each_atom(exec, loops::schedule::merge_path{}, loops::uniform(300, 10),
                         count_atoms{count.data()});
    ASSERT_EQ(loops::first_of(exec, count), 3000 * i);
  }
}

}  // namespace
