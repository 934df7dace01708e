// SPDX-License-Identifier: Apache-2.0
/// A set of columns in memory that lanes share. What it holds, and where, depends on no order.
#pragma once

#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/schedule/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::spgemm_detail {

/// Open addressing over 2^bits slots, where along a run of slots the larger column stands first
/// (Amble and Knuth). So one atomic maximum per slot inserts a column: what it displaces goes on
/// to the next slot. Whoever comes first, the slots hold the same in the end. Columns are not
/// negative; an empty slot holds `none`.
template <class I>
struct column_table {
  static_assert(std::is_signed_v<I>, "an empty slot is less than every column");
  static constexpr I none = I(-1);
  static constexpr int most_bits = 31;

  I* slots;
  int bits;

  /// How many columns a table of `bits` bits should take at most: three quarters of its slots.
  static LOOPS_HD constexpr std::int64_t room(int bits) {
    return ((std::int64_t{1} << bits) * 3) / 4;
  }
  /// The bits of the smallest table with room for `columns`.
  static LOOPS_HD constexpr int bits_for(std::int64_t columns) {
    int bits = worker::by_bin::bin_of(columns);
    if (bits < 1) bits = 1;
    return room(bits) < columns ? bits + 1 : bits;
  }

  [[nodiscard]] LOOPS_HD std::uint32_t size() const { return std::uint32_t{1} << bits; }

  /// Adds a column; returns whether there is one more in the table now. With `Alone`, nobody else
  /// touches the table meanwhile. Requires: fewer columns than slots.
  template <bool Alone, class Block>
  LOOPS_HD bool insert(Block& block, I column) const {
    for (std::uint32_t at = home(column);; at = next(at)) {
      I held = Alone ? slots[at] : native::load_relaxed(slots + at);
      if (held > column) continue;  // and slots only grow
      if (held == column) return false;
      if constexpr (Alone) {
        slots[at] = column;
      } else {
        held = block.atomic_max(slots + at, column);
        if (held > column) continue;
        if (held == column) return false;
      }
      if (held == none) return true;
      column = held;
    }
  }

  /// The slot of a column, or -1. Requires: nobody inserts meanwhile; an empty slot.
  [[nodiscard]] LOOPS_HD std::int64_t find(I column) const {
    std::uint32_t at = home(column);
    while (slots[at] > column) at = next(at);
    return slots[at] == column ? static_cast<std::int64_t>(at) : -1;
  }

 private:
  [[nodiscard]] LOOPS_HD std::uint32_t next(std::uint32_t at) const {
    return (at + 1) & (size() - 1);
  }
  /// Fibonacci hashing: neighbouring columns land far apart.
  [[nodiscard]] LOOPS_HD std::uint32_t home(I column) const {
    if constexpr (sizeof(I) <= 4) {
      return (static_cast<std::uint32_t>(column) * 0x9E3779B1u) >> (32 - bits);
    } else {
      return static_cast<std::uint32_t>(
          (static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15u) >> (64 - bits));
    }
  }
};

/// The bits of the table of a lane that is alone: what second-level caches hold.
inline constexpr int lone_bits = 14;

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

/// The bits with which every group that synchronises with this one has room for its columns.
/// `roomy`: a lane alone takes twice the slots, as they cost it less than columns that meet.
template <class I, class Block, int Lanes>
LOOPS_HD int common_bits(const group<Block, Lanes>& g, std::int64_t columns,
                         [[maybe_unused]] bool roomy) {
  const int mine = column_table<I>::bits_for(columns);
  if constexpr (Block::threads == 1) return roomy && mine < lone_bits ? mine + 1 : mine;
  int bits = 1;
  while (g.any(bits < mine)) ++bits;
  return bits;
}

/// Empties a table. Lanes: all of the group. Others see it after the next barrier.
template <class I, class Group>
LOOPS_HD void clear(const Group& g, const column_table<I>& t) {
  for (std::uint32_t i = static_cast<std::uint32_t>(g.rank()); i < t.size();
       i += static_cast<std::uint32_t>(g.size()))
    t.slots[i] = column_table<I>::none;
}

}  // namespace loops::spgemm_detail
