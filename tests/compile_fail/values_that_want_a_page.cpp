// SPDX-License-Identifier: Apache-2.0
/// Parts of tiles lie where memory puts them.
// expect: memory is aligned to 128 bytes, and these values want more
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

struct alignas(4096) page {
  float first;
  friend LOOPS_HD page operator+(page a, page b) { return {a.first + b.first}; }
};

void wrong(const loops::executor& exec) {
  loops::reduce_tiles(
      exec, loops::schedule::merge_path{}, loops::uniform(3, 4),
      [](std::int64_t) { return page{1}; }, loops::plus{}, [](std::int64_t, page) {});
}
