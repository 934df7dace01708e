// SPDX-License-Identifier: Apache-2.0
/// Holds, without executing anything, that a static schedule hands out a whole path exactly once.
#pragma once

#include "loops/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace geometry {

using loops::coordinate;
using loops::machine;
using loops::slice;

/// A GPU block as most kernels use it, and the host's only lane.
inline constexpr machine gpu{256, 32, 7, 1, 528};
inline constexpr machine wide_gpu{256, 64, 7, 1, 528};
inline constexpr machine cpu{1, 1, 4096, 256, 8};

/// Machines small enough that small works meet all of their boundaries.
inline std::vector<machine> small_machines() {
  std::vector<machine> all;
  for (const int threads : {1, 2, 4, 8})
    for (const int wave : {1, 2, 4})
      for (const int items : {1, 2, 3})
        for (const int batch : {1, 2})
          for (const std::int64_t blocks : {1, 3})
            if (wave <= threads && (batch == 1 || threads == 1))
              all.push_back({threads, wave, items, batch, blocks});
  return all;
}

/// Every slice of `s` over `w`, by asking every worker. Fails when two take the same.
template <class Composed, class W>
std::vector<slice> slices_of_all_workers(const Composed& s, const W& w, const machine& m) {
  const auto a = s.bind(w, m);
  std::vector<slice> found(static_cast<std::size_t>(a.slices));
  std::vector<bool> taken(found.size(), false);
  for (std::int64_t worker = 0; worker < s.workers(w, m); ++worker) {
    const auto mine = s.slices(w, m, worker);
    std::int64_t before = -1;
    for (auto it = mine.begin(); it != mine.end(); ++it) {
      const std::int64_t n = it.number();
      EXPECT_GT(n, before) << "worker " << worker << " does not ascend";
      before = n;
      if (n < 0 || n >= a.slices) {
        ADD_FAILURE() << "worker " << worker << " takes slice " << n << " of " << a.slices;
        return {};
      }
      EXPECT_FALSE(taken[static_cast<std::size_t>(n)]) << "slice " << n << " is taken twice";
      taken[static_cast<std::size_t>(n)] = true;
      found[static_cast<std::size_t>(n)] = *it;
    }
  }
  EXPECT_EQ(std::count(taken.begin(), taken.end(), false), 0) << "slices that nobody takes";
  return found;
}

/// The slices of all workers partition the path, and cut, at, and slice_of agree with them.
template <class Composed, class W>
void expect_partition(const Composed& s, const W& w, const machine& m) {
  using measure = typename Composed::measure_type;
  const auto a = s.bind(w, m);
  ASSERT_EQ(s.workers(w, m), a.blocks * a.groups);
  ASSERT_EQ(a.groups * a.lanes, m.threads);
  const std::vector<slice> slices = slices_of_all_workers(s, w, m);
  if (testing::Test::HasFailure()) return;
  const coordinate end{w.tiles(), w.atoms()};
  coordinate at;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const slice& piece = slices[i];
    ASSERT_EQ(piece.begin, at) << "slice " << i;
    ASSERT_EQ(a.cut(w, number), piece.begin);
    ASSERT_EQ(a.cut(w, number + 1), piece.end);
    ASSERT_EQ(a.at(w, number), piece);
    ASSERT_EQ(a.noted(w, number, piece.begin), piece.begin);
    ASSERT_LE(piece.begin.tile, piece.end.tile);
    ASSERT_LE(piece.begin.atom, piece.end.atom);
    // A place of the path: between the end marker of the tile before and this tile's own.
    ASSERT_GE(piece.end.atom, w.offset(piece.end.tile));
    if (piece.end.tile < w.tiles()) {
      ASSERT_LE(piece.end.atom, w.offset(piece.end.tile + 1));
    }
    if constexpr (!measure::splits_tiles) {
      ASSERT_EQ(piece.end.atom, w.offset(piece.end.tile));
    }
    if constexpr (std::is_same_v<measure, loops::measure::one_tile>) {
      ASSERT_EQ(piece.begin.tile, number);
      ASSERT_EQ(piece.end.tile, number + 1);
    } else if constexpr (std::is_same_v<measure, loops::measure::tiles>) {
      ASSERT_LE(piece.end.tile - piece.begin.tile, a.step);
    } else if constexpr (std::is_same_v<measure, loops::measure::atoms>) {
      ASSERT_LE(piece.atoms().size(), a.step);
    } else if constexpr (std::is_same_v<measure, loops::measure::pieces>) {
      ASSERT_EQ(piece.begin.tile, number / a.what.per_tile);
      ASSERT_LE(piece.end.tile - piece.begin.tile, 1);
    } else if constexpr (std::is_same_v<measure, loops::measure::shares_then_tiles>) {
      if (number >= a.what.shares) {
        ASSERT_EQ(piece.end.tile - piece.begin.tile, 1);
      }
    } else {
      ASSERT_LE(piece.steps(), a.step);
    }
    at = piece.end;
  }
  ASSERT_EQ(at, end);
  for (std::int64_t t = 0; t < w.tiles(); ++t) {
    const std::int64_t first = w.offset(t);
    if (w.offset(t + 1) == first) continue;
    const std::int64_t n = a.slice_of(w, t);
    ASSERT_TRUE(n >= 0 && n < a.slices) << "tile " << t;
    const slice& holder = slices[static_cast<std::size_t>(n)];
    ASSERT_TRUE(holder.begin.atom <= first && first < holder.end.atom)
        << "tile " << t << " does not begin in slice " << n;
  }
}

}  // namespace geometry
