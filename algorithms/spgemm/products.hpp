// SPDX-License-Identifier: Apache-2.0
/// The products of one row of C, handed to the lanes of a group in a fixed order; and their sums.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::spgemm_detail {

/// Where A and B have nonzeros.
template <class I, class O>
struct patterns {
  const O* a_offsets;
  const I* a_columns;
  const O* b_offsets;
  const I* b_columns;
  std::int64_t cols;  ///< of B

  /// How many products a nonzero of A has: the nonzeros of the row of B that its column names.
  [[nodiscard]] LOOPS_HD std::int64_t partners(std::int64_t nonzero) const {
    const I row = a_columns[nonzero];
    return static_cast<std::int64_t>(b_offsets[row + 1] - b_offsets[row]);
  }
};

/// The products that are wanted of a row: all, or, where rows of B are sorted, those of columns
/// low … high.
template <class I>
struct window {
  bool all = true;
  I low = 0;
  I high = 0;
};

/// Shared memory for `for_each_product`.
template <class Block>
struct product_storage {
  group_storage<Block, std::int64_t> scan;
  std::int64_t first[Block::threads];   ///< per nonzero of A: where in B its products begin
  std::int64_t before[Block::threads];  ///< and how many products there are before them
};

/// Calls `f(mine, nonzero of A, nonzero of B)` for the products of the nonzeros [first, last) of A,
/// row by row of B. Lanes: all of a group, and of the groups that synchronise with it, make the
/// same calls; consecutive lanes get consecutive products, and `mine` is false where there are no
/// more. `f` returns whether to go on; lanes that call together agree on it.
template <class Block, int Lanes, class I, class O, class F>
LOOPS_HD void for_each_product(const group<Block, Lanes>& g, product_storage<Block>& shared,
                               const patterns<I, O>& m, std::int64_t first, std::int64_t last,
                               const window<I>& wanted, const F& f) {
  const auto range = [&](std::int64_t nonzero) {
    const I row = m.a_columns[nonzero];
    atom_range r{static_cast<std::int64_t>(m.b_offsets[row]),
                 static_cast<std::int64_t>(m.b_offsets[row + 1])};
    if (!wanted.all) {
      r.first = first_where(r.first, r.last,
                            [&](std::int64_t i) { return m.b_columns[i] >= wanted.low; });
      r.last = first_where(r.first, r.last,
                           [&](std::int64_t i) { return m.b_columns[i] > wanted.high; });
    }
    return r;
  };
  if constexpr (Block::threads == 1) {
    for (std::int64_t k = first; k < last; ++k) {
      const atom_range r = range(k);
      for (std::int64_t at = r.first; at < r.last; ++at)
        if (!f(true, k, at)) return;
    }
  } else {
    const int start = g.index() * g.size();
    const std::int64_t* before = shared.before + start;
    for (std::int64_t base = first; g.any(base < last); base += g.size()) {
      const std::int64_t k = base + g.rank();
      const atom_range r = k < last ? range(k) : atom_range{};
      const auto scanned = g.scan_open(r.size(), false, std::int64_t{0}, plus{}, shared.scan);
      shared.first[start + g.rank()] = r.first;
      shared.before[start + g.rank()] = scanned.before;
      g.sync();
      for (std::int64_t from = 0; g.any(from < scanned.total); from += g.size()) {
        const std::int64_t p = from + g.rank();
        const bool mine = p < scanned.total;
        int i = 0;
        if (mine) i = first_where(1, g.size(), [&](int j) { return before[j] > p; }) - 1;
        if (!f(mine, base + i, shared.first[start + i] + (p - before[i]))) return;
      }
      g.sync();
    }
  }
}

/// Adds each lane's `value` to sums[slot], lane by lane: always in the same order, whoever comes
/// first. A negative slot adds nothing. Lanes: all of the group; sums of different groups do not
/// overlap. Cost: `bits` ballots find the lanes of a wave that meet in a slot, the first of them
/// adds them up, and the waves of a group take turns, a barrier each.
template <class Block, int Lanes, class T>
LOOPS_HD void add_in_order(const group<Block, Lanes>& g, T* sums, std::int64_t slot, T value,
                           [[maybe_unused]] int bits) {
  if (g.size() == 1) {
    if (slot >= 0) sums[slot] = sums[slot] + value;
    return;
  }
  if constexpr (Block::threads > 1) {
    Block& block = g.block();
    const int lane = block.lane() & (Block::wave - 1);
    std::uint64_t peers = block.ballot(slot >= 0);
    if (g.size() < Block::wave) {
      const std::uint64_t members = (std::uint64_t{1} << g.size()) - 1;
      peers &= members << (lane & ~(g.size() - 1));
    }
    for (int b = 0; b < bits; ++b) {
      const bool set = (slot >> b & 1) != 0;
      const std::uint64_t same = block.ballot(set);
      peers &= set ? same : ~same;
    }
    const bool leads = slot >= 0 && native::lowest_bit(peers) == lane;
    std::uint64_t others = leads ? peers & (peers - 1) : 0;
    while (block.ballot(others != 0) != 0) {
      const T theirs = block.shuffle(value, others != 0 ? native::lowest_bit(others) : lane);
      if (others != 0) value = value + theirs;
      others &= others - 1;
    }
    const int turns = g.within_wave() ? 1 : g.size() / Block::wave;
    const int mine = g.within_wave() ? 0 : g.rank() / Block::wave;
    for (int turn = 0; turn < turns; ++turn) {
      if (leads && turn == mine) sums[slot] = sums[slot] + value;
      g.sync();
    }
  }
}

}  // namespace loops::spgemm_detail
