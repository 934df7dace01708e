// SPDX-License-Identifier: Apache-2.0
/// The products of one row of C, in a fixed order; and their sums.
#pragma once

#include "algorithms/spgemm/table.hpp"
#include "loops/algorithm/spread_tiles.hpp"
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

/// Calls `use(has, column)` for the products of the nonzeros [first, last) of A, in no order;
/// `has` is false for a lane without one. `use` returns whether to go on. Lanes: as `spread_tiles`.
template <class Block, int Lanes, class I, class O, class Use>
LOOPS_HD void for_each_product_column(const group<Block, Lanes>& g, const patterns<I, O>& m,
                                      std::int64_t first, std::int64_t last, const Use& use) {
  spread_tiles<O>(
      g, first, last, [&](std::int64_t k) { return partners_of<I, O>(m, {}, k); },
      [&](bool has, std::int64_t, std::int64_t at) { return has ? m.b_columns[at] : I{}; },
      [&](bool has, I column, const abreast&) { return use(has, column); });
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
/// [first, last) of A: `products_of(nonzero)` counts them somehow, and `find(has, nonzero, count)`
/// makes of it what is met, or nothing where `has` is false. Lanes: all of a group, and of the
/// groups that synchronise with it, make the same calls, and the same products come together
/// whoever is first.
template <class O, class Block, int Lanes, class Ranges, class Find, class Use>
LOOPS_HD void meet_in_order(const group<Block, Lanes>& g,
                            [[maybe_unused]] packed_storage<Block>& shared, std::int64_t first,
                            std::int64_t last, const Ranges& products_of, const Find& find,
                            const Use& use) {
  if (Block::threads == 1 || g.within_wave()) {
    spread_tiles<O>(g, first, last, products_of, find,
                    [&](bool, const met& product, const abreast& side) {
                      const met one[1] = {{product.slot, product.a, product.b, side}};
                      use(one);
                      return true;
                    });
  } else if constexpr (Block::threads > 1) {
    spread_packed_tiles<at_a_time>(
        g, shared, first, last, products_of, find,
        [&](const bool(&)[at_a_time], met(&products)[at_a_time], const abreast(&sides)[at_a_time]) {
          LOOPS_UNROLL
          for (int n = 0; n < at_a_time; ++n) products[n].side = sides[n];
          use(products);
        });
  }
}

/// The same for products of wanted columns, whose slots `slot_of(nonzero of B)` finds.
template <class Block, int Lanes, class I, class O, class SlotOf, class Use>
LOOPS_HD void for_each_product_in_order(const group<Block, Lanes>& g, packed_storage<Block>& shared,
                                        const patterns<I, O>& m, std::int64_t first,
                                        std::int64_t last, const window<I>& wanted,
                                        const SlotOf& slot_of, const Use& use) {
  meet_in_order<O>(
      g, shared, first, last, [&](std::int64_t k) { return partners_of(m, wanted, k); },
      [&](bool has, std::int64_t k, std::int64_t at) {
        return met{has ? slot_of(at) : -1, k, at, {}};
      },
      use);
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
