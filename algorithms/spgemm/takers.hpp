// SPDX-License-Identifier: Apache-2.0
/// Who takes a row of C: the group that a schedule chooses, or a block; and what they have room
/// for.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/lrb.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace loops::spgemm_detail {

/// A row of C, or those of its entries from `first` on that one table takes.
struct piece {
  std::int64_t row;
  std::int64_t first;
};

/// The launch shape of the groups that a schedule chooses.
using row_shape = shape<128, 8>;
/// And of blocks that take what those have no room for: as many lanes as have room for their share
/// in shared memory.
using list_shape = shape<LOOPS_CUDA ? 512 : 256, 8>;

/// Who takes rows of C: a table holds a whole row, so a schedule that cuts rows leaves them to
/// bins.
template <class Schedule>
auto of_rows(const Schedule& schedule) {
  using measure_type = typename decltype(schedule.compose())::measure_type;
  if constexpr (std::is_same_v<measure_type, measure::one_tile>) {
    return schedule;
  } else {
    return schedule::lrb{};
  }
}

/// Hands every row to a group that the schedule chooses.
template <class Bound, class Agent>
struct take_rows {
  Bound bound;
  Agent agent;

  template <class Block>
  struct storage {
    visit_storage visit;
    typename Agent::template storage<Block> of;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      agent.template take<false>(group<Block>(block, v.lanes), shared.of, v.valid, {v.tile, 0});
    });
  }
};

/// Hands every piece of a list to a block.
template <class Agent>
struct take_listed {
  Agent agent;
  const piece* list;
  const std::int64_t* count;

  template <class Block>
  struct storage {
    typename Agent::template storage<Block> of;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const std::int64_t n = *count;
    for (std::int64_t i = block.id(); i < n; i += block.blocks())
      agent.template take<true>(g, shared.of, true, list[i]);
  }
};

/// What the products of rows are like, where somebody has looked.
struct row_sizes {
  std::int64_t longest = 0;
  std::int64_t products = 0;  ///< of all rows
  std::int64_t room = 0;      ///< for a lane's share of the entries of C, while they are summed
};

/// A schedule of whole rows bound to rows whose sizes are on the device, and blocks for what its
/// groups have no room for.
template <class Exec, class Schedule, class O>
class row_takers {
  using row_schedule = decltype(of_rows(std::declval<const Schedule&>()));
  using point = decltype(std::declval<const row_schedule&>().compose());
  static constexpr bool binned = std::is_same_v<typename point::worker_type, worker::by_bin>;
  using plan_type = tile_plan<Exec, row_schedule, segments<O>, O, row_shape>;
  using bound_type = typename plan_type::bound_type;

  /// Blocks that go from row to row are a few times as many as the machine holds at most: with
  /// their shared memory it holds fewer, and as many as it would hold without come in two uneven
  /// rounds.
  static constexpr std::int64_t some_rounds = 4;

 public:
  /// `rows`: any work with these tiles. Where bins decide, a row of at most `per_lane` for every
  /// lane of a wave gets no more than the wave: larger groups wait for each other. Waits for
  /// nothing.
  row_takers(const Exec& exec, const Schedule& schedule, const segments<O>& rows,
             const std::int64_t* sizes, [[maybe_unused]] std::int64_t per_lane,
             const row_sizes& = {})
      : exec_(exec) {
    if constexpr (binned) {
      const machine m = exec.template describe<row_shape>();
      point p = of_rows(schedule).compose();
      detail::check_schedulable(exec, p, rows);
      for (int b = 0; (std::int64_t{1} << b) - 1 <= per_lane * m.wave; ++b)
        if (p.who.size[b] > m.wave) p.who.size[b] = static_cast<short>(m.wave);
      bound_.w = rows;
      bound_.a = p.bind(rows, m);
      // A visit takes a row at least.
      bound_.a.blocks = std::min(rows.tiles(), some_rounds * m.blocks);
      if (rows.tiles() == 0) return;
      bins_ = binned_tiles::sorted<row_shape>(exec, rows.tiles(), element_of{sizes}, p.who, m);
      bound_.bins = bins_.table();
      bound_.binned_tiles = bins_.tiles();
    } else {
      plan_.emplace(exec, of_rows(schedule), rows);
      bound_ = plan_->bound_schedule();
    }
  }

  /// All rows, each to the group that the schedule chooses.
  template <class Agent>
  void take(const Agent& agent) const {
    if (bound_.w.tiles() == 0) return;
    exec_.template launch<row_shape>(bound_.a.blocks, take_rows<bound_type, Agent>{bound_, agent});
  }
  /// The first `*count` pieces of a list, a block each.
  template <class Agent>
  void take(const array<piece>& list, const std::int64_t* count, const Agent& agent) const {
    const auto most = static_cast<std::int64_t>(list.size());
    if (most == 0) return;
    const std::int64_t rounds = some_rounds * exec_.template describe<list_shape>().blocks;
    exec_.template launch<list_shape>(std::min(most, rounds),
                                      take_listed<Agent>{agent, list.data(), count});
  }

  [[nodiscard]] std::size_t bytes() const { return bins_.bytes() + (plan_ ? plan_->bytes() : 0); }

 private:
  Exec exec_;
  bound_type bound_;
  binned_tiles bins_;
  std::optional<plan_type> plan_;
};

}  // namespace loops::spgemm_detail
