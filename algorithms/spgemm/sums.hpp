// SPDX-License-Identifier: Apache-2.0
/// Sums of products that meet in slots, always in the same order, whoever comes first.
#pragma once

#include "algorithms/spgemm/products.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/collective/peers.hpp"

#include <bit>
#include <cstdint>

namespace loops::spgemm_detail {

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
