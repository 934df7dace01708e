// SPDX-License-Identifier: Apache-2.0
/// A square of 32 x 32 elements of 4 bytes that a wave turns where it lies in shared memory.
#pragma once

#include "algorithms/gemm/copied_lines.hpp"
#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops::hopper {

/// 32 lines of 128 bytes, of which the 16 bytes number i lie at i ^ (line % 8), as the copy unit
/// writes them and the matrix units read them. A lane turns blocks of 4 x 4 elements in registers:
/// block (i, i ^ c) of lines and elements goes to (i ^ c, i), of i = lane % 8 and c = lane / 8 in
/// the first round, four more in the second. So a round writes what it has read, and neither reads
/// nor writes meet a bank twice: `tests/gemm/turned_square.cpp` proves it.
struct turned_square {
  static constexpr int bytes = 32 * 128;

  /// Where a lane reads and writes in a square that begins at a multiple of 1024. All of its places
  /// are these two with a few bits changed, as compilers do not find out by themselves.
  LOOPS_HD constexpr turned_square(std::uint32_t square, std::uint32_t lane)
      : turned_square(square, lane % 8, lane % 8 ^ lane / 8) {}

  /// The same of the square `squares` behind it.
  [[nodiscard]] LOOPS_HD constexpr turned_square next(std::uint32_t squares = 1) const {
    turned_square other = *this;
    other.from_ += squares * std::uint32_t{bytes};
    other.to_ += squares * std::uint32_t{bytes};
    return other;
  }
  /// Line `u` of four of the block.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t read(std::uint32_t round, std::uint32_t u) const {
    return (from_ ^ (16 * u) ^ (64 * round)) + 128 * u;
  }
  /// Where element `u` of all four lines goes.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t write(std::uint32_t round, std::uint32_t u) const {
    return (to_ ^ (16 * u)) + 128 * u + round * other_;
  }

 private:
  LOOPS_HD constexpr turned_square(std::uint32_t square, std::uint32_t i, std::uint32_t j)
      : from_(square + 512 * i + 16 * (j ^ (i % 2 * 4))),
        to_(square + 512 * j + 16 * (i ^ (j % 2 * 4))),
        other_(2048 - j / 4 * 4096) {}

  std::uint32_t from_;
  std::uint32_t to_;
  std::uint32_t other_;  ///< from the first round's block to the second's
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
