// SPDX-License-Identifier: Apache-2.0
/// A number of lanes is no schedule.
// expect: this is no schedule: it has no .compose.. const
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles(
      exec, 32, loops::uniform(3, 4), [](std::int64_t) { return 1; }, loops::plus{},
      [](std::int64_t, int) {});
}
