// SPDX-License-Identifier: Apache-2.0
/// What `schedule_named` returns is one of many schedules: a plan is made with the one inside.
// expect: this is a variant of schedules: std::visit it, and make the plan with what is inside
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles<int>(
      exec, loops::schedule_named("merge_path"), loops::uniform(3, 4),
      [](std::int64_t) { return 1; }, loops::plus{}, [](std::int64_t, int) {});
}
