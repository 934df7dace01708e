// SPDX-License-Identifier: Apache-2.0
/// A vector of offsets is no work: it owns its memory, and says nothing of atoms.
// expect: does not satisfy .work.|concept work =
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

#include <vector>

void wrong(const loops::executor& exec) {
  const std::vector<int> offsets{0, 2, 5};
  loops::reduce_tiles(
      exec, loops::schedule::merge_path{}, offsets, [](std::int64_t) { return 1; }, loops::plus{},
      [](std::int64_t, int) {});
}
