// SPDX-License-Identifier: Apache-2.0
/// Sorts the tiles of a work by bin, on the device, stably and without atomics.
#pragma once

#include "loops/algorithm/bound.hpp"

#include <cstdint>

namespace loops::detail {

/// Every lane counts, per bin, one stretch of `stretch` tiles: counts[bin * lanes + lane].
template <class Work>
struct count_bins {
  Work w;
  std::int64_t* counts;
  std::int64_t stretch;
  std::int64_t stretches;

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i >= stretches) return;
    for (int b = 0; b < worker::by_bin::bins; ++b) counts[b * stretches + i] = 0;
    const std::int64_t last = (i + 1) * stretch < w.tiles() ? (i + 1) * stretch : w.tiles();
    for (std::int64_t t = i * stretch; t < last; ++t)
      ++counts[worker::by_bin::bin_of(atoms_of(w, t).size()) * stretches + i];
  }
};

/// One block turns counts into places and fills in the table.
struct scan_bins {
  std::int64_t* counts;
  std::int64_t stretches;
  worker::by_bin who;
  bin_table* table;
  machine m;

  struct add {
    LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
  };
  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    std::int64_t before = 0;
    for (int b = 0; b < worker::by_bin::bins; ++b) {
      if (block.lane() == 0) table->first[b] = before;
      std::int64_t* const row = counts + b * stretches;
      for (std::int64_t base = 0; base < stretches; base += Block::threads) {
        const std::int64_t i = base + block.lane();
        const std::int64_t mine = i < stretches ? row[i] : 0;
        const auto s = g.scan_open(mine, false, before, add{}, shared.scan);
        if (i < stretches) row[i] = s.before;
        before = s.total;
        block.sync();
      }
    }
    if (block.lane() != 0) return;
    table->first[worker::by_bin::bins] = before;
    std::int64_t visits = 0;
    for (int b = 0; b < worker::by_bin::bins; ++b) {
      table->visit[b] = visits;
      table->lanes[b] = who.lanes(b, m);
      const std::int64_t per_visit = m.threads / table->lanes[b] * m.batch;
      visits += ceil_div(table->first[b + 1] - table->first[b], per_visit);
    }
    table->visit[worker::by_bin::bins] = visits;
  }
};

/// Every lane puts the tiles of its stretch where they belong.
template <class Work>
struct scatter_bins {
  Work w;
  std::int64_t* places;
  std::int64_t stretch;
  std::int64_t stretches;
  std::int64_t* tiles;

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i >= stretches) return;
    const std::int64_t last = (i + 1) * stretch < w.tiles() ? (i + 1) * stretch : w.tiles();
    for (std::int64_t t = i * stretch; t < last; ++t)
      tiles[places[worker::by_bin::bin_of(atoms_of(w, t).size()) * stretches + i]++] = t;
  }
};

}  // namespace loops::detail
