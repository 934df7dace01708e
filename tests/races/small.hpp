// SPDX-License-Identifier: Apache-2.0
/// What the race tests of the library's own kernels run on.
#pragma once

#include "loops/execution/emulation.hpp"
#include "loops/io/generate.hpp"

#include <cstdio>

namespace races {

/// Calls `f(executor)` for machines of either wave. One order of lanes is enough: ThreadSanitizer
/// judges what the barriers leave open, not what came first.
template <class F>
void on_every_wave(const F& f) {
  f(loops::emulation_executor<32>());
  f(loops::emulation_executor<64>());
}

/// Calls `f(matrix)` for small ones on which lanes, waves and blocks meet: rows of all lengths, one
/// that many blocks share, and rows without a nonzero. No number of anything is a multiple of what
/// a lane takes at once.
template <class V, class F>
void for_each_small(const F& f) {
  for (const char* spec : {"power_law:rows=203,nonzeros=2003", "empty_rows:rows=301,per_row=3",
                           "dense_row:rows=1501,per_row=1"}) {
    std::printf("%s\n", spec);
    f(loops::generate<V>(spec));
  }
}

}  // namespace races
