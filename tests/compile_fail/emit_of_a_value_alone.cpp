// SPDX-License-Identifier: Apache-2.0
/// A value is emitted together with its tile.
// expect: emit is called as emit.tile, value.
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles<float>(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4), [](std::int64_t) { return 1.F; },
      loops::plus{}, [](float) {});
}
