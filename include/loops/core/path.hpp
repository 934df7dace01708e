// SPDX-License-Identifier: Apache-2.0
/// Positions on the path through a work: all atoms in tile order, an end marker after each tile.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops {

/// A half-open range of atoms.
struct atom_range {
  std::int64_t first = 0;
  std::int64_t last = 0;

  struct iterator {
    std::int64_t at;
    LOOPS_HD constexpr std::int64_t operator*() const { return at; }
    LOOPS_HD constexpr iterator& operator++() {
      ++at;
      return *this;
    }
    LOOPS_HD constexpr bool operator!=(iterator o) const { return at != o.at; }
  };
  [[nodiscard]] LOOPS_HD constexpr iterator begin() const { return {first}; }
  [[nodiscard]] LOOPS_HD constexpr iterator end() const { return {last}; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t size() const { return last - first; }
  friend constexpr bool operator==(const atom_range&, const atom_range&) = default;
};

/// A place on the path: the first `tile` end markers and the first `atom` atoms lie before it.
struct coordinate {
  std::int64_t tile = 0;
  std::int64_t atom = 0;
  /// Steps from the start of the path.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t diagonal() const { return tile + atom; }
  friend constexpr bool operator==(const coordinate&, const coordinate&) = default;
};

/// A contiguous stretch of the path. It closes the tiles [begin.tile, end.tile); when it starts
/// inside a tile or ends inside one, its values for those two are partial.
struct slice {
  coordinate begin;
  coordinate end;
  [[nodiscard]] LOOPS_HD constexpr std::int64_t steps() const {
    return end.diagonal() - begin.diagonal();
  }
  [[nodiscard]] LOOPS_HD constexpr atom_range atoms() const { return {begin.atom, end.atom}; }
  friend constexpr bool operator==(const slice&, const slice&) = default;
};

/// A stretch of one tile, as a tile program meets it: atoms [first, last), counted from 0 inside
/// the tile. An empty tile is one segment that begins and ends it.
struct segment {
  std::int64_t tile = 0;  ///< what the functor is told: `tile_id`
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool begins = false;          ///< holds the tile's first atom
  bool ends = false;            ///< holds the tile's last atom: whoever has it finishes the tile
  std::int64_t first_peer = 0;  ///< ends: workers first_peer … self - 1 hold what is before `first`
  [[nodiscard]] LOOPS_HD constexpr std::int64_t size() const { return last - first; }
  friend constexpr bool operator==(const segment&, const segment&) = default;
};

/// a / b for a >= 0, b > 0. GPUs divide 64-bit numbers ten times slower than 32-bit ones, and by a
/// call, across which a kernel cannot keep matrix instructions under way: numbers that need 64 bits
/// are divided digit by digit.
LOOPS_HD constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (((a | b) >> 32) == 0)
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b));
  std::uint64_t rest = 0;
  std::uint64_t found = 0;
  const auto next_digit = [&](int bit) {
    rest = rest << 1 | (static_cast<std::uint64_t>(a) >> bit & 1);
    found <<= 1;
    if (rest >= static_cast<std::uint64_t>(b)) {
      rest -= static_cast<std::uint64_t>(b);
      found |= 1;
    }
  };
  // Left a loop on NVIDIA GPUs, whose kernels wait for their code; on CDNA, kernels that hold
  // matrices in registers would spill.
  if constexpr (LOOPS_CUDA) {
    LOOPS_ROLLED
    for (int bit = 62; bit >= 0; --bit) next_digit(bit);
  } else {
    for (int bit = 62; bit >= 0; --bit) next_digit(bit);
  }
  return static_cast<std::int64_t>(found);
}

/// Ceiling of a / b for a >= 0, b > 0, without overflow.
LOOPS_HD constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0);
}

}  // namespace loops
