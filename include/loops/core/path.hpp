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

/// Ceiling of a / b for a >= 0, b > 0, without overflow.
LOOPS_HD constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0);
}

}  // namespace loops
