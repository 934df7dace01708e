// SPDX-License-Identifier: Apache-2.0
/// What holds or does not is counted in a type that holds the count.
// expect: name the type of the values
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec, const float* values) {
  loops::reduce_tiles(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4),
      [=](std::int64_t atom) { return values[atom] > 0; }, loops::plus{}, [](std::int64_t, int) {});
}
