// SPDX-License-Identifier: Apache-2.0
/// Statistics of a work, and plans that choose their schedule by them.
#include "loops/algorithm/statistics.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace loops;

template <class Exec>
class statistics : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(statistics, support::executors, support::executor_name);

TYPED_TEST(statistics, SeeEveryTile) {
  for (const auto& v : this->variants()) {
    std::vector<std::int64_t> offsets{0};
    for (int t = 0; t < 1000; ++t)
      offsets.push_back(offsets.back() + (t == 999 ? 77 : t % 4 == 0 ? 0 : t % 7));
    const array<std::int64_t> there(offsets, v.exec.memory());
    const segments<std::int64_t> w(there.data(), 1000, offsets.back());
    const tile_statistics s = gather_statistics(v.exec, w);
    std::int64_t empty = 0;
    for (std::size_t t = 0; t < 1000; ++t) empty += offsets[t + 1] == offsets[t];
    EXPECT_EQ(s.tiles, 1000);
    EXPECT_EQ(s.atoms, offsets.back());
    EXPECT_EQ(s.longest, 77);
    EXPECT_EQ(s.empty, empty);
  }
}

TYPED_TEST(statistics, OfNothing) {
  const tile_statistics s = gather_statistics(this->any(), uniform(0, 5));
  EXPECT_EQ(s.tiles, 0);
  EXPECT_EQ(s.longest, 0);
  EXPECT_EQ(s.empty, 0);
}

}  // namespace
