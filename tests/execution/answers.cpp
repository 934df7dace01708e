// SPDX-License-Identifier: Apache-2.0
/// The host gets the numbers that a launch leaves, whatever lay there before and however late they
/// come.
#include "loops/execution/answers.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

template <class Exec>
class answers_to : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(answers_to, support::executors, support::executor_name);

/// Every block leaves one number, after so many looks at nothing.
struct leave_numbers {
  std::int64_t* told;
  std::int64_t first;
  std::int64_t left_out;
  int turns;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    if (block.lane() != 0 || block.id() == left_out) return;
    for (int i = 0; i < turns; ++i) block.relax();
    block.answer(told + block.id(), first + block.id());
  }
};

template <class Exec>
std::vector<std::int64_t> told(const Exec& exec, std::int64_t count, std::int64_t first,
                               std::int64_t left_out = -1, int turns = 0) {
  loops::answers numbers(exec, static_cast<std::size_t>(count));
  exec.template launch<loops::shape<32, 1>>(count,
                                            leave_numbers{numbers.data(), first, left_out, turns});
  const auto& all = numbers.wait();
  return {all.begin(), all.end()};
}

std::vector<std::int64_t> counted(std::int64_t count, std::int64_t first) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(first + i);
  return all;
}

TYPED_TEST(answers_to, come_in_the_place_of_those_before) {
  for (const auto& [how, exec] : this->variants()) {
    SCOPED_TRACE(how);
    for (const int count : {1, 2, 600})
      for (const int first : {0, -700, 5})
        EXPECT_EQ(told(exec, count, first), counted(count, first));
  }
}

TYPED_TEST(answers_to, may_be_any_number_but_one) {
  const auto exec = this->any();
  constexpr std::int64_t none = loops::answers<TypeParam>::none;
  EXPECT_EQ(told(exec, 2, none + 1), counted(2, none + 1));
  EXPECT_EQ(told(exec, 2, INT64_MAX - 1), counted(2, INT64_MAX - 1));
}

TYPED_TEST(answers_to, may_come_late_or_never) {
  const auto exec = this->any();
  // On a GPU a turn takes some 40 ns: longer than anybody looks.
  constexpr int turns = LOOPS_CUDA || LOOPS_HIP ? 20000 : 100;
  EXPECT_EQ(told(exec, 3, 7, -1, turns), counted(3, 7));
  auto wanted = counted(3, 7);
  wanted[1] = loops::answers<TypeParam>::none;
  EXPECT_EQ(told(exec, 3, 7, 1), wanted);
}

}  // namespace
