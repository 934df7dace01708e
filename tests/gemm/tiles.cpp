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

TEST(gemm_tiles, every_place_has_one_number_on_any_dies) {
  for (const int dies : {-1, 0, 1, 2, 3, 6, 8})
    for (const int on_each : {-1, 0, 1, 2, 5, 38, 1000})
      for (const int m : {1, 2, 7, 16})
        for (const int n : {1, 3, 8, 19}) {
          const gemm_tiles t(m, n, 1, 2, {1, 1, 1}, {raster::side::n, 3, dies, on_each});
          std::set<std::tuple<int, int, int>> seen;
          for (std::int64_t i = 0; i < t.tiles(); ++i) {
            const tile_place p = t.at(i);
            ASSERT_TRUE(p.row >= 0 && p.row < m && p.col >= 0 && p.col < n && p.batch >= 0 &&
                        p.batch < 2);
            seen.insert({p.row, p.col, p.batch});
          }
          ASSERT_EQ(std::int64_t(seen.size()), t.tiles()) << dies << ", " << on_each;
        }
}

TEST(gemm_tiles, a_die_meets_fewer_rows_and_columns) {
  // 57 columns of tiles have no divisor in common with 8 dies, which is the worst case.
  constexpr int dies = 8;
  constexpr int on_each = 38;
  const auto lines = [&](const raster& order) {
    const gemm_tiles t(57, 57, 1, 1, {1, 1, 1}, order);
    std::size_t sum = 0;
    for (std::int64_t first = 0; first + dies * on_each <= t.tiles(); first += dies * on_each)
      for (int die = 0; die < dies; ++die) {
        std::set<int> rows;
        std::set<int> columns;
        for (int i = die; i < dies * on_each; i += dies) {
          rows.insert(t.at(first + i).row);
          columns.insert(t.at(first + i).col);
        }
        sum += rows.size() + columns.size();
      }
    return sum;
  };
  const std::size_t without = lines({.dies = 1});
  EXPECT_LT(2 * lines({.dies = dies, .on_each = on_each}), without);
}

TEST(gemm_tiles, a_window_is_run_through_before_the_next) {
  const gemm_tiles t(100, 50, 1, 1, {10, 10, 1}, {raster::side::m, 4});
  for (int i = 0; i < 20; ++i) EXPECT_LT(t.at(i).row, 4);
  EXPECT_EQ(t.at(4).col, 1);
  EXPECT_EQ(t.at(20).row, 4);
}

TEST(gemm_tiles, tiles_at_a_time_form_a_patch) {
  using loops::in_patches;
  // 66 tiles at a time, four times as wide as high: 16 below each other, 4 beside each other.
  const raster wide = in_patches({}, {64, 256, 64}, 4096, 4096, 66);
  EXPECT_EQ(wide.along, raster::side::m);
  EXPECT_EQ(wide.window, 16);
  const raster tall = in_patches({}, {256, 64, 64}, 4096, 4096, 66);
  EXPECT_EQ(tall.along, raster::side::n);
  EXPECT_EQ(tall.window, 16);
  // Windows are equally wide: 12 rows of tiles are one window, 20 rows two of 10.
  EXPECT_EQ(in_patches({}, {128, 128, 64}, 1416, 1408, 132).window, 12);
  EXPECT_EQ(in_patches({}, {128, 128, 64}, 2560, 1408, 132).window, 10);
  // Whoever says how wide is heard.
  EXPECT_EQ(in_patches({raster::side::n, 3}, {64, 256, 64}, 4096, 4096, 66).window, 3);
  for (const std::int64_t m : {0, 1, 5000})
    for (const std::int64_t n : {0, 1, 5000})
      for (const std::int64_t at_a_time : {0, 1, 132})
        EXPECT_GE(in_patches({}, {64, 64, 64}, m, n, at_a_time).window, 1);
}

TEST(gemm_tiles, refuses_what_cannot_be_counted) {
  const std::int64_t big = std::int64_t(1) << 31;
  const gemm_tile_shape shape{128, 128, 32};
  for (const std::int64_t m : {2 * big, big, big - 1, big - 128})
    support::expect_error(errc::overflow, "a side that reaches 2^31 with a tile more",
                          [&] { gemm_tiles(m, 1, 1, 1, shape); });
  EXPECT_EQ(gemm_tiles(big - 129, 1, 1, 1, shape).tiles(), (big >> 7) - 1);
  support::expect_error(errc::overflow, "2^31 matrices or more",
                        [&] { gemm_tiles(1, 1, 1, 2 * big, shape); });
  support::expect_error(errc::overflow, "2^31 tiles or more",
                        [&] { gemm_tiles(big - 200, big - 200, 1, 1, shape); });
  support::expect_error(errc::invalid_argument, "negative",
                        [&] { gemm_tiles(1, -1, 1, 1, shape); });
  EXPECT_EQ(gemm_tiles(0, 5, 5, 1, shape).tiles(), 0);
  EXPECT_EQ(gemm_tiles(5, 5, 0, 1, shape).atoms(), 0);
  EXPECT_EQ(gemm_tiles(5, 5, 0, 1, shape).tiles(), 1);
}

TEST(gemm_tiles, are_as_many_as_32_bits_number) {
  constexpr std::int64_t most = INT32_MAX;
  const auto of = [](std::int64_t m, std::int64_t k, std::int64_t batch) {
    return loops::gemm_tiles(m, 1, k, batch, {1, 1, 8});
  };
  EXPECT_EQ(of(2, 8, most / 2).tiles(), most - 1);
  EXPECT_EQ(of(1, most - 8, 1).k(), most - 8);
  const auto refused = [&](const char* words, std::int64_t m, std::int64_t k, std::int64_t batch) {
    support::expect_error(loops::errc::overflow, words, [&] { of(m, k, batch); });
  };
  refused("2^31 tiles or more", 2, 8, most / 2 + 1);
  refused("2^31 matrices or more", 1, 8, most + 1);
  refused("reaches 2^31 with a tile more", 1, most - 7, 1);
}

}  // namespace
