// SPDX-License-Identifier: Apache-2.0
/// What a group of lanes does with one row of C: counts its columns, lists them, sums its products.
#pragma once

#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/table.hpp"
#include "loops/algorithm/bound.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"

#include <cstdint>

namespace loops::spgemm_detail {

/// A row of C, or those of its entries from `first` on that one table takes.
struct piece {
  std::int64_t row;
  std::int64_t first;
};

/// How many slots of `bytes` bytes the tables of a block have together: a group gets its lanes'
/// share.
template <class Block>
constexpr int slots_in(std::size_t bytes) {
  if (Block::threads == 1) return 1 << lone_bits;
  return Block::threads * (bytes <= 4 ? 32 : bytes <= 12 ? 16 : 8);
}

/// The columns that a table of a group of `lanes` lanes takes.
template <class Block>
constexpr LOOPS_HD std::int64_t room_in(std::size_t bytes, int lanes) {
  return std::int64_t{slots_in<Block>(bytes)} / Block::threads * lanes * 3 / 4;
}

/// Room for columns that were found while they were counted, row by row as they come. Only a lane
/// that is alone keeps them: to sort a table is cheap for it, and to fill one again is not.
template <class I>
struct kept_columns {
  I* columns;
  std::int64_t room;
  std::int64_t* used;
  std::int64_t* places;  ///< of the first column of each row, or -1
};

/// Counts the columns of a row. One that may have more than there is room for gets `pending`, from
/// a group chosen by the schedule; from a whole block only if it does have more.
template <class I, class O>
struct count_row {
  static constexpr std::int64_t pending = -1;
  patterns<I, O> m;
  const std::int64_t* products;  ///< where the products of each row begin
  std::int64_t* counts;
  kept_columns<I> kept;

  template <class Block>
  struct storage {
    product_storage<Block> walk;
    group_storage<Block, std::int64_t> sum;
    int found;
    I slots[slots_in<Block>(sizeof(I))];
  };

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    Block& block = g.block();
    const std::int64_t all = valid ? products[p.row + 1] - products[p.row] : 0;
    const std::int64_t most = all < m.cols ? all : m.cols;
    const std::int64_t room = room_in<Block>(sizeof(I), g.size());
    const bool fits = most <= room;
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
    for_each_product(
        g, shared.walk, m, first, last, {}, [&](bool has, std::int64_t, std::int64_t at) {
          const bool fresh =
              has && table.template insert<Block::threads == 1>(block, m.b_columns[at]);
          if (fresh) ++added;
          if constexpr (Listed) {
            if (fits) return true;
            // At most one column per lane more than there is room for.
            if (fresh) block.atomic_add(&shared.found, 1);
            g.sync();
            const bool go_on = shared.found <= room;
            g.sync();
            return go_on;
          }
          return true;
        });
    const std::int64_t count = g.reduce(added, plus{}, shared.sum);
    if (valid && g.rank() == 0) counts[p.row] = mine && count <= room ? count : pending;
    if constexpr (Block::threads == 1) {
      if (valid) keep(g, table, p.row, mine && count <= room ? count : 0);
    }
    g.sync();
  }

 private:
  LOOPS_CALLS_USER
  template <class Block, int Lanes>
  LOOPS_HD void keep(const group<Block, Lanes>& g, const column_table<I>& table, std::int64_t row,
                     std::int64_t count) const {
    kept.places[row] = -1;
    if (count == 0) return;
    const std::int64_t place = g.block().atomic_add(kept.used, count);
    if (place + count > kept.room) return;
    const I* sorted = sort_columns(g, table, count);
    for (std::int64_t i = 0; i < count; ++i) kept.columns[place + i] = sorted[i];
    kept.places[row] = place;
  }
};

/// Writes the columns of a row, ascending, and how many blocks the row still wants: one that does
/// not fit its group wants one, one that no block has room for has been listed elsewhere.
template <class I, class O>
struct list_row {
  patterns<I, O> m;
  const O* offsets;
  I* columns;
  std::int64_t* wanting;
  kept_columns<I> kept;

  template <class Block>
  struct storage {
    product_storage<Block> walk;
    I slots[slots_in<Block>(sizeof(I))];
  };

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    const std::int64_t begin = valid ? static_cast<std::int64_t>(offsets[p.row]) : 0;
    const std::int64_t count = valid ? static_cast<std::int64_t>(offsets[p.row + 1]) - begin : 0;
    const bool fits = count <= room_in<Block>(sizeof(I), g.size());
    if (!Listed && valid && g.rank() == 0)
      wanting[p.row] = !fits && count <= room_in<Block>(sizeof(I), Block::threads) ? 1 : 0;
    const bool mine = valid && fits;
    if constexpr (Block::threads == 1) {
      if (mine && kept.places[p.row] >= 0) {
        const I* from = kept.columns + kept.places[p.row];
        for (std::int64_t i = 0; i < count; ++i) columns[begin + i] = from[i];
        return;
      }
    }
    const int bits = common_bits<I>(g, mine ? count : 0, true);
    const column_table<I> table{
        shared.slots + slots_in<Block>(sizeof(I)) / Block::threads * g.size() * g.index(), bits};
    clear(g, table);
    g.sync();
    const std::int64_t first = mine ? static_cast<std::int64_t>(m.a_offsets[p.row]) : 0;
    const std::int64_t last = mine ? static_cast<std::int64_t>(m.a_offsets[p.row + 1]) : 0;
    for_each_product(g, shared.walk, m, first, last, {},
                     [&](bool has, std::int64_t, std::int64_t at) {
                       if (has)
                         table.template insert<Block::threads == 1>(g.block(), m.b_columns[at]);
                       return true;
                     });
    g.sync();
    const I* sorted = sort_columns(g, table, mine ? count : 0);
    if (mine)
      for (std::int64_t i = g.rank(); i < count; i += g.size()) columns[begin + i] = sorted[i];
    g.sync();
  }
};

/// Sums the products of a row into the entries whose columns are known.
template <class V, class I, class O>
struct sum_row {
  using scalar = accumulator_t<V>;
  static constexpr std::size_t slot_bytes = sizeof(I) + sizeof(scalar);
  patterns<I, O> m;
  const O* offsets;
  const I* columns;
  const V* a;
  const V* b;
  V* c;
  bool sorted;  ///< whether the rows of B are

  template <class Block>
  struct storage {
    product_storage<Block> walk;
    uninitialized<scalar, slots_in<Block>(slot_bytes)> sums;
    I slots[slots_in<Block>(slot_bytes)];
  };

  /// A group chosen by the schedule takes a row that fits, a block as much as it has room for.
  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    Block& block = g.block();
    const std::int64_t room = room_in<Block>(slot_bytes, g.size());
    const std::int64_t row_begins = valid ? static_cast<std::int64_t>(offsets[p.row]) : 0;
    const std::int64_t row_ends = valid ? static_cast<std::int64_t>(offsets[p.row + 1]) : 0;
    const std::int64_t begin = Listed ? p.first : row_begins;
    const std::int64_t end = Listed && row_ends - begin > room ? begin + room : row_ends;
    const bool mine = valid && end - begin <= room;
    const int bits = common_bits<I>(g, mine ? end - begin : 0, true);
    const int start = slots_in<Block>(slot_bytes) / Block::threads * g.size() * g.index();
    const column_table<I> table{shared.slots + start, bits};
    scalar* const sums = shared.sums.data() + start;
    clear(g, table);
    for (std::uint32_t i = static_cast<std::uint32_t>(g.rank()); i < table.size();
         i += static_cast<std::uint32_t>(g.size()))
      sums[i] = scalar{};
    g.sync();
    // From the last on: each is less than those that are there, and displaces none.
    if (mine)
      for (std::int64_t i = end - 1 - g.rank(); i >= begin; i -= g.size())
        table.template insert<Block::threads == 1>(block, columns[i]);
    g.sync();
    window<I> wanted;
    if (mine && sorted && end - begin < row_ends - row_begins)
      wanted = {false, columns[begin], columns[end - 1]};
    const std::int64_t first =
        mine && end > begin ? static_cast<std::int64_t>(m.a_offsets[p.row]) : 0;
    const std::int64_t last =
        mine && end > begin ? static_cast<std::int64_t>(m.a_offsets[p.row + 1]) : 0;
    for_each_product(g, shared.walk, m, first, last, wanted,
                     [&](bool has, std::int64_t k, std::int64_t at) {
                       std::int64_t slot = -1;
                       scalar value{};
                       if (has) slot = table.find(m.b_columns[at]);
                       if (slot >= 0) value = scalar(a[k]) * scalar(b[at]);
                       add_in_order(g, sums, slot, value, bits);
                       return true;
                     });
    g.sync();
    if (mine)
      for (std::int64_t i = begin + g.rank(); i < end; i += g.size())
        c[i] = V(sums[table.find(columns[i])]);
    g.sync();
  }
};

/// How many blocks a row wants whose entries do not fit the group that the schedule chose.
template <class V, class I, class O>
struct want_blocks {
  const O* offsets;
  std::int64_t* wanting;

  template <class Block>
  struct storage {};

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>&, bool valid, piece p) const {
    constexpr std::size_t bytes = sum_row<V, I, O>::slot_bytes;
    if (!valid || g.rank() != 0) return;
    const auto count = static_cast<std::int64_t>(offsets[p.row + 1] - offsets[p.row]);
    wanting[p.row] = count <= room_in<Block>(bytes, g.size())
                         ? 0
                         : ceil_div(count, room_in<Block>(bytes, Block::threads));
  }
};

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
      const group<Block> g(block, v.lanes);
      // In the visit before, these lanes may have been groups of their own, and one be there yet.
      g.sync();
      agent.template take<false>(g, shared.of, v.valid, {v.tile, 0});
    });
  }
};

/// Hands every piece of a list to a block.
template <class Agent>
struct take_listed {
  Agent agent;
  const piece* list;
  std::int64_t count;

  template <class Block>
  struct storage {
    typename Agent::template storage<Block> of;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    for (std::int64_t i = block.id(); i < count; i += block.blocks())
      agent.template take<true>(g, shared.of, true, list[i]);
  }
};

}  // namespace loops::spgemm_detail
