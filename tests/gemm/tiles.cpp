// SPDX-License-Identifier: Apache-2.0
/// Tiles of a product: every place once, in windows, sizes that cannot be counted refused.
#include "algorithms/gemm/tiles.hpp"

#include "support/executors.hpp"

#include <set>
#include <tuple>

namespace {

using namespace loops;

TEST(gemm_tiles, every_place_has_one_number) {
  for (const auto side : {raster::side::m, raster::side::n})
    for (const int window : {1, 2, 3, 8})
      for (const int m : {1, 5, 17})
        for (const int n : {1, 4, 9})
          for (const int batch : {1, 3}) {
            const gemm_tiles t(m * 10 - 3, n * 8 - 7, 25, batch, {10, 8, 4}, {side, window});
            ASSERT_EQ(t.tiles(), std::int64_t(m) * n * batch);
            EXPECT_EQ(t.steps(), 7);
            std::set<std::tuple<int, int, int>> seen;
            for (std::int64_t i = 0; i < t.tiles(); ++i) {
              const tile_place p = t.at(i);
              EXPECT_TRUE(p.row >= 0 && p.row < m && p.col >= 0 && p.col < n && p.batch >= 0 &&
                          p.batch < batch);
              EXPECT_EQ(p.batch, i / (m * n));
              seen.insert({p.row, p.col, p.batch});
            }
            EXPECT_EQ(std::int64_t(seen.size()), t.tiles());
          }
}

TEST(gemm_tiles, a_window_is_run_through_before_the_next) {
  const gemm_tiles t(100, 50, 1, 1, {10, 10, 1}, {raster::side::m, 4});
  for (int i = 0; i < 20; ++i) EXPECT_LT(t.at(i).row, 4);
  EXPECT_EQ(t.at(4).col, 1);
  EXPECT_EQ(t.at(20).row, 4);
}

TEST(gemm_tiles, refuses_what_cannot_be_counted) {
  const std::int64_t big = std::int64_t(1) << 31;
  const gemm_tile_shape shape{128, 128, 32};
  support::expect_error(errc::overflow, "2^31 or more", [&] { gemm_tiles(big, 1, 1, 1, shape); });
  support::expect_error(errc::overflow, "2^31 tiles or more",
                        [&] { gemm_tiles(big - 200, big - 200, 1, 1, shape); });
  support::expect_error(errc::invalid_argument, "negative",
                        [&] { gemm_tiles(1, -1, 1, 1, shape); });
  EXPECT_EQ(gemm_tiles(0, 5, 5, 1, shape).tiles(), 0);
  EXPECT_EQ(gemm_tiles(5, 5, 0, 1, shape).atoms(), 0);
  EXPECT_EQ(gemm_tiles(5, 5, 0, 1, shape).tiles(), 1);
}

}  // namespace
