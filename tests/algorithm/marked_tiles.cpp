// SPDX-License-Identifier: Apache-2.0
/// Marks of tile ends, the tile of a place, and what lanes take over from those before them.
#include "loops/algorithm/marked_tiles.hpp"

#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using shape = loops::shape<128, 3>;
constexpr int places = 128 * 3;

/// Per place: the tile, whether one ends there; per lane: what is open before it, and in the end.
struct seen {
  std::int32_t tile[places];
  std::int32_t ends[places];
  std::int32_t ends_of_lane[places];
  std::int32_t before[128];
  std::int32_t total[128];
};

struct look {
  const std::int32_t* ends;
  int tiles;
  seen* out;
  template <class Block>
  struct storage {
    loops::detail::marked_storage<Block, std::int32_t> work;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block, Block::threads> g(block);
    const int rank = g.rank();
    auto& work = shared.work;
    work.clear_marks(rank);
    g.sync();
    for (int t = rank; t < tiles; t += g.size())
      work.mark_end(t, static_cast<std::uint16_t>(ends[t]));
    g.sync();
    const auto marks = work.marks_of(rank);
    std::int32_t open = 0;
    bool closed = false;
    for (int k = 0; k < Block::items; ++k) {
      const int i = rank * Block::items + k;
      open += i + 1;
      if (marks.ends(k)) {
        open = 0;
        closed = true;
      }
      out->tile[i] = work.tile_of(tiles, i);
      out->ends[i] = work.ends_at(i) ? 1 : 0;
      out->ends_of_lane[i] = marks.ends(k) ? 1 : 0;
    }
    const auto all = loops::detail::open_before_lanes(g, work.scan, open, closed, loops::plus{});
    out->before[rank] = all.before;
    out->total[rank] = all.total;
  }
};

template <class Exec>
class marked_tiles : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(marked_tiles, support::executors, support::executor_name);

TYPED_TEST(marked_tiles, are_told_apart) {
  if constexpr (TypeParam::template block<shape>::threads == 1) {
    GTEST_SKIP() << "blocks of one lane have no use for marks";
  } else {
    const std::vector<std::vector<std::int32_t>> cases = {
        {},           {0},           {0, 0, 0},  {1},           {3},   {3, 3, 3, 4},
        {96, 96, 97}, {95, 97, 383}, {383, 384}, {5, 200, 200}, {384}, {0, 1, 2, 3, 4, 100, 384}};
    for (const auto& v : this->variants())
      for (const auto& ends : cases) {
        SCOPED_TRACE(v.name + ", " + testing::PrintToString(ends));
        const loops::array<std::int32_t> there(ends, v.exec.memory());
        loops::array<seen> out(1, v.exec.memory());
        v.exec.template launch<shape>(
            1, look{there.data(), static_cast<int>(ends.size()), out.data()});
        const seen got = out.to_vector()[0];
        std::int32_t open = 0;
        for (int i = 0; i < places; ++i) {
          if (i % 3 == 0) {
            ASSERT_EQ(got.before[i / 3], open) << "lane " << i / 3;
          }
          const auto before =
              std::count_if(ends.begin(), ends.end(), [&](int e) { return e <= i; });
          const bool closes = std::find(ends.begin(), ends.end(), i + 1) != ends.end();
          ASSERT_EQ(got.tile[i], before) << "place " << i;
          ASSERT_EQ(got.ends[i], closes) << "place " << i;
          ASSERT_EQ(got.ends_of_lane[i], closes) << "place " << i;
          open = closes ? 0 : open + i + 1;
        }
        for (const std::int32_t total : got.total) ASSERT_EQ(total, open);
      }
  }
}

}  // namespace
