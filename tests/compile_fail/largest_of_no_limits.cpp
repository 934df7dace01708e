// SPDX-License-Identifier: Apache-2.0
/// Where the largest is, of none of which nothing is known to be less.
// expect: nothing is known to be less than all of this type
#include "algorithms/segmented/segmented.hpp"
#include "loops/core/float8.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::executor& exec, const loops::float8_e4m3* values, std::int64_t* out) {
  loops::segmented_arg_max<loops::float8_e4m3>(exec, loops::schedule::merge_path{},
                                               loops::uniform(2, 2), values, out);
}
