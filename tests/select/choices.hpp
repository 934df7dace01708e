// SPDX-License-Identifier: Apache-2.0
/// What must hold for the data of every selector.
#pragma once

#include "loops/execution/stopwatch.hpp"
#include "loops/select/selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace select_support {

using namespace loops;

/// Small and large, even and uneven, once and often: whatever is chosen exists and cannot take
/// more than ten times the yardstick because of the longest tile.
inline void choose_everywhere(const select::selector& s) {
  for (std::int64_t tiles = 0; tiles <= 100'000'000; tiles = tiles * 10 + 1)
    for (const std::int64_t mean : {0, 1, 3, 20, 300, 20'000})
      for (const std::int64_t skew : {1, 4, 50, 100'000})
        for (const std::int64_t uses : {1, 100, 1'000'000}) {
          select::facts x;
          x.seen.tiles = tiles;
          x.seen.atoms = tiles * mean;
          x.uses = uses;
          tile_statistics all = x.seen;
          all.longest = std::min(x.seen.atoms, mean * skew);
          all.padded = all.longest * tiles;
          const select::decision d = select::decide(s, x, [&] { return all; });
          ASSERT_GE(d.choice, 0);
          ASSERT_LT(d.choice, static_cast<int>(s.schedules.size()));
          const auto& c = s.schedules[static_cast<std::size_t>(d.choice)];
          EXPECT_FALSE(can_go_wrong(s, c, d.given, d.gathered));
          EXPECT_EQ(d.lanes, lanes_of(c, d.given, d.gathered));
          EXPECT_EQ(d.gathered, x.seen.atoms > 0 && saved_by_looking_us(s, decide_known(s, x)) >
                                                        gathering_us(s, x));
        }
}

inline void check_forecasts(const select::selector& s) {
  for (const select::tree* t : {&s.known, &s.gathered}) {
    for (const select::forecast& f : t->forecasts) {
      EXPECT_GT(f.low, 0);
      EXPECT_LE(f.low, f.typical);
      EXPECT_LE(f.typical, f.high);
      EXPECT_GE(f.loss, 0);
    }
    for (const select::leaf& l : t->leaves) {
      EXPECT_GT(l.best, 0);
      EXPECT_GE(l.matrices, l.groups);
    }
  }
}

/// The best of a few rounds, so that somebody else's work on the machine does not count.
inline double seconds_to_decide(const select::selector& s) {
  constexpr int times = 20000;
  double best = 1;
  std::int64_t sum = 0;
  for (int round = 0; round < 5; ++round) {
    const double from = loops::seconds_now();
    for (int i = 0; i < times; ++i) {
      select::facts x;
      x.seen.tiles = 100 + i;
      x.seen.atoms = 700 + 13 * i;
      x.uses = 1000;
      sum += decide_known(s, x).choice;
    }
    best = std::min(best, (loops::seconds_now() - from) / times);
  }
  EXPECT_GE(sum, 0);
  return best;
}

}  // namespace select_support
