// SPDX-License-Identifier: Apache-2.0
/// The columns of a table, written in ascending order.
#pragma once

#include "algorithms/spgemm/table.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/collective/peers.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/path.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace loops::spgemm_detail {

/// Moves the columns of a table, which is one no longer, to the front, in no order to rely on.
/// Lanes: as for `write_sorted`. Cost: a barrier for every slot of a lane.
template <class I, class Block, int Lanes>
LOOPS_HD void move_to_front(const group<Block, Lanes>& g, const column_table<I>& t,
                            group_storage<Block, int>& shared) {
  using word = lane_bits<Block>;
  Block& block = g.block();
  const auto size = static_cast<std::uint32_t>(g.size());
  const word below = (word{1} << (block.lane() & (Block::wave - 1))) - 1;
  const word members = g.within_wave() ? lanes_of(g) : word{0};
  int before = 0;
  for (std::uint32_t base = 0; base < t.size(); base += size) {
    const std::uint32_t at = base + static_cast<std::uint32_t>(g.rank());
    const I column = at < t.size() ? t.slots[at] : column_table<I>::none;
    const bool held = column != column_table<I>::none;
    int place = before;
    if (g.within_wave()) {
      const word all = static_cast<word>(block.ballot(held)) & members;
      place += std::popcount(all & below);
      before += std::popcount(all);
    } else {
      const auto scanned = g.scan_open(held ? 1 : 0, false, before, plus{}, shared);
      place = scanned.before;
      before = scanned.total;
    }
    g.sync();
    if (held) t.slots[place] = column;
  }
  g.sync();
}

/// A bit for every column, 32 of them in a slot.
template <class I>
struct slot_bits {
  I* slots;

  [[nodiscard]] static LOOPS_HD std::uint32_t slots_for(std::int64_t cols) {
    return static_cast<std::uint32_t>(ceil_div(cols, 32));
  }
  /// Adds a column; returns whether there is one more now.
  template <class Block>
  LOOPS_HD bool insert(Block& block, I column) const {
    const auto bit = static_cast<I>(std::uint32_t{1} << (column & 31));
    I* const at = slots + (column >> 5);
    return (native::load_relaxed(at) & bit) == 0 && (block.atomic_or(at, bit) & bit) == 0;
  }
};

/// Writes the columns that have their bit in the first `words` slots to `to`, ascending. Lanes: all
/// of the group, and of those that synchronise with it.
template <class I, class Block, int Lanes>
LOOPS_HD void write_bits(const group<Block, Lanes>& g, const slot_bits<I>& bits,
                         std::uint32_t words, I* to, group_storage<Block, int>& shared) {
  const auto rank = static_cast<std::uint32_t>(g.rank());
  const auto size = static_cast<std::uint32_t>(g.size());
  int before = 0;
  for (std::uint32_t base = 0; g.any(base < words); base += size) {
    auto word = base + rank < words ? static_cast<std::uint32_t>(bits.slots[base + rank]) : 0u;
    const auto scanned = g.scan_open(std::popcount(word), false, before, plus{}, shared);
    I* next = to + scanned.before;
    for (; word != 0; word &= word - 1)
      *next++ = static_cast<I>(base + rank) * 32 + static_cast<I>(native::lowest_bit(word));
    before = scanned.total;
    g.sync();
  }
}

/// Writes `count` different columns to `to`, ascending, by a bit for each of 32 * `words` columns.
/// Lanes: as for `write_bits`.
template <class I, class Block, int Lanes>
LOOPS_HD void write_by_bits(const group<Block, Lanes>& g, const I* columns, std::uint32_t count,
                            const slot_bits<I>& bits, std::uint32_t words, I* to,
                            group_storage<Block, int>& shared) {
  const auto rank = static_cast<std::uint32_t>(g.rank());
  const auto size = static_cast<std::uint32_t>(g.size());
  for (std::uint32_t i = rank; i < words; i += size) bits.slots[i] = 0;
  g.sync();
  for (std::uint32_t i = rank; i < count; i += size) bits.insert(g.block(), columns[i]);
  g.sync();
  write_bits(g, bits, words, to, shared);
}

/// Writes the columns of a table, which is one no longer, to `to`, ascending; all are less than
/// `cols`. Lanes: all of the group; groups that synchronise with each other have tables of equal
/// bits. Sync: the table is free after the next barrier. Cost: for one lane a standard sort; for
/// few columns a comparison of each with each; where the table has room for it, a bit per column;
/// otherwise about b (b + 1) / 2 steps over 2^b columns, a barrier each.
LOOPS_CALLS_USER
template <class I, class Block, int Lanes>
LOOPS_HD void write_sorted(const group<Block, Lanes>& g, const column_table<I>& t,
                           std::int64_t columns, [[maybe_unused]] std::int64_t cols, I* to,
                           [[maybe_unused]] group_storage<Block, int>& shared) {
  if constexpr (Block::threads == 1) {
    I* end = t.slots;
    for (std::uint32_t i = 0; i < t.size(); ++i)
      if (t.slots[i] != column_table<I>::none) *end++ = t.slots[i];
    std::sort(t.slots, end);
    for (std::int64_t i = 0; i < columns; ++i) to[i] = t.slots[i];
  } else {
    move_to_front(g, t, shared);
    const auto count = static_cast<std::uint32_t>(columns);
    const auto rank = static_cast<std::uint32_t>(g.rank());
    const auto size = static_cast<std::uint32_t>(g.size());
    constexpr std::uint32_t few = 96;
    if (!g.any(count > few)) {
      for (std::uint32_t i = rank; i < count; i += size) {
        const I column = t.slots[i];
        std::uint32_t smaller = 0;
        for (std::uint32_t j = 0; j < count; ++j) smaller += t.slots[j] < column ? 1u : 0u;
        to[smaller] = column;
      }
      return;
    }
    const std::int64_t words = ceil_div(cols, 32);
    const std::int64_t fit = std::int64_t{t.size()} - columns;
    if (!g.any(count > 0 && (words > 4 * columns || words > fit))) {
      const std::uint32_t wanted = count > 0 ? static_cast<std::uint32_t>(words) : 0;
      write_by_bits(g, t.slots, count, slot_bits<I>{t.slots + count}, wanted, to, shared);
      return;
    }
    // A bitonic network over the least power of two; what is no column comes first.
    int bits = 1;
    while (g.any((std::uint32_t{1} << bits) < count)) ++bits;
    const std::uint32_t all = std::uint32_t{1} << bits;
    for (std::uint32_t i = rank; i < all; i += size)
      if (i >= count) t.slots[i] = column_table<I>::none;
    g.sync();
    for (std::uint32_t run = 2; run <= all; run *= 2)
      for (std::uint32_t apart = run / 2; apart > 0; apart /= 2) {
        for (std::uint32_t i = rank; i < all / 2; i += size) {
          const std::uint32_t low = ((i & ~(apart - 1)) << 1) | (i & (apart - 1));
          const std::uint32_t high = low | apart;
          const I a = t.slots[low];
          const I b = t.slots[high];
          if ((a > b) == ((low & run) == 0)) {
            t.slots[low] = b;
            t.slots[high] = a;
          }
        }
        g.sync();
      }
    for (std::uint32_t i = rank; i < count; i += size) to[i] = t.slots[all - count + i];
  }
}

}  // namespace loops::spgemm_detail
