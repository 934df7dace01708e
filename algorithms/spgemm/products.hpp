// SPDX-License-Identifier: Apache-2.0
/// The products of one row of C, handed to the lanes of a group in a fixed order; and their sums.
#pragma once

#include "algorithms/spgemm/table.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/collective/peers.hpp"
#include "loops/core/functional.hpp"
#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

#include <bit>
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

/// Which rows of B the lanes of a group read side by side: lanes of different rows may meet in a
/// column, and those of one row do if the row repeats it.
struct abreast {
  int mine = 0;  ///< number of this lane's row among them
  int all = 0;   ///< how many they are at most, in all groups of the wave; 0: any products may meet
};

/// The nonzeros of B in the row that a nonzero of A names, those of wanted columns.
template <class I, class O>
LOOPS_HD atom_range partners_of(const patterns<I, O>& m, const window<I>& wanted,
                                std::int64_t nonzero) {
  const I row = m.a_columns[nonzero];
  atom_range r{static_cast<std::int64_t>(m.b_offsets[row]),
               static_cast<std::int64_t>(m.b_offsets[row + 1])};
  if (!wanted.all) {
    r.first =
        first_where(r.first, r.last, [&](std::int64_t i) { return m.b_columns[i] >= wanted.low; });
    r.last =
        first_where(r.first, r.last, [&](std::int64_t i) { return m.b_columns[i] > wanted.high; });
  }
  return r;
}

/// Calls `f(mine, nonzero of A, nonzero of B, abreast)` for the products of the nonzeros [first,
/// last) of A. Lanes: all of the group; those of a wave make the same calls, and `mine` is false
/// for those that have no product. `f` returns whether to go on, and the lanes of a wave agree on
/// it. Rows of B are read side by side, each by as many lanes as they are long on average; waves of
/// larger groups go their own ways.
template <class Block, int Lanes, class I, class O, class F>
LOOPS_HD void for_each_product(const group<Block, Lanes>& g, const patterns<I, O>& m,
                               std::int64_t first, std::int64_t last, const window<I>& wanted,
                               const F& f) {
  if constexpr (Block::threads == 1) {
    for (std::int64_t k = first; k < last; ++k) {
      const atom_range r = partners_of(m, wanted, k);
      for (std::int64_t at = r.first; at < r.last; ++at)
        if (!f(true, k, at, abreast{0, 1})) return;
    }
  } else {
    Block& block = g.block();
    const int lanes = g.within_wave() ? g.size() : Block::wave;
    const int rank = g.rank() & (lanes - 1);
    const int leader = (block.lane() & (Block::wave - 1)) - rank;
    const int waves = g.size() / lanes;
    const std::int64_t even = ceil_div(last - first, waves);
    const int share = even < lanes && waves > 1 ? static_cast<int>(even) : lanes;
    const std::int64_t step = std::int64_t{waves} * share;
    for (std::int64_t base = first + std::int64_t{g.rank() / lanes} * share;
         block.ballot(base < last) != 0; base += step) {
      const int rows = last - base < share ? static_cast<int>(last - base) : share;
      const atom_range r = rank < rows ? partners_of(m, wanted, base + rank) : atom_range{};
      const auto my_begin = static_cast<O>(r.first);
      const auto my_end = static_cast<O>(r.last);
      O products = my_end - my_begin;
      for (int d = 1; d < lanes; d *= 2) products += block.shuffle_xor(products, d);
      int width = 1;
      while (width < lanes && static_cast<O>(width) * rows < products) width *= 2;
      const int together = lanes / width;
      int most = 1;
      while (block.ballot(most < together) != 0) most *= 2;
      const abreast side{rank / width, most};
      for (int i = side.mine; block.ballot(i - side.mine < rows) != 0; i += together) {
        const int from = leader + (i & (lanes - 1));
        const O begin = block.shuffle(my_begin, from);
        const O end = block.shuffle(my_end, from);
        const O until = i < rows ? end : begin;
        for (O at = begin + (rank & (width - 1)); block.ballot(at < until) != 0; at += width)
          if (!f(at < until, base + i, static_cast<std::int64_t>(at), side)) return;
      }
    }
  }
}

/// A product as a lane meets it.
struct met {
  std::int64_t slot = -1;  ///< of its column, or -1: none for this lane
  std::int64_t a = 0;      ///< the nonzeros
  std::int64_t b = 0;
  abreast side;
};

/// How many products a lane of a group of several waves looks at before the waves take turns.
inline constexpr int at_a_time = 4;

/// Calls `use(products)` with one or `at_a_time` products per lane, of all products of the nonzeros
/// [first, last) of A, whose slots `slot_of(nonzero of B)` finds. Lanes: all of a group, and of the
/// groups that synchronise with it, make the same calls, and the same products come together
/// whoever is first. A group of several waves goes from product to product.
template <class Block, int Lanes, class I, class O, class SlotOf, class Use>
LOOPS_HD void for_each_product_in_order(const group<Block, Lanes>& g,
                                        product_storage<Block>& shared, const patterns<I, O>& m,
                                        std::int64_t first, std::int64_t last,
                                        const window<I>& wanted, const SlotOf& slot_of,
                                        const Use& use) {
  if (Block::threads == 1 || g.within_wave()) {
    for_each_product(g, m, first, last, wanted,
                     [&](bool has, std::int64_t k, std::int64_t at, const abreast& side) {
                       const met one[1] = {{has ? slot_of(at) : -1, k, at, side}};
                       use(one);
                       return true;
                     });
  } else if constexpr (Block::threads > 1) {
    Block& block = g.block();
    const int start = g.index() * g.size();
    const std::int64_t* before = shared.before + start;
    for (std::int64_t base = first; g.any(base < last); base += g.size()) {
      const std::int64_t k = base + g.rank();
      const atom_range r = k < last ? partners_of(m, wanted, k) : atom_range{};
      const auto scanned = g.scan_open(r.size(), false, std::int64_t{0}, plus{}, shared.scan);
      shared.first[start + g.rank()] = r.first;
      shared.before[start + g.rank()] = scanned.before;
      g.sync();
      for (std::int64_t from = 0; g.any(from < scanned.total);
           from += std::int64_t{at_a_time} * g.size()) {
        met all[at_a_time];
        LOOPS_UNROLL
        for (int n = 0; n < at_a_time; ++n) {
          const std::int64_t p = from + n * g.size() + g.rank();
          const bool mine = p < scanned.total;
          const std::int64_t known = mine ? p : scanned.total - 1;
          const int i = first_where(1, g.size(), [&](int j) { return before[j] > known; }) - 1;
          const int low = block.shuffle(i, 0);
          const int rows = block.shuffle(i, Block::wave - 1) - low + 1;
          constexpr int few = 8;
          const std::int64_t at = shared.first[start + i] + (p - before[i]);
          all[n] = {mine ? slot_of(at) : -1, base + i, at,
                    rows <= few ? abreast{i - low, rows} : abreast{}};
        }
        use(all);
      }
      g.sync();
    }
  }
}

/// Calls `f()` on all lanes of a wave, one wave of a group after another. Lanes: all of the group.
/// Cost: a barrier per wave.
template <class Block, int Lanes, class F>
LOOPS_HD void in_turn(const group<Block, Lanes>& g, const F& f) {
  if (g.within_wave()) {
    f();
    g.sync();
  } else {
    const int mine = g.rank() / Block::wave;
    for (int turn = 0; turn < g.size() / Block::wave; ++turn) {
      if (turn == mine) f();
      g.sync();
    }
  }
}

/// Adds values[n] of each lane to sums[products[n].slot], always in the same order, whoever comes
/// first. A negative slot adds nothing. Lanes: all of the group; sums of different groups do not
/// overlap. The waves of a group take turns, a barrier each. In a wave, rows of B that stand
/// abreast do, when no row repeats a column; where that is not known, `bits` ballots find the lanes
/// that meet in a slot, and the first of them adds them up, lane by lane.
template <class Block, int Lanes, class T, int N>
LOOPS_HD void add_in_order(const group<Block, Lanes>& g, T* sums, const met (&products)[N],
                           const T (&values)[N], [[maybe_unused]] int bits,
                           [[maybe_unused]] bool distinct) {
  if (g.size() == 1) {
    for (int n = 0; n < N; ++n)
      if (products[n].slot >= 0) sums[products[n].slot] = sums[products[n].slot] + values[n];
    return;
  }
  if constexpr (Block::threads > 1) {
    Block& block = g.block();
    const int lane = block.lane() & (Block::wave - 1);
    T value[N];
    abreast side[N];
    LOOPS_UNROLL
    for (int n = 0; n < N; ++n) {
      value[n] = values[n];
      side[n] = products[n].side;
      if (products[n].slot < 0) side[n].mine = -1;
      if (distinct && side[n].all > 0) continue;
      const auto peers = peers_of(g, products[n].slot, bits);
      const bool leads = peers != 0 && native::lowest_bit(peers) == lane;
      auto others = leads ? peers & (peers - 1) : 0;
      while (block.ballot(others != 0) != 0) {
        const T theirs = block.shuffle(value[n], others != 0 ? native::lowest_bit(others) : lane);
        if (others != 0) value[n] = value[n] + theirs;
        others &= others - 1;
      }
      side[n] = {leads ? 0 : -1, 1};
    }
    in_turn(g, [&] {
      LOOPS_UNROLL
      for (int n = 0; n < N; ++n)
        for (int turn = 0; turn < side[n].all; ++turn) {
          if (n + turn > 0) block.wave_sync();
          if (turn == side[n].mine) sums[products[n].slot] = sums[products[n].slot] + value[n];
        }
    });
  }
}

/// Advances cursors[slot] by one for every lane, and returns where it stood for this lane: lane by
/// lane, whoever comes first. Lanes and cost: as for `add_in_order`.
template <class Block, int Lanes>
LOOPS_HD int advance_in_order(const group<Block, Lanes>& g, int* cursors, std::int64_t slot,
                              [[maybe_unused]] int bits) {
  int place = 0;
  if (g.size() == 1) {
    if (slot >= 0) place = cursors[slot]++;
    return place;
  }
  if constexpr (Block::threads > 1) {
    Block& block = g.block();
    const int lane = block.lane() & (Block::wave - 1);
    const auto peers = peers_of(g, slot, bits);
    const int leader = peers != 0 ? native::lowest_bit(peers) : lane;
    in_turn(g, [&] {
      if (peers == 0 || leader != lane) return;
      place = cursors[slot];
      cursors[slot] = place + std::popcount(peers);
    });
    place =
        block.shuffle(place, leader) + std::popcount(peers & ((lane_bits<Block>{1} << lane) - 1));
  }
  return place;
}

}  // namespace loops::spgemm_detail
