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
  int deep = 1;  ///< behind each other: they share the steps

  [[nodiscard]] LOOPS_HD constexpr int blocks() const { return tall * wide * deep; }
};

/// A block of a cluster of that shape. Ranks count across, then down, then the parts of the steps.
class cluster_place {
 public:
  LOOPS_HD constexpr cluster_place(cluster_shape shape, int rank) : shape_(shape), rank_(rank) {
    // Most clusters are one block in all directions but one, and divisions delay the first copy.
    if (shape.wide > 1) across_ = rank % shape.wide;
    if (shape.tall > 1) down_ = rank / shape.wide % shape.tall;
    if (shape.deep > 1)
      part_ = shape.deep == shape.blocks() ? rank : rank / (shape.wide * shape.tall);
  }

  [[nodiscard]] LOOPS_HD constexpr int blocks() const { return shape_.blocks(); }
  /// Blocks that copy into this one, and that this one copies into; itself is one of them.
  [[nodiscard]] LOOPS_HD constexpr int neighbours() const { return shape_.tall + shape_.wide - 1; }

  [[nodiscard]] LOOPS_HD constexpr int across() const { return across_; }
  [[nodiscard]] LOOPS_HD constexpr int down() const { return down_; }
  [[nodiscard]] LOOPS_HD constexpr int part() const { return part_; }
  [[nodiscard]] LOOPS_HD constexpr int parts() const { return shape_.deep; }
  /// Whether no operand is shared: then the block waits for others only to join sums.
  [[nodiscard]] LOOPS_HD constexpr bool alone() const { return shape_.tall * shape_.wide == 1; }
  /// The most of `n` things that one of the parts gets, if all but the last get as many.
  [[nodiscard]] LOOPS_HD constexpr int shared_by_parts(int n) const {
    return static_cast<int>((static_cast<unsigned>(n) + static_cast<unsigned>(shape_.deep) - 1) /
                            static_cast<unsigned>(shape_.deep));
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
    return static_cast<unsigned>(rank_ + (i - part_) * shape_.wide * shape_.tall);
  }

 private:
  cluster_shape shape_;
  int rank_;
  int across_ = 0;
  int down_ = 0;
  int part_ = 0;
};

}  // namespace loops::hopper
