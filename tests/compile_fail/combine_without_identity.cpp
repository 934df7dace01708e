// SPDX-License-Identifier: Apache-2.0
/// A function that combines needs its neutral value beside it.
// expect: combine is called as combine.a, b., and knows its identity
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles<float>(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4), [](std::int64_t) { return 1.F; },
      [](float a, float b) { return a + b; }, [](std::int64_t, float) {});
}
