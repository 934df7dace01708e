// SPDX-License-Identifier: Apache-2.0
/// How Hopper's copy unit lays out an operand in shared memory.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/tile/atom.hpp"

namespace loops::hopper {

/// `Lines` rows of A (columns of B), 128 bytes of k each. `Turned`: they are contiguous in memory
/// instead, and come in squares, k by k. The chunks of 16 bytes of line r of these are permuted: c
/// lies at c ^ (r % 8).
template <class T, int Lines, bool Turned>
struct copied_lines {
  static constexpr int side = 128 / int(sizeof(T));  ///< elements of a line, and of a square's side
  static constexpr int chunk = 16 / int(sizeof(T));
  static_assert(Turned ? Lines % side == 0 : Lines % 8 == 0);
  alignas(1024) T at[Lines * side];

  /// The index in `at` of an element; neighbours of a chunk stay together.
  static LOOPS_HD constexpr int index(tile::operand_place p) {
    if constexpr (Turned) {
      const int in_square = p.outer % side;
      return p.outer / side * side * side + side * p.k + chunk * ((in_square / chunk) ^ (p.k % 8)) +
             in_square % chunk;
    } else {
      return side * p.outer + chunk * ((p.k / chunk) ^ (p.outer % 8)) + p.k % chunk;
    }
  }
};

}  // namespace loops::hopper
