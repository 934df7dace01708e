// SPDX-License-Identifier: Apache-2.0
/// What a group of lanes does with one row of C whose columns are known: takes its products to
/// their entries, and sums them there.
#pragma once

#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/sums.hpp"
#include "algorithms/spgemm/table.hpp"
#include "algorithms/spgemm/takers.hpp"
#include "loops/backend/native.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::spgemm_detail {

/// Takes the products of a row to the entries whose columns are known. `Op` says what a slot holds,
/// what is done with a product, and what with an entry in the end; a slot takes `bytes` bytes with
/// its column, or as much.
template <class Op, class I, class O, std::size_t bytes>
struct walk_row {
  using held = typename Op::held_type;
  static_assert(sizeof(I) + sizeof(held) <= bytes);
  patterns<I, O> m;
  const O* offsets;
  const I* columns;
  bool sorted;  ///< whether the rows of B are
  Op op;

  template <class Block>
  struct storage {
    packed_storage<Block> walk;
    uninitialized<held, slots_in<Block>(bytes)> values;
    I slots[slots_in<Block>(bytes)];
  };

  /// A group chosen by the schedule takes a row that fits, a block as much as it has room for.
  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>& shared, bool valid,
                     piece p) const {
    Block& block = g.block();
    const std::int64_t room = room_in<Block>(bytes, g.size());
    const std::int64_t row_begins = valid ? static_cast<std::int64_t>(offsets[p.row]) : 0;
    const std::int64_t row_ends = valid ? static_cast<std::int64_t>(offsets[p.row + 1]) : 0;
    const std::int64_t begin = Listed ? p.first : row_begins;
    const std::int64_t end = Listed && row_ends - begin > room ? begin + room : row_ends;
    const bool mine = valid && end - begin <= room;
    const int bits = common_bits<I>(g, mine ? end - begin : 0, true);
    const int start = slots_in<Block>(bytes) / Block::threads * g.size() * g.index();
    const column_table<I> table{shared.slots + start, bits};
    held* const values = shared.values.data() + start;
    clear(g, table);
    if constexpr (!Op::starts)
      for (std::uint32_t i = static_cast<std::uint32_t>(g.rank()); i < table.size();
           i += static_cast<std::uint32_t>(g.size()))
        values[i] = held{};
    g.sync();
    // From the last on: each is less than those that are there, and displaces none.
    if (mine)
      for (std::int64_t i = end - 1 - g.rank(); i >= begin; i -= g.size())
        table.template insert<Block::threads == 1>(block, columns[i]);
    g.sync();
    if constexpr (Op::starts) {
      if (mine)
        for (std::int64_t i = begin + g.rank(); i < end; i += g.size())
          values[table.find(columns[i])] = op.start(i, begin);
      g.sync();
    }
    window<I> wanted;
    if (mine && sorted && end - begin < row_ends - row_begins)
      wanted = {false, columns[begin], columns[end - 1]};
    const std::int64_t first =
        mine && end > begin ? static_cast<std::int64_t>(m.a_offsets[p.row]) : 0;
    const std::int64_t last =
        mine && end > begin ? static_cast<std::int64_t>(m.a_offsets[p.row + 1]) : 0;
    for_each_product_in_order(
        g, shared.walk, m, first, last, wanted,
        [&](std::int64_t at) { return table.find(m.b_columns[at]); },
        [&](const auto& products) { op.take(g, values, products, bits, begin); });
    g.sync();
    if constexpr (Op::ends) {
      if (mine)
        for (std::int64_t i = begin + g.rank(); i < end; i += g.size())
          op.end(i, values[table.find(columns[i])]);
    }
    g.sync();
  }
};

/// Bytes of a slot that sums products.
template <class V, class I>
inline constexpr std::size_t slot_bytes = sizeof(I) + sizeof(accumulator_t<V>);

/// Sums the products.
template <class V>
struct sum_products {
  using held_type = accumulator_t<V>;
  static constexpr bool starts = false;
  static constexpr bool ends = true;
  const V* a;
  const V* b;
  V* c;
  bool distinct;  ///< whether no row of B repeats a column

  template <class Group, int N>
  LOOPS_HD void take(const Group& g, held_type* sums, const met (&products)[N], int bits,
                     std::int64_t) const {
    held_type values[N];
    LOOPS_UNROLL
    for (int n = 0; n < N; ++n)
      values[n] = products[n].slot < 0 ? held_type{}
                                       : held_type(a[products[n].a]) * held_type(b[products[n].b]);
    add_in_order(g, sums, products, values, bits, distinct);
  }
  void fetch(std::int64_t n) const { native::fetch_ahead(b + n); }
  LOOPS_HD void end(std::int64_t entry, const held_type& sum) const {
    c[entry] = stored_as<V>(sum);
  }
};

/// Notes what blocks sum of a row whose entries, in slots of `bytes` bytes, do not fit the group
/// that the schedule chose.
template <std::size_t bytes, class O>
struct note_pieces {
  const O* offsets;
  std::int64_t* noted;  ///< how many
  piece* list;
  std::int64_t piece_room;

  template <class Block>
  struct storage {};

  template <bool Listed, class Block, int Lanes>
  LOOPS_HD void take(const group<Block, Lanes>& g, storage<Block>&, bool valid, piece p) const {
    if (!valid || g.rank() != 0) return;
    const auto first = static_cast<std::int64_t>(offsets[p.row]);
    const auto count = static_cast<std::int64_t>(offsets[p.row + 1]) - first;
    if (count <= room_in<Block>(bytes, g.size())) return;
    const std::int64_t pieces = ceil_div(count, piece_room);
    const std::int64_t at = g.block().atomic_add(noted, pieces);
    for (std::int64_t i = 0; i < pieces; ++i) list[at + i] = {p.row, first + i * piece_room};
  }
};

}  // namespace loops::spgemm_detail
