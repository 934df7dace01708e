// SPDX-License-Identifier: Apache-2.0
/// Running sums of sizes, which make the offsets of a work; and the tile of every atom.
#pragma once

#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>

namespace loops::segmented_detail {

/// The numbers 0 … n - 1 as atoms of one tile, for what is done once per number.
inline uniform each_of(std::int64_t n) {
  return {n > 0 ? 1 : 0, n};
}

/// Notes the tile of every atom: with `for_each_atom`, the row of every nonzero.
template <class I>
struct note_tile {
  I* tiles;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    tiles[atom] = static_cast<I>(tile);
  }
};

struct write_offset {
  std::int64_t* offsets;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i, std::int64_t before,
                           std::int64_t through) const {
    if (i == 0) offsets[0] = before;
    offsets[i + 1] = through;
  }
};

/// offsets[i] = the sum of `size(j)` over j < i, for i up to n: n + 1 of them. None for n = 0.
template <class Exec, class Size>
void write_offsets_of(const Exec& exec, std::int64_t n, const Size& size, std::int64_t* offsets) {
  scan_tiles<std::int64_t>(exec, schedule::nonzero_split{}, each_of(n), size, plus{},
                           write_offset{offsets});
}

/// The same into an array of n + 1, and the sum of all. Waits.
template <class Exec, class Size>
std::int64_t running_sums(const Exec& exec, std::int64_t n, const Size& size,
                          array<std::int64_t>& offsets) {
  offsets.fill(0);
  write_offsets_of(exec, n, size, offsets.data());
  std::int64_t total = 0;
  exec.memory()->download(&total, offsets.data() + n, sizeof total);
  return total;
}

}  // namespace loops::segmented_detail
