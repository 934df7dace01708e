// SPDX-License-Identifier: Apache-2.0
/// A square of 32 x 32 elements of 4 bytes that a wave turns where it lies in shared memory.
#pragma once

#include "algorithms/gemm/copied_lines.hpp"
#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops::hopper {

/// 32 lines of 128 bytes, of which the 16 bytes number i lie at i ^ (line % 8), as the copy unit
/// writes them and the matrix units read them. Turning exchanges pairs of elements, so blocks that
/// are each other's mirror image can be turned without the rest: half 0 are the two blocks of 16 x
/// 16 on the diagonal, half 1 the other two. Block `i` of a half has lines 16 i to 16 i + 15; lane
/// l reads two times 16 bytes (r = 0, 1) of line 16 i + l % 16, the upper lanes the last ones
/// first, so that neither reads nor writes meet a bank twice: `tests/gemm/turned_square.cpp` proves
/// it.
struct turned_square {
  static constexpr int bytes = 32 * 128;

  /// Where a lane reads and writes in a square that begins at a multiple of 1024. All of its places
  /// are these two with a few bits changed, as compilers do not find out by themselves.
  LOOPS_HD constexpr turned_square(std::uint32_t square, std::uint32_t lane)
      : from_(square + 128 * (lane % 16) + 16 * ((lane % 8) ^ (3 * (lane / 16)))),
        to_(square + 4 * (lane % 4) + 16 * ((lane % 16 / 4) ^ (4 * (lane / 16))) +
            1536 * (lane / 16)) {}

  /// The same of the square behind it.
  [[nodiscard]] LOOPS_HD constexpr turned_square next() const {
    turned_square other = *this;
    other.from_ += bytes;
    other.to_ += bytes;
    return other;
  }
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t read(std::uint32_t half, std::uint32_t i,
                                                      std::uint32_t r) const {
    return (from_ ^ (16 * r) ^ (64 * (i ^ half))) + 2048 * i;
  }
  /// Where element `j` of four that were read there goes.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t write(std::uint32_t half, std::uint32_t i,
                                                       std::uint32_t r, std::uint32_t j) const {
    return (to_ ^ (512 * r) ^ (64 * (i ^ r)) ^ (16 * j)) + 128 * j + 2048 * (i ^ half);
  }

 private:
  std::uint32_t from_;
  std::uint32_t to_;
};

/// What a lane of a warpgroup reads of 64 rows of a turned A, two squares side by side: its four
/// elements for each matrix instruction, whose depth is 8 lines, two neighbours at a time. The
/// units' row 16 w + 8 h + g, of wave w, is in a place where lanes that read together meet no bank
/// twice.
struct square_fragment {
  /// Where rows h = 0 and 1 of lane `lane` of a warpgroup are in memory.
  static LOOPS_HD constexpr int row(int lane, int h) {
    const int wave = lane / 32;
    const int g = lane % 32 / 4;
    return 32 * (wave / 2) + 16 * (g / 2 % 2) + 8 * (wave % 2) + 4 * (g / 4) + 2 * (g % 2) + h;
  }

  /// In squares that begin at a multiple of 1024. A lane's places are this one with a bit changed.
  LOOPS_HD constexpr square_fragment(std::uint32_t squares, int lane)
      : from_(squares + 4 * static_cast<std::uint32_t>(
                                copied_lines<float, 64, true>::index({row(lane, 0), lane % 4}))) {}

  /// Of instruction `q` of a step, both rows at depth lane % 4 + 4 j.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t at(std::uint32_t q, std::uint32_t j) const {
    return (from_ ^ (64 * j)) + 512 * j + 1024 * q;
  }

 private:
  std::uint32_t from_;
};

}  // namespace loops::hopper
