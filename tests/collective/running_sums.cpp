// SPDX-License-Identifier: Apache-2.0
/// Running sums of a group: every size once, sums in order, whatever the group's lanes.
#include "loops/collective/running_sums.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

LOOPS_HD std::int64_t size_of(std::int64_t i) {
  return (i * 7 + 3) % 11 + (i % 5 == 0 ? 100000000000 : 0);
}

struct sums {
  std::int64_t before, through;
  int calls;
};

/// Every group of `lanes` lanes sums up [first, last), twice over the same storage.
struct sum_up {
  sums* out;
  std::int64_t* totals;
  std::int64_t first, last;
  int lanes;
  template <class Block>
  struct storage {
    loops::group_storage<Block, std::int64_t> shared;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& s) const {
    const loops::group<Block> g(block, lanes);
    sums* const mine = out + g.index() * (last - first);
    std::int64_t total = 5;
    for (int run = 0; run < 2; ++run)
      total = loops::running_sums(g, first, last, total, s.shared, size_of,
                                  [&](std::int64_t i, std::int64_t before, std::int64_t through) {
                                    mine[i - first] = {before, through, mine[i - first].calls + 1};
                                  });
    totals[block.lane()] = total;
  }
};

template <class Exec>
class running_sums : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(running_sums, support::executors, support::executor_name);

TYPED_TEST(running_sums, every_size_is_added_once_in_order) {
  using shape = loops::shape<128, 1>;
  constexpr int threads = TypeParam::template block<shape>::threads;
  for (const auto& v : this->variants())
    for (int lanes = threads; lanes > 0; lanes /= 4)
      for (const std::int64_t count : {0, 1, 31, 127, 128, 129, 300}) {
        SCOPED_TRACE(v.name + ", " + std::to_string(count) + " sizes, " + std::to_string(lanes) +
                     " lanes");
        constexpr std::int64_t first = 3;
        const auto groups = static_cast<std::size_t>(threads / lanes);
        const auto many = static_cast<std::size_t>(count);
        loops::array<sums> out(groups * many, v.exec.memory());
        loops::array<std::int64_t> totals(threads, v.exec.memory());
        out.fill(0);
        v.exec.template launch<shape>(
            1, sum_up{out.data(), totals.data(), first, first + count, lanes});
        std::int64_t all = 0;
        for (std::int64_t i = 0; i < count; ++i) all += size_of(first + i);
        for (const std::int64_t total : totals.to_vector()) ASSERT_EQ(total, 5 + 2 * all);
        const std::vector<sums> got = out.to_vector();
        for (std::size_t g = 0; g < groups; ++g) {
          std::int64_t sum = 5 + all;  // as the second run left it
          for (std::size_t i = 0; i < many; ++i) {
            const sums& s = got[g * many + i];
            ASSERT_EQ(s.calls, 2) << "size " << i;
            ASSERT_EQ(s.before, sum) << "size " << i;
            sum += size_of(first + static_cast<std::int64_t>(i));
            ASSERT_EQ(s.through, sum) << "size " << i;
          }
        }
      }
}

}  // namespace
