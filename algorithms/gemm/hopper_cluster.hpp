// SPDX-License-Identifier: Apache-2.0
/// Where a block is in its cluster on Hopper, and which blocks it shares operands and steps with.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops::hopper {

/// A block of a cluster that forms a tile Tall blocks high and Wide blocks wide, Split times over.
/// Ranks count across, then down, then the parts of the steps.
template <int Tall, int Wide, int Split>
struct cluster_place {
  static constexpr int blocks = Tall * Wide * Split;
  /// Blocks that copy into this one, and that this one copies into; itself is one of them.
  static constexpr int neighbours = Tall + Wide - 1;

  int rank = 0;

  [[nodiscard]] LOOPS_HD constexpr int across() const { return rank % Wide; }
  [[nodiscard]] LOOPS_HD constexpr int down() const { return rank / Wide % Tall; }
  [[nodiscard]] LOOPS_HD constexpr int part() const { return rank / (Wide * Tall); }

  /// Masks of the blocks that take the same A, and of those that take the same B.
  [[nodiscard]] LOOPS_HD constexpr std::uint16_t beside() const {
    return static_cast<std::uint16_t>(((1 << Wide) - 1) << (rank - across()));
  }
  [[nodiscard]] LOOPS_HD constexpr std::uint16_t above_and_below() const {
    constexpr int column = ((1 << Wide * Tall) - 1) / ((1 << Wide) - 1);
    return static_cast<std::uint16_t>(column << (rank - Wide * down()));
  }
  /// Rank of neighbour `i`: those beside, then the others above and below.
  [[nodiscard]] LOOPS_HD constexpr unsigned neighbour(int i) const {
    if (i < Wide) return static_cast<unsigned>(rank - across() + i);
    const int other = i - Wide;
    const int row = other < down() ? other : other + 1;
    return static_cast<unsigned>(rank + (row - down()) * Wide);
  }
  /// Rank of the block that has part `i` of the steps for the same place of the tile.
  [[nodiscard]] LOOPS_HD constexpr unsigned same_place(int i) const {
    return static_cast<unsigned>(rank + (i - part()) * Wide * Tall);
  }
};

}  // namespace loops::hopper
