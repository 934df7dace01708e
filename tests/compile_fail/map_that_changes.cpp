// SPDX-License-Identifier: Apache-2.0
/// Lanes share a map: it is const.
// expect: a map is called as map.atom. or map.tile, atom., and is const
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles<float>(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4),
      [n = 0](std::int64_t) mutable { return float(++n); }, loops::plus{},
      [](std::int64_t, float) {});
}
