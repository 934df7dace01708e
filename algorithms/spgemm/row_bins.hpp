// SPDX-License-Identifier: Apache-2.0
/// Which group takes a row: rows in bins of about as many products each, and running sums over
/// rows; two kernels each, and no waiting.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <optional>

namespace loops::spgemm_detail {

/// Rows are gone over in stretches, a block each: few enough that a block may look at all of them.
struct stretches {
  std::int64_t rows = 0;
  std::int64_t length = 1;
  std::int64_t count = 0;

  explicit stretches(std::int64_t n) : rows(n) {
    constexpr std::int64_t least = 512;
    constexpr std::int64_t most = 2048;
    length = n > least * most ? ceil_div(n, most) : least;
    count = ceil_div(n, length);
  }
  [[nodiscard]] LOOPS_HD atom_range of(std::int64_t i) const {
    const std::int64_t end = (i + 1) * length;
    return {i * length, end < rows ? end : rows};
  }
};

/// Counts the rows of every bin; notes how many rows of a bin were counted before a stretch's.
struct count_in_bins {
  const std::int64_t* sizes;
  stretches all;
  std::int64_t* places;
  std::int64_t* totals;

  template <class Block>
  struct storage {
    int count[worker::by_bin::bins];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for (int b = block.lane(); b < worker::by_bin::bins; b += Block::threads) shared.count[b] = 0;
    block.sync();
    const atom_range mine = all.of(block.id());
    for (std::int64_t r = mine.first + block.lane(); r < mine.last; r += Block::threads)
      block.atomic_add(&shared.count[worker::by_bin::bin_of(sizes[r])], 1);
    block.sync();
    for (int b = block.lane(); b < worker::by_bin::bins; b += Block::threads)
      if (const std::int64_t n = shared.count[b]; n > 0)
        places[block.id() * worker::by_bin::bins + b] = block.atomic_add(totals + b, n);
  }
};

/// Puts the rows into their bins, in any order, and fills in the table.
struct put_in_bins {
  const std::int64_t* sizes;
  stretches all;
  const std::int64_t* places;
  const std::int64_t* totals;
  worker::by_bin who;
  machine m;
  bin_table* table;
  std::int64_t* tiles;

  template <class Block>
  struct storage {
    std::int64_t total[worker::by_bin::bins];
    std::int64_t first[worker::by_bin::bins];
    std::int64_t visits[worker::by_bin::bins];
    int next[worker::by_bin::bins];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr int bins = worker::by_bin::bins;
    for (int b = block.lane(); b < bins; b += Block::threads) {
      shared.total[b] = totals[b];
      shared.next[b] = 0;
    }
    block.sync();
    for (int b = block.lane(); b < bins; b += Block::threads) {
      std::int64_t before = 0;
      for (int i = 0; i < b; ++i) before += shared.total[i];
      shared.first[b] = before;
    }
    block.sync();
    const atom_range mine = all.of(block.id());
    for (std::int64_t r = mine.first + block.lane(); r < mine.last; r += Block::threads) {
      const int b = worker::by_bin::bin_of(sizes[r]);
      const std::int64_t at = shared.first[b] + places[block.id() * bins + b];
      tiles[at + block.atomic_add(&shared.next[b], 1)] = r;
    }
    if (block.id() != 0) return;
    for (int b = block.lane(); b < bins; b += Block::threads) {
      const int lanes = who.lanes(b, m);
      table->first[b] = shared.first[b];
      table->lanes[b] = lanes;
      shared.visits[b] = ceil_div(shared.total[b], std::int64_t{m.threads} / lanes * m.batch);
    }
    if (block.lane() == 0) table->first[bins] = all.rows;
    block.sync();
    for (int b = block.lane(); b <= bins; b += Block::threads) {
      std::int64_t before = 0;
      for (int i = 0; i < b; ++i) before += shared.visits[i];
      table->visit[b] = before;
    }
  }
};

/// Sums the sizes of every stretch.
struct sum_stretches {
  const std::int64_t* sizes;
  stretches all;
  std::int64_t* sums;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> sum;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const atom_range mine = all.of(block.id());
    std::int64_t sum = 0;
    for (std::int64_t r = mine.first + block.lane(); r < mine.last; r += Block::threads)
      sum += sizes[r];
    sum = g.reduce(sum, plus{}, shared.sum);
    if (block.lane() == 0) sums[block.id()] = sum;
  }
};

/// Writes the running sums of the sizes, and the sum of all.
template <class O>
struct write_running_sums {
  const std::int64_t* sizes;
  stretches all;
  const std::int64_t* sums;
  O* offsets;
  std::int64_t* total;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
    std::int64_t before;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    std::int64_t before = 0;
    for (std::int64_t i = block.lane(); i < block.id(); i += Block::threads) before += sums[i];
    before = g.reduce(before, plus{}, shared.scan);
    if (block.lane() == 0) shared.before = before;
    block.sync();
    std::int64_t open = shared.before;
    const atom_range mine = all.of(block.id());
    for (std::int64_t base = mine.first; base < mine.last; base += Block::threads) {
      const std::int64_t r = base + block.lane();
      const std::int64_t size = r < mine.last ? sizes[r] : 0;
      const auto scanned = g.scan_open(size, false, open, plus{}, shared.scan);
      if (r < mine.last) offsets[r] = static_cast<O>(scanned.before);
      open = scanned.total;
      block.sync();
    }
    if (block.id() + 1 == block.blocks() && block.lane() == 0) {
      offsets[all.rows] = static_cast<O>(open);
      *total = open;
    }
  }
};

/// A schedule of whole rows bound to rows whose sizes are on the device.
template <class Exec, class Schedule, class O, class Shape>
class row_takers {
  using point = decltype(std::declval<const Schedule&>().compose());
  static constexpr bool binned = std::is_same_v<typename point::worker_type, worker::by_bin>;
  using plan_type = tile_plan<Exec, Schedule, segments<O>, O, Shape>;

 public:
  using bound_type = typename plan_type::bound_type;

  /// `rows`: any work with these tiles. Where bins decide, a row of at most `per_lane` for every
  /// lane of a wave gets no more than the wave: larger groups wait for each other. Waits for
  /// nothing.
  row_takers(const Exec& exec, const Schedule& schedule, const segments<O>& rows,
             const std::int64_t* sizes, [[maybe_unused]] std::int64_t per_lane) {
    if constexpr (binned) {
      const machine m = exec.template describe<Shape>();
      point p = schedule.compose();
      detail::check_schedulable(p, rows);
      for (int b = 0; (std::int64_t{1} << b) - 1 <= per_lane * m.wave; ++b)
        if (p.who.size[b] > m.wave) p.who.size[b] = static_cast<short>(m.wave);
      bound_.w = rows;
      bound_.a = p.bind(rows, m);
      // A visit takes a row at least.
      bound_.a.blocks = rows.tiles() < m.blocks ? rows.tiles() : m.blocks;
      if (rows.tiles() == 0) return;
      const auto& where = exec.memory();
      const stretches all(rows.tiles());
      constexpr std::size_t bins = worker::by_bin::bins;
      table_ = array<bin_table>(1, where);
      tiles_ = array<std::int64_t>(static_cast<std::size_t>(rows.tiles()), where);
      array<std::int64_t> counts((static_cast<std::size_t>(all.count) + 1) * bins, where);
      where->fill(counts.data(), 0, bins * sizeof(std::int64_t));
      std::int64_t* const places = counts.data() + bins;
      exec.template launch<Shape>(all.count, count_in_bins{sizes, all, places, counts.data()});
      exec.template launch<Shape>(all.count, put_in_bins{sizes, all, places, counts.data(), p.who,
                                                         m, table_.data(), tiles_.data()});
      bound_.bins = table_.data();
      bound_.binned_tiles = tiles_.data();
    } else {
      plan_.emplace(exec, schedule, rows);
      bound_ = plan_->bound_schedule();
    }
  }

  [[nodiscard]] const bound_type& bound() const { return bound_; }
  [[nodiscard]] std::size_t bytes() const {
    return table_.size() * sizeof(bin_table) + tiles_.size() * sizeof(std::int64_t) +
           (plan_ ? plan_->bytes() : 0);
  }

 private:
  bound_type bound_;
  array<bin_table> table_;
  array<std::int64_t> tiles_;
  std::optional<plan_type> plan_;
};

}  // namespace loops::spgemm_detail
