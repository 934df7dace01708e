// SPDX-License-Identifier: Apache-2.0
/// A map is called with an atom, or with a tile and an atom.
// expect: a map is called as map.atom. or map.tile, atom.
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::reduce_tiles(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4), [] { return 1; }, loops::plus{},
      [](std::int64_t, int) {});
}
