// SPDX-License-Identifier: Apache-2.0
/// Where lanes read the floats that they multiply on Hopper, and in which order they multiply them.
#pragma once

#include "algorithms/gemm/copied_lines.hpp"
#include "loops/backend/config.hpp"
#include "loops/tile/atom.hpp"

#include <cstdint>

namespace loops::hopper {

/// Where a lane reads what it multiplies of lines of floats that lie k by k: of four lines 16 bytes
/// at each k, in stages that begin at multiples of 1024. All of its places are four with a bit
/// changed or a constant added, which compilers do not find out by themselves, and there are
/// registers to keep both.
template <class Fragment>
class places_of_lines {
 public:
  /// Lane `lane` of the wave that has the lines from `line` on, a multiple of 32, from step `k` of
  /// k on, a multiple of four; `begin`: the bytes before the operand.
  LOOPS_HD constexpr places_of_lines(std::uint32_t begin, int lane, int line, int k) {
    const int first = line + Fragment::place(lane, 0).outer;
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) {
      at_[i] = begin +
               4 * static_cast<std::uint32_t>(copied_lines<float, 32, true>::index({first, k + i}));
      other_[i] = at_[i] ^ 64;
    }
  }
  /// At number `i` of the four k after `fours` of them, of fragment `r`: constants.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t operator()(int r, int fours, int i) const {
    const int outer = Fragment::outer * r;
    const bool other = (fours % 2 != 0) != (outer % 32 != 0);
    return (other ? other_[i] : at_[i]) +
           static_cast<std::uint32_t>(outer / 32 * 4096 + 512 * fours);
  }
  /// Goes on so many bytes, a multiple of 1024.
  LOOPS_HD constexpr void move(std::uint32_t bytes) {
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) {
      at_[i] += bytes;
      other_[i] += bytes;
    }
  }

 private:
  std::uint32_t at_[4];
  std::uint32_t other_[4];
};

/// What a lane multiplies at one k: its lines of both operands.
template <class Sums>
struct lines_of_floats {
  float a[4 * Sums::down];
  float b[4 * Sums::across];
};

/// Adds the products of all pairs. Registers come in two banks, and each delivers one at a time:
/// of two instructions that follow each other the second finds one operand where the first had it,
/// as columns go back and forth, and reads the other two from different banks if the compiler can
/// choose.
template <class Sums>
LOOPS_HD void multiply_lines(Sums& sums, const lines_of_floats<Sums>& of) {
  constexpr int columns = 4 * Sums::across;
  LOOPS_UNROLL
  for (int i = 0; i < 4 * Sums::down; ++i) {
    LOOPS_UNROLL
    for (int step = 0; step < columns; ++step) {
      const int j = i % 2 == 0 ? step : columns - 1 - step;
      sums.at[i / 4][j / 4].at[i % 4 * 4 + j % 4] += of.a[i] * of.b[j];
    }
  }
}

/// Where a lane reads what it multiplies of lines of floats, four lines by four steps of k: 16
/// bytes at a time, that begin at these bytes of the stage. All of a lane's places are four with a
/// few bits changed, which compilers do not find out by themselves. Lanes that `crosses` take lines
/// 1, 0, 3, 2 instead of 0, 1, 2, 3 where lines lie along k, so that neither way meets a bank
/// twice: `tests/tile/banks.cpp` proves it.
template <class Fragment, bool Turned>
class places_of_floats {
 public:
  /// Lane `lane` of the wave that has the lines from `line` on; `begin`: the bytes before the
  /// operand, in multiples of 1024.
  LOOPS_HD constexpr places_of_floats(std::uint32_t begin, int lane, int line) {
    const int first = line + Fragment::place(lane, 0).outer;
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) {
      const tile::operand_place p =
          Turned ? tile::operand_place{first, i}
                 : tile::operand_place{first + (i ^ (crosses(lane) ? 1 : 0)), 0};
      at_[i] = begin + 4 * static_cast<std::uint32_t>(copied_lines<float, 32, Turned>::index(p));
    }
  }
  static LOOPS_HD constexpr bool crosses(int lane) {
    return !Turned && Fragment::place(lane, 0).outer / 8 % 2 != 0;
  }
  /// Read number `i` of four of fragment `r`, at step `k` of k, a multiple of four.
  [[nodiscard]] LOOPS_HD constexpr std::uint32_t operator()(int r, int k, int i) const {
    const auto outer = static_cast<std::uint32_t>(Fragment::outer * r);
    const auto step = static_cast<std::uint32_t>(k);
    if constexpr (Turned)
      return (at_[i] ^ (16 * (step % 8)) ^ (4 * (outer % 32))) + outer / 32 * 4096 + 128 * step;
    else
      return (at_[i] ^ (4 * step)) + 128 * outer;
  }

 private:
  std::uint32_t at_[4];
};

}  // namespace loops::hopper
