// SPDX-License-Identifier: Apache-2.0
/// Running sums of any number of sizes, and sums that do not fit.
#include "algorithms/segmented/offsets.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using loops::segmented_detail::running_sums;

struct size_of {
  LOOPS_HD std::int64_t operator()(std::int64_t i) const { return i * 7 % 5; }
};
struct much {
  LOOPS_HD std::int64_t operator()(std::int64_t) const { return std::int64_t{1} << 30; }
};

template <class Exec>
class offsets : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(offsets, support::executors, support::executor_name);

// None, one, and around every size of block; several for each of all blocks.
TYPED_TEST(offsets, every_size_is_added_once) {
  const auto exec = this->any();
  const std::int64_t blocks = exec.template describe<loops::shape<128, 8>>().blocks;
  std::vector<std::int64_t> many{0, 1, 2, 511, 512, 513, 1024, 1025};
  if (blocks < 100) many.insert(many.end(), {512 * blocks, 512 * blocks + 1, 1000 * blocks + 3});
  for (const std::int64_t n : many) {
    SCOPED_TRACE(n);
    loops::array<std::int32_t> got(static_cast<std::size_t>(n) + 1, exec.memory());
    got.fill(0xff);
    std::vector<std::int32_t> wanted{0};
    for (std::int64_t i = 0; i < n; ++i)
      wanted.push_back(wanted.back() + static_cast<std::int32_t>(size_of{}(i)));
    EXPECT_EQ(running_sums(exec, n, size_of{}, got), wanted.back());
    EXPECT_EQ(got.to_vector(), wanted);
  }
}

TYPED_TEST(offsets, sums_that_do_not_fit) {
  const auto exec = this->any();
  loops::array<std::int32_t> narrow(3, exec.memory());
  EXPECT_THROW((void)running_sums(exec, 2, much{}, narrow), loops::error);
  loops::array<std::int64_t> wide(3, exec.memory());
  EXPECT_EQ(running_sums(exec, 2, much{}, wide), std::int64_t{1} << 31);
}

}  // namespace
