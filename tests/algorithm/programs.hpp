// SPDX-License-Identifier: Apache-2.0
/// Tile programs for tests: one whose result depends on the order of atoms, with roles or without.
#pragma once

#include "loops/algorithm/run.hpp"
#include "support/executors.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace programs {

/// A word over the atoms: combining is associative and not commutative, and exact.
struct word {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;
  friend LOOPS_HD constexpr word operator+(const word& a, const word& b) {
    return {a.hash * b.power + b.hash, a.power * b.power};
  }
  friend constexpr bool operator==(const word&, const word&) = default;
};

/// The letter of atom `i` of tile `t` on lane `lane`.
LOOPS_HD constexpr word letter(std::int64_t t, std::int64_t i, int lane) {
  const auto mix = static_cast<std::uint64_t>(t * 1000003 + i * 7919 + 1);
  return {mix * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(lane),
          0xBF58476D1CE4E5B9ull + static_cast<std::uint64_t>(2 * lane)};
}

/// The word of atoms [first, last) of tile t.
LOOPS_HD constexpr word spell(std::int64_t t, std::int64_t first, std::int64_t last, int lane) {
  word w;
  for (std::int64_t i = first; i < last; ++i) w = w + letter(t, i, lane);
  return w;
}

/// Spells every tile on every lane. The waves of the first `Producers` lanes only load:
/// they count what they were told.
template <int Threads, int Producers = 0, int Cluster = 1>
struct speller {
  using shape = loops::team<Threads>;
  static constexpr int cluster = Cluster;
  static constexpr int fewest = 2;
  static constexpr std::size_t slot_bytes = sizeof(word) * Threads;

  word* out = nullptr;      ///< per tile, lane and block of a cluster
  int* finished = nullptr;  ///< per tile
  int* seen = nullptr;      ///< per atom, by whoever leads
  int* produced = nullptr;  ///< per atom
  int* drained = nullptr;   ///< lanes that came through `drain`
  const std::int64_t* offsets = nullptr;

  template <class Block>
  struct storage {
    int unused;
  };

  template <class Block>
  class agent {
   public:
    static constexpr int lanes = Block::threads;
    static constexpr int producers = Block::threads == 1 ? 0 : Producers;
    LOOPS_HD agent(const speller& p, Block& block, storage<Block>&) : p_(p), block_(&block) {}

    LOOPS_HD void clear() { state_ = {}; }
    LOOPS_HD void step(const loops::segment& s) {
      state_ = state_ + spell(s.tile, s.first, s.last, block_->lane());
      if (leads() && block_->id() % Cluster == 0)
        for (std::int64_t i = s.first; i < s.last; ++i)
          support::count_up(p_.seen + p_.offsets[s.tile] + i);
    }
    LOOPS_HD void store(std::byte* slot) { reinterpret_cast<word*>(slot)[block_->lane()] = state_; }
    LOOPS_HD void add(const std::byte* slot) {
      state_ = reinterpret_cast<const word*>(slot)[block_->lane()] + state_;
    }
    LOOPS_HD void finish(std::int64_t tile) {
      p_.out[(tile * Cluster + block_->id() % Cluster) * lanes + block_->lane()] = state_;
      if (leads()) support::count_up(p_.finished + tile);
    }
    LOOPS_HD void sync() { block_->sync(); }
    LOOPS_HD void drain() { support::count_up(p_.drained); }

    LOOPS_HD bool produces() const { return block_->lane() < producers; }
    LOOPS_HD bool leads() const { return block_->lane() == producers; }
    LOOPS_HD void produce(const loops::segment& s) {
      if (block_->lane() == 0 && block_->id() % Cluster == 0)
        for (std::int64_t i = s.first; i < s.last; ++i)
          support::count_up(p_.produced + p_.offsets[s.tile] + i);
    }

   private:
    speller p_;
    Block* block_;
    word state_;
  };
};

}  // namespace programs
