// SPDX-License-Identifier: Apache-2.0
/// A scan emits what is before an atom, and what is through it.
// expect: emit is called as emit.tile, value., or for a scan as emit.tile, atom, before, through.
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec) {
  loops::scan_tiles<float>(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4), [](std::int64_t) { return 1.F; },
      loops::plus{}, [](std::int64_t, float) {});
}
