// SPDX-License-Identifier: Apache-2.0
/// The columns of those rows of C that no block has room for: tables in device memory, which all
/// blocks fill together.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/table.hpp"
#include "algorithms/spgemm/takers.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/sort.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace loops::spgemm_detail {

using segmented_detail::each_of;

/// How many nonzeros a row of A has.
template <class I, class O>
struct row_length {
  patterns<I, O> m;
  const piece* rows;
  LOOPS_HD std::int64_t operator()(std::int64_t i) const {
    return static_cast<std::int64_t>(m.a_offsets[rows[i].row + 1] - m.a_offsets[rows[i].row]);
  }
};

/// A nonzero of A, in one of some rows.
struct listed_nonzero {
  std::int64_t nonzero;
  std::int64_t row;  ///< place among the rows
};

/// Lists the nonzeros of some rows of A, one row after another.
template <class I, class O>
struct list_nonzero {
  patterns<I, O> m;
  const piece* rows;
  const std::int64_t* first;  ///< of each of the rows in the list
  listed_nonzero* list;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t i) const {
    list[i] = {static_cast<std::int64_t>(m.a_offsets[rows[tile].row]) + (i - first[tile]), tile};
  }
};

/// How many products a nonzero of the list has.
template <class I, class O>
struct count_listed {
  count_partners<I, O> partners;
  const listed_nonzero* list;
  LOOPS_HD std::int64_t operator()(std::int64_t i) const { return partners(list[i].nonzero); }
};

/// Some rows, whose tables lie one behind the other.
template <class I>
struct row_tables {
  const std::int64_t* first_slot;
  I* slots;
};

/// Puts the column of a product into the table of its row. Tiles are listed nonzeros of A, atoms
/// their products.
template <class I, class O>
struct insert_product {
  patterns<I, O> m;
  row_tables<I> tables;
  const listed_nonzero* list;
  const std::int64_t* first_product;  ///< of each of them
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t tile, std::int64_t atom) const {
    const listed_nonzero at = list[tile];
    const std::int64_t b = static_cast<std::int64_t>(m.b_offsets[m.a_columns[at.nonzero]]) +
                           (atom - first_product[tile]);
    const std::int64_t from = tables.first_slot[at.row];
    const column_table<I> table{tables.slots + from,
                                worker::by_bin::bin_of(tables.first_slot[at.row + 1] - from) - 1};
    table.template insert<false>(block, m.b_columns[b]);
  }
};

template <class I>
struct holds_column {
  const I* slots;
  LOOPS_HD std::int64_t operator()(std::int64_t slot) const {
    return slots[slot] == column_table<I>::none ? 0 : 1;
  }
};

/// Makes of every column a key that sorts by row first.
template <class I>
struct note_key {
  const I* slots;
  const std::int64_t* first_entry;
  std::int64_t cols;
  std::int64_t* keys;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t slot, std::int64_t before,
                           std::int64_t through) const {
    if (through > before) keys[first_entry[tile] + before] = tile * cols + slots[slot];
  }
};

/// What was found out about some rows: their entries, row by row, sorted.
struct sorted_rows {
  array<piece> rows;
  array<std::int64_t> first_entry;
  array<std::int64_t> keys;  ///< place among these rows times columns, plus column
};

struct store_row_counts {
  const piece* rows;
  const std::int64_t* first_entry;
  std::int64_t* counts;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    counts[rows[i].row] = first_entry[i + 1] - first_entry[i];
  }
};

/// Fills the tables of `count` rows. Cost: 24 bytes per nonzero of theirs in A. Waits.
template <class Exec, class Schedule, class I, class O>
void insert_products(const Exec& exec, const Schedule& schedule, const patterns<I, O>& m,
                     const piece* rows, std::int64_t count, const row_tables<I>& tables) {
  const auto& where = exec.memory();
  array<std::int64_t> first(static_cast<std::size_t>(count) + 1, where);
  const std::int64_t nonzeros =
      segmented_detail::running_sums(exec, count, row_length<I, O>{m, rows}, first);
  array<listed_nonzero> list(static_cast<std::size_t>(nonzeros), where);
  for_each_atom(exec, schedule::nonzero_split{},
                segments<std::int64_t>(first.data(), count, nonzeros),
                list_nonzero<I, O>{m, rows, first.data(), list.data()});
  array<std::int64_t> first_product(static_cast<std::size_t>(nonzeros) + 1, where);
  const std::int64_t products = segmented_detail::running_sums(
      exec, nonzeros, count_listed<I, O>{{m}, list.data()}, first_product);
  for_each_atom(exec, schedule, segments<std::int64_t>(first_product.data(), nonzeros, products),
                insert_product<I, O>{m, tables, list.data(), first_product.data()});
}

/// Finds the columns of the first `many` rows of `far`, each with the number of its products in
/// `first`, and writes their number into `counts`. `schedule` balances products, and slots. Cost: a
/// sort of their entries; 24 bytes per nonzero of theirs in A, and room for the tables of as many
/// rows at a time as have no more slots than A and B nonzeros, or of one. Waits.
template <class Exec, class Schedule, class I, class O>
std::vector<sorted_rows> find_columns(const Exec& exec, const Schedule& schedule,
                                      const patterns<I, O>& m, std::int64_t budget,
                                      const array<piece>& far, std::int64_t many,
                                      std::int64_t* counts) {
  std::vector<piece> list = far.to_vector();
  list.resize(static_cast<std::size_t>(many));
  std::sort(list.begin(), list.end(), [](auto& x, auto& y) { return x.row < y.row; });
  std::vector<sorted_rows> found;
  const auto& where = exec.memory();
  std::size_t next = 0;
  while (next < list.size()) {
    std::vector<piece> rows;
    std::vector<std::int64_t> first_slot{0};
    for (; next < list.size(); ++next) {
      const piece& row = list[next];
      const int bits = column_table<I>::bits_for(std::min(row.first, m.cols));
      require(bits <= column_table<I>::most_bits, errc::overflow,
              "spgemm: a row of C has too many columns for a table");
      const std::int64_t slots = first_slot.back() + (std::int64_t{1} << bits);
      if (!rows.empty() && slots > budget) break;
      rows.push_back(row);
      first_slot.push_back(slots);
    }
    const auto n = static_cast<std::int64_t>(rows.size());
    sorted_rows batch{array<piece>(rows, where), array<std::int64_t>(rows.size() + 1, where), {}};
    const array<std::int64_t> slot_offsets(first_slot, where);
    array<I> slots(static_cast<std::size_t>(first_slot.back()), where);
    slots.fill(0xff);  // column_table::none
    insert_products(exec, schedule, m, batch.rows.data(), n,
                    row_tables<I>{slot_offsets.data(), slots.data()});
    const segments<std::int64_t> tables(slot_offsets.data(), n, first_slot.back());
    const holds_column<I> holds{slots.data()};
    array<std::int64_t> entries(rows.size(), where);
    reduce_tiles<std::int64_t>(exec, schedule, tables, holds, plus{}, store_in{entries.data()});
    const std::int64_t total = segmented_detail::running_sums(
        exec, n, element_of<std::int64_t>{entries.data()}, batch.first_entry);
    for_each_atom(exec, schedule::nonzero_split{}, each_of(n),
                  store_row_counts{batch.rows.data(), batch.first_entry.data(), counts});
    batch.keys = array<std::int64_t>(static_cast<std::size_t>(total), where);
    scan_tiles<std::int64_t>(
        exec, schedule::nonzero_split{}, tables, holds, plus{},
        note_key<I>{slots.data(), batch.first_entry.data(), m.cols, batch.keys.data()});
    sort_keys(exec, batch.keys);
    found.push_back(std::move(batch));
  }
  return found;
}

/// Puts the columns of rows that were found where they belong in C.
template <class I, class O>
struct copy_columns {
  const piece* rows;
  const std::int64_t* first_entry;
  const std::int64_t* keys;
  std::int64_t cols;
  const O* offsets;
  I* columns;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t i) const {
    columns[static_cast<std::int64_t>(offsets[rows[tile].row]) + (i - first_entry[tile])] =
        static_cast<I>(keys[i] - tile * cols);
  }
};

}  // namespace loops::spgemm_detail
