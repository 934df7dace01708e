// SPDX-License-Identifier: Apache-2.0
/// Which group takes a row: rows in bins of about as many products each; and running sums over
/// rows. No waiting.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/collective/running_sums.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <optional>

namespace loops::spgemm_detail {

/// The sizes of rows, one after another.
struct listed_sizes {
  const std::int64_t* sizes;
  LOOPS_HD std::int64_t operator()(std::int64_t row) const { return sizes[row]; }
};

/// Sums the sizes of every stretch.
struct sum_stretches {
  const std::int64_t* sizes;
  detail::stretches all;
  std::int64_t* sums;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> sum;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const std::int64_t last = all.first(block.id() + 1);
    std::int64_t sum = 0;
    for (std::int64_t r = all.first(block.id()) + block.lane(); r < last; r += Block::threads)
      sum += sizes[r];
    sum = g.reduce(sum, plus{}, shared.sum);
    if (block.lane() == 0) sums[block.id()] = sum;
  }
};

/// Writes the running sums of the sizes, and the sum of all.
template <class O>
struct write_running_sums {
  const std::int64_t* sizes;
  detail::stretches all;
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
    const std::int64_t through = running_sums(
        g, all.first(block.id()), all.first(block.id() + 1), shared.before, shared.scan,
        [&](std::int64_t r) { return sizes[r]; },
        [&](std::int64_t r, std::int64_t sum, std::int64_t) { offsets[r] = static_cast<O>(sum); });
    if (block.id() + 1 == block.blocks() && block.lane() == 0) {
      offsets[all.tiles] = static_cast<O>(through);
      *total = through;
    }
  }
};

/// Blocks that go from row to row are a few times as many as the machine holds at most: with their
/// shared memory it holds fewer, and as many as it would hold without come in two uneven rounds.
inline constexpr std::int64_t some_rounds = 4;

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
      const std::int64_t rounds = some_rounds * m.blocks;
      bound_.a.blocks = rows.tiles() < rounds ? rows.tiles() : rounds;
      if (rows.tiles() == 0) return;
      bins_ = binned_tiles::sorted<Shape>(exec, rows.tiles(), listed_sizes{sizes}, p.who, m);
      bound_.bins = bins_.table();
      bound_.binned_tiles = bins_.tiles();
    } else {
      plan_.emplace(exec, schedule, rows);
      bound_ = plan_->bound_schedule();
    }
  }

  [[nodiscard]] const bound_type& bound() const { return bound_; }
  [[nodiscard]] std::size_t bytes() const { return bins_.bytes() + (plan_ ? plan_->bytes() : 0); }

 private:
  bound_type bound_;
  binned_tiles bins_;
  std::optional<plan_type> plan_;
};

}  // namespace loops::spgemm_detail
