// SPDX-License-Identifier: Apache-2.0
/// Running sums of sizes, which make the offsets of a work; and the tile of every atom.
#pragma once

#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/merge_path.hpp"
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

/// Writes running sums where offsets are, and the last one also where the sum of all is wanted.
template <class O>
struct write_offset {
  O* offsets;
  std::int64_t* total;
  std::int64_t count;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i, std::int64_t before,
                           std::int64_t through) const {
    if (i == 0) offsets[0] = static_cast<O>(before);
    offsets[i + 1] = static_cast<O>(through);
    if (i + 1 == count) *total = through;
  }
};

/// offsets[i] = the sum of `size_of(j)` over j < i, for i up to n: n + 1 of them; and the sum of
/// all, on the device, which tells whether they fit. Cost: a call of `size_of` per number, on a CPU
/// two. Waits for nothing.
template <class Exec, class Size, class O>
void sum_into(const Exec& exec, std::int64_t n, const Size& size_of, O* offsets,
              std::int64_t* total) {
  if (n == 0) {
    exec.memory()->fill(offsets, 0, sizeof(O));
    exec.memory()->fill(total, 0, sizeof(std::int64_t));
    return;
  }
  scan_tiles<std::int64_t>(exec, schedule::merge_path{}, each_of(n), size_of, plus{},
                           write_offset<O>{offsets, total, n});
}

/// The same, and waits for the sum of all. Throws: overflow when it does not fit `O`.
template <class Exec, class Size, class O>
std::int64_t running_sums(const Exec& exec, std::int64_t n, const Size& size_of,
                          array<O>& offsets) {
  array<std::int64_t> total(1, exec.memory());
  sum_into(exec, n, size_of, offsets.data(), total.data());
  const std::int64_t sum = first_of(exec, total);
  (void)loops::detail::narrow<O>(sum, "a sum of sizes");
  return sum;
}

}  // namespace loops::segmented_detail
