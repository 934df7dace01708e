// SPDX-License-Identifier: Apache-2.0
/// Who does what, row by row and lane by lane: what a drawing of a schedule shows.
#pragma once

#include "loops/model/imbalance.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace loops::cli {

/// A stretch of one worker in one row, or in one band of neighbouring rows.
struct stretch {
  std::int64_t slot = 0;   ///< the block that takes it
  int first_lane = 0;      ///< of the worker, in its block
  std::int64_t slice = 0;  ///< running number of the slice
  std::int64_t atoms = 0;
  std::int64_t ends = 0;  ///< rows that it closes
};

/// Everything a drawing needs, already summed up to a size that fits a page.
struct picture {
  machine on;
  std::int64_t rows = 0;
  std::int64_t slices = 0;
  std::int64_t rows_per_band = 1;
  std::vector<std::vector<stretch>> bands;
  bool per_lane = false;           ///< a bar per lane; else one per block
  std::vector<std::int64_t> bars;  ///< steps of each lane, or of each block's busiest lane
  model::load_balance balance;
};

/// Plays `schedule` and sums it up into at most `most_bands` bands of rows.
template <class Composed>
picture picture_of(const Composed& schedule, const segments<std::int64_t>& w, const machine& m,
                   std::int64_t most_bands, std::size_t most_bars) {
  picture out;
  out.on = m;
  out.rows = w.tiles();
  std::vector<std::int64_t> slot_of;  // each visit
  out.balance =
      model::balance_of(schedule, w, m, [&](std::int64_t slot) { slot_of.push_back(slot); });
  out.rows_per_band = std::max<std::int64_t>(1, ceil_div(w.tiles(), most_bands));
  out.bands.resize(static_cast<std::size_t>(ceil_div(w.tiles(), out.rows_per_band)));
  std::vector<std::int64_t> lanes(static_cast<std::size_t>(out.balance.lanes));
  model::for_each_assigned(schedule, w, m, [&](const model::assigned_slice& s) {
    const std::int64_t slot = slot_of[static_cast<std::size_t>(s.visit)];
    const auto first = static_cast<int>(s.group) * s.lanes;
    for (int i = 0; i < s.lanes; ++i)
      lanes[static_cast<std::size_t>(slot * m.threads + first + i)] += s.cost;
    const std::int64_t number = out.slices++;
    const slice& r = s.range;
    for (std::int64_t t = r.begin.tile; t <= r.end.tile && t < w.tiles(); ++t) {
      const std::int64_t from = std::max(r.begin.atom, w.offset(t));
      const std::int64_t to = std::min(r.end.atom, w.offset(t + 1));
      const stretch next{slot, first, number, std::max<std::int64_t>(0, to - from), t < r.end.tile};
      if (next.atoms + next.ends == 0) continue;
      auto& band = out.bands[static_cast<std::size_t>(t / out.rows_per_band)];
      if (out.rows_per_band > 1 && !band.empty() && band.back().slot == slot &&
          band.back().first_lane == first) {
        band.back().atoms += next.atoms;
        band.back().ends += next.ends;
      } else {
        band.push_back(next);
      }
    }
  });
  out.per_lane = lanes.size() <= most_bars;
  out.bars = out.per_lane ? lanes : out.balance.loads;
  if (out.bars.size() > most_bars) {
    // The largest of each run: what a drawing must not hide is who is late.
    std::vector<std::int64_t> fewer(most_bars);
    for (std::size_t i = 0; i < out.bars.size(); ++i) {
      auto& bar = fewer[i * most_bars / out.bars.size()];
      bar = std::max(bar, out.bars[i]);
    }
    out.bars = fewer;
  }
  return out;
}

}  // namespace loops::cli
