// SPDX-License-Identifier: Apache-2.0
/// The columns of one row of C: a group of lanes counts them, and lists them.
#pragma once

#include "algorithms/spgemm/ascending.hpp"
#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/table.hpp"
#include "algorithms/spgemm/takers.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::spgemm_detail {

/// What is counted while a plan is made.
struct tally {
  std::int64_t kept = 0;      ///< columns for which room was asked
  std::int64_t pending = 0;   ///< rows that a block has to count
  std::int64_t far = 0;       ///< rows that no block has room for
  std::int64_t unlisted = 0;  ///< rows that a block has to list
  std::int64_t unfit = 0;     ///< rows that their group has no room to sum
  std::int64_t pieces = 0;    ///< what blocks sum of them
  std::int64_t entries = 0;   ///< of C
  std::int64_t descents = 0;  ///< nonzeros of B that stand behind a larger column of their row
  std::int64_t repeats = 0;   ///< and behind the same
  std::int64_t longest = 0;   ///< products of a row, and …
  std::int64_t products = 0;  ///< … of all, where the schedule leaves it open who takes rows
};

/// Room for columns that were found while they were counted, row by row as they come: to sort a
/// table costs less than to fill one again.
template <class I>
struct kept_columns {
  I* columns;
  std::int64_t room;
  std::int64_t* places;  ///< of the first column of each row, or -1
};

/// Shared memory for `told`.
template <class Block>
struct told_storage {
  std::int64_t value[Block::threads / Block::wave];
};

/// What the first lane of a group has, on all of them. Lanes: all. Sync: two barriers when larger
/// than a wave.
template <class Block, int Lanes>
LOOPS_HD std::int64_t told(const group<Block, Lanes>& g, std::int64_t v,
                           [[maybe_unused]] told_storage<Block>& shared) {
  if constexpr (Block::threads > 1) {
    Block& block = g.block();
    if (g.within_wave())
      return block.shuffle(v, block.lane() & (Block::wave - 1) & ~(g.size() - 1));
    std::int64_t& place = shared.value[g.index() * g.size() / Block::wave];
    g.sync();
    if (g.rank() == 0) place = v;
    g.sync();
    v = place;
  }
  return v;
}

/// Advances a counter by what every group wants, and says where its share begins. `wanted`: on all
/// lanes of a group. Lanes: all of the group. Cost: one atomic per wave.
template <class Block, int Lanes>
LOOPS_HD std::int64_t reserve(const group<Block, Lanes>& g, std::int64_t* counter,
                              std::int64_t wanted, told_storage<Block>& shared) {
  Block& block = g.block();
  std::int64_t place = 0;
  if (g.size() < Block::wave) {
    const int lane = block.lane() & (Block::wave - 1);
    const int mine = g.rank() == 0 ? static_cast<int>(wanted) : 0;
    int through = mine;
    for (int d = 1; d < Block::wave; d *= 2) {
      const int left = block.shuffle_up(through, d);
      if (lane >= d) through += left;
    }
    if (lane == Block::wave - 1 && through > 0)
      place = block.atomic_add(counter, std::int64_t{through});
    place = block.shuffle(place, Block::wave - 1) + through - mine;
  } else if (g.rank() == 0 && wanted > 0) {
    place = block.atomic_add(counter, wanted);
  }
  return told(g, place, shared);
}

/// Whether a block has a bit for every column in place of its tables.
template <class Block, class I>
[[nodiscard]] constexpr LOOPS_HD bool has_bits(std::int64_t cols) {
  return Block::threads > 1 && cols <= 32 * std::int64_t{slots_in<Block>(sizeof(I))};
}

/// Sets the bits of all columns of a row; returns how many of them this lane was the first to set.
/// Lanes: all of the block. Sync: others see them after it.
template <class Block, int Lanes, class I, class O>
LOOPS_HD std::int64_t fill_bits(const group<Block, Lanes>& g, const patterns<I, O>& m,
                                std::int64_t row, const slot_bits<I>& bits) {
  const std::uint32_t words = bits.slots_for(m.cols);
  for (auto i = static_cast<std::uint32_t>(g.rank()); i < words;
       i += static_cast<std::uint32_t>(g.size()))
    bits.slots[i] = 0;
  g.sync();
  std::int64_t added = 0;
  for_each_product_column(g, m, static_cast<std::int64_t>(m.a_offsets[row]),
                          static_cast<std::int64_t>(m.a_offsets[row + 1]), [&](bool has, I column) {
                            if (has && bits.insert(g.block(), column)) ++added;
                            return true;
                          });
  g.sync();
  return added;
}

/// Counts the columns of a row, and keeps them where there is room. A row that may have more than
/// its group has room for is noted for a block; one that does have more than a block has room for,
/// as far.
template <class I, class O>
struct count_row {
  patterns<I, O> m;
  const std::int64_t* products;  ///< of each row
  std::int64_t* counts;
  kept_columns<I> kept;
  tally* seen;
  piece* pending;         ///< rows, each with the lanes of its group
  piece* far;             ///< rows, each with its products
  std::size_t sum_bytes;  ///< of a slot of the tables that sum

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> sum;
    group_storage<Block, int> move;
    told_storage<Block> told;
    int found;
    I slots[slots_in<Block>(sizeof(I))];
  };

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    Block& block = g.block();
    const std::int64_t all = valid ? products[p.row] : 0;
    const std::int64_t most = all < m.cols ? all : m.cols;
    const std::int64_t room = room_in<Block>(sizeof(I), g.size());
    const bool fits = most <= room;
    if constexpr (Listed && Block::threads > 1) {
      if (!fits && has_bits<Block, I>(m.cols)) return take_by_bits(g, shared, p, all);
    }
    const bool mine = valid && (fits || Listed);
    const int bits = common_bits<I>(g, !mine ? 0 : fits ? most : room, false);
    const column_table<I> table{
        shared.slots + slots_in<Block>(sizeof(I)) / Block::threads * g.size() * g.index(), bits};
    clear(g, table);
    if (Listed && g.rank() == 0) shared.found = 0;
    g.sync();
    std::int64_t added = 0;
    const std::int64_t first = mine ? static_cast<std::int64_t>(m.a_offsets[p.row]) : 0;
    const std::int64_t last = mine ? static_cast<std::int64_t>(m.a_offsets[p.row + 1]) : 0;
    for_each_product_column(g, m, first, last, [&](bool has, I column) {
      const bool fresh = has && table.template insert<Block::threads == 1>(block, column);
      if (fresh) ++added;
      if constexpr (Listed) {
        if (fits) return true;
        // At most one column per lane more than there is room for.
        if (fresh) block.atomic_add(&shared.found, 1);
        return block.ballot(native::load_relaxed(&shared.found) > room) == 0;
      }
      return true;
    });
    g.sync();
    const std::int64_t count = told(g, g.reduce(added, plus{}, shared.sum), shared.told);
    const bool counted = mine && count <= room;
    if (valid && g.rank() == 0) note<Listed>(g, p, all, counted ? count : -1);
    keep(g, shared, valid, p.row, counted ? count : 0, [&](std::int64_t columns, I* to) {
      write_sorted(g, table, columns, m.cols, to, shared.move);
    });
  }

 private:
  /// A block counts a row that has more columns than a table has room for.
  LOOPS_CALLS_USER
  template <class Block, int Lanes>
  LOOPS_HD void take_by_bits(const group<Block, Lanes>& g, storage<Block>& shared, piece p,
                             std::int64_t all) const {
    const slot_bits<I> bits{shared.slots};
    const std::int64_t count =
        told(g, g.reduce(fill_bits(g, m, p.row, bits), plus{}, shared.sum), shared.told);
    if (g.rank() == 0) note<true>(g, p, all, count);
    keep(g, shared, true, p.row, count, [&](std::int64_t columns, I* to) {
      write_bits(g, bits, columns > 0 ? bits.slots_for(m.cols) : 0, to, shared.move);
    });
  }

  /// Count -1: there was no room.
  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void note(const group<Block, Lanes>& g, piece p, std::int64_t all,
                     std::int64_t count) const {
    Block& block = g.block();
    counts[p.row] = count < 0 ? 0 : count;
    if (!Listed && count < 0) {
      pending[block.atomic_add(&seen->pending, std::int64_t{1})] = {p.row, g.size()};
      return;
    }
    if (count < 0) far[block.atomic_add(&seen->far, std::int64_t{1})] = {p.row, all};
    const int lanes = Listed ? static_cast<int>(p.first) : g.size();
    if (count < 0 || count > room_in<Block>(sum_bytes, lanes))
      block.atomic_add(&seen->unfit, std::int64_t{1});
  }

  /// `write(count, to)` writes so many columns, ascending. Lanes: all, of all groups of a block.
  LOOPS_CALLS_USER
  template <class Block, int Lanes, class Write>
  LOOPS_HD void keep(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     std::int64_t row, std::int64_t count, const Write& write) const {
    const std::int64_t place = reserve(g, &seen->kept, count, shared.told);
    const bool keeps = count > 0 && place + count <= kept.room;
    if (valid && g.rank() == 0) kept.places[row] = keeps ? place : -1;
    if (g.any(keeps)) write(keeps ? count : 0, kept.columns + (keeps ? place : 0));
    g.sync();
  }
};

/// Writes the columns of a row, ascending. A row that does not fit its group is noted for a block;
/// one that no block has room for is listed elsewhere.
template <class I, class O>
struct list_row {
  patterns<I, O> m;
  const O* offsets;
  I* columns;
  kept_columns<I> kept;
  tally* seen;
  piece* unlisted;
  std::int64_t block_room;  ///< columns that a block has room for
  bool by_bits;             ///< whether it has a bit for each there is

  template <class Block>
  struct storage {
    group_storage<Block, int> move;
    I slots[slots_in<Block>(sizeof(I))];
  };

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    const std::int64_t begin = valid ? static_cast<std::int64_t>(offsets[p.row]) : 0;
    const std::int64_t count = valid ? static_cast<std::int64_t>(offsets[p.row + 1]) - begin : 0;
    const std::int64_t place = count > 0 ? kept.places[p.row] : -1;
    if (place >= 0)
      for (std::int64_t i = g.rank(); i < count; i += g.size())
        columns[begin + i] = kept.columns[place + i];
    const bool wanted = count > 0 && place < 0;
    const bool fits = count <= room_in<Block>(sizeof(I), g.size());
    if (!Listed && wanted && !fits && (count <= block_room || by_bits) && g.rank() == 0)
      unlisted[g.block().atomic_add(&seen->unlisted, std::int64_t{1})] = {p.row, 0};
    if constexpr (Listed && Block::threads > 1) {
      if (wanted && !fits && by_bits) {
        const slot_bits<I> bits{shared.slots};
        (void)fill_bits(g, m, p.row, bits);
        write_bits(g, bits, bits.slots_for(m.cols), columns + begin, shared.move);
        return;
      }
    }
    const bool mine = wanted && fits;
    if (!g.any(mine)) return;
    const int bits = common_bits<I>(g, mine ? count : 0, true);
    const column_table<I> table{
        shared.slots + slots_in<Block>(sizeof(I)) / Block::threads * g.size() * g.index(), bits};
    clear(g, table);
    g.sync();
    const std::int64_t first = mine ? static_cast<std::int64_t>(m.a_offsets[p.row]) : 0;
    const std::int64_t last = mine ? static_cast<std::int64_t>(m.a_offsets[p.row + 1]) : 0;
    for_each_product_column(g, m, first, last, [&](bool has, I column) {
      if (has) table.template insert<Block::threads == 1>(g.block(), column);
      return true;
    });
    g.sync();
    write_sorted(g, table, mine ? count : 0, m.cols, columns + (mine ? begin : 0), shared.move);
    g.sync();
  }
};

}  // namespace loops::spgemm_detail
