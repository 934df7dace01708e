// SPDX-License-Identifier: Apache-2.0
/// Where a block is in its cluster on Hopper, and which blocks it shares operands and steps with.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops::hopper {

/// How the blocks of a cluster lie that form one tile of the work.
struct cluster_shape {
  int tall = 1;  ///< below each other: they share B
  int wide = 1;  ///< beside each other: they share A
};

/// A block of a cluster that forms a tile of that shape, Split times over. Ranks count across, then
/// down, then the parts of the steps.
template <int Split>
class cluster_place {
 public:
  LOOPS_HD constexpr cluster_place(cluster_shape shape, int rank)
      : shape_(shape),
        rank_(rank),
        across_(rank % shape.wide),
        down_(rank / shape.wide % shape.tall) {}

  [[nodiscard]] LOOPS_HD constexpr int blocks() const { return shape_.tall * shape_.wide * Split; }
  /// Blocks that copy into this one, and that this one copies into; itself is one of them.
  [[nodiscard]] LOOPS_HD constexpr int neighbours() const { return shape_.tall + shape_.wide - 1; }

  [[nodiscard]] LOOPS_HD constexpr int across() const { return across_; }
  [[nodiscard]] LOOPS_HD constexpr int down() const { return down_; }
  [[nodiscard]] LOOPS_HD constexpr int part() const {
    return Split == 1 ? 0 : rank_ / (shape_.wide * shape_.tall);
  }

  /// Masks of the blocks that take the same A, and of those that take the same B.
  [[nodiscard]] LOOPS_HD constexpr std::uint16_t beside() const {
    return static_cast<std::uint16_t>(((1 << shape_.wide) - 1) << (rank_ - across_));
  }
  [[nodiscard]] LOOPS_HD constexpr std::uint16_t above_and_below() const {
    const int column = ((1 << shape_.wide * shape_.tall) - 1) / ((1 << shape_.wide) - 1);
    return static_cast<std::uint16_t>(column << (rank_ - shape_.wide * down_));
  }
  /// Rank of neighbour `i`: those beside, then the others above and below.
  [[nodiscard]] LOOPS_HD constexpr unsigned neighbour(int i) const {
    if (i < shape_.wide) return static_cast<unsigned>(rank_ - across_ + i);
    const int other = i - shape_.wide;
    const int row = other < down_ ? other : other + 1;
    return static_cast<unsigned>(rank_ + (row - down_) * shape_.wide);
  }
  /// Rank of the block that has part `i` of the steps for the same place of the tile.
  [[nodiscard]] LOOPS_HD constexpr unsigned same_place(int i) const {
    return static_cast<unsigned>(rank_ + (i - part()) * shape_.wide * shape_.tall);
  }

 private:
  cluster_shape shape_;
  int rank_;
  int across_;
  int down_;
};

}  // namespace loops::hopper
