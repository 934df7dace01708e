// SPDX-License-Identifier: Apache-2.0
/// Stretches have every tile once, and waves every stretch.
#include "loops/algorithm/stretches.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using loops::detail::stretches;

TEST(stretches_of_tiles, are_long_enough_and_not_too_many) {
  for (const std::int64_t n : {0, 1, 9, 10, 11, 79, 80, 81, 1000})
    for (const std::int64_t most : {1, 8}) {
      SCOPED_TRACE(testing::Message() << n << " tiles, " << most << " stretches");
      const stretches all(n, 10, most);
      EXPECT_LE(all.count, most);
      EXPECT_EQ(all.first(0), 0);
      EXPECT_EQ(all.first(all.count), n);
      for (std::int64_t i = 0; i < all.count; ++i) {
        EXPECT_EQ(all.first(i + 1) - all.first(i), std::min(all.length, n - all.first(i)));
        EXPECT_LT(all.first(i), all.first(i + 1));
        EXPECT_GE(all.length, 10);
      }
    }
}

/// The first lane of every wave counts that it has come to a stretch.
struct come_by {
  stretches all;
  int* counts;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, Block::wave);
    const std::int64_t i = stretches::taken_by(g);
    if (i < all.count && g.rank() == 0) support::count_up(counts + i);
  }
};

template <class Exec>
class stretches_on : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(stretches_on, support::executors, support::executor_name);

TYPED_TEST(stretches_on, waves_take_each_once) {
  using shape = loops::shape<128, 3>;
  using block = typename TypeParam::template block<shape>;
  constexpr std::int64_t waves = loops::detail::waves_of<block>;
  const auto exec = this->any();
  for (const std::int64_t n : {1, 10, 41, 800, 5000}) {
    const stretches all(n, 10, 80);
    loops::array<int> counts(static_cast<std::size_t>(all.count), exec.memory());
    counts.fill(0);
    const std::int64_t blocks = all.blocks<block>();
    EXPECT_GE(blocks * waves, all.count);
    EXPECT_LT((blocks - 1) * waves, all.count);
    exec.template launch<shape>(blocks, come_by{all, counts.data()});
    exec.synchronize();
    EXPECT_EQ(counts.to_vector(), std::vector<int>(counts.size(), 1)) << n << " tiles";
  }
}

}  // namespace
