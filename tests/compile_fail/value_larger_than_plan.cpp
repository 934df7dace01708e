// SPDX-License-Identifier: Apache-2.0
/// A plan has room for values of the size it was made for.
// expect: the plan was made for smaller values: name the type
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

using sums = loops::row_sums<double, 4>;

void wrong(const loops::executor& exec) {
  const auto plan = loops::plan<double>(exec, loops::schedule::merge_path{}, loops::uniform(3, 4));
  loops::reduce_tiles<sums>(
      plan, [](std::int64_t) { return sums{}; }, loops::plus{}, [](std::int64_t, sums) {});
}
