// SPDX-License-Identifier: Apache-2.0
/// Running sums that a group computes of any number of sizes.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"

#include <cstdint>

namespace loops {

/// Calls `put(i, before, through)` for every i in [first, last), with the sum of `open` and of
/// `size(j)` for all j before i, and with that of i included; returns the sum of all, on all lanes.
/// `size(i)` and `put(i)` are called once, by the same lane. Lanes: all of a group that agrees on
/// the range; other groups do so for ranges as long. Sync: two barriers per lanes' worth of sizes,
/// the last one at the end.
LOOPS_CALLS_USER
template <class T, class Block, int Lanes, class Size, class Put>
LOOPS_HD T running_sums(const group<Block, Lanes>& g, std::int64_t first, std::int64_t last, T open,
                        group_storage<Block, T>& shared, const Size& size, const Put& put) {
  for (std::int64_t base = first; base < last; base += g.size()) {
    const std::int64_t i = base + g.rank();
    const T mine = i < last ? size(i) : T{};
    const auto scanned = g.scan_open(mine, false, open, plus{}, shared);
    if (i < last) put(i, scanned.before, scanned.before + mine);
    open = scanned.total;
    g.sync();
  }
  return open;
}

}  // namespace loops
