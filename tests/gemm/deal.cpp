// SPDX-License-Identifier: Apache-2.0
/// Every tile is dealt once, in its round, and workers get equally much.
#include "algorithms/gemm/deal.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using loops::gemm_detail::deal_evenly;

struct tile {
  int number;
  double cost;
};

double cost_of(const tile& t) {
  return t.cost;
}

/// What each of `workers` workers gets who take tiles in turn, from number `first` on.
std::vector<double> loads(const std::vector<tile>& tiles, std::size_t first, std::size_t workers) {
  std::vector<double> out(workers, 0);
  for (std::size_t i = first; i < tiles.size(); ++i) out[(i - first) % workers] += tiles[i].cost;
  return out;
}

TEST(deal, gives_all_workers_equally_much) {
  std::mt19937 random(1);
  for (const int size : {0, 1, 6, 7, 8, 70, 703}) {
    std::vector<tile> tiles;
    for (int i = 0; i < size; ++i) tiles.push_back({i, random() % 4 == 0 ? 0.5 : 1.0});
    const std::size_t workers = 7, first = std::min<std::size_t>(3, tiles.size());
    deal_evenly(tiles, static_cast<std::int64_t>(first), 7, cost_of);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const std::size_t round = i < first ? 0 : (i - first) / workers;
      const auto was = static_cast<std::size_t>(tiles[i].number);
      if (i < first) {
        EXPECT_EQ(was, i);
      } else {
        EXPECT_EQ((was - first) / workers, round);
      }
    }
    const std::vector<double> all = loads(tiles, first, workers);
    // Half a tile apart, or a tile where the last round is short.
    EXPECT_LE(*std::max_element(all.begin(), all.end()) - *std::min_element(all.begin(), all.end()),
              (tiles.size() - first) % workers == 0 ? 0.5 : 1.0);
  }
}

TEST(deal, leaves_a_single_worker_alone) {
  std::vector<tile> tiles{{0, 1}, {1, 3}, {2, 2}};
  deal_evenly(tiles, 0, 1, cost_of);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(tiles[static_cast<std::size_t>(i)].number, i);
}

}  // namespace
