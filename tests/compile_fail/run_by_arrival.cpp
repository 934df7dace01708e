// SPDX-License-Identifier: Apache-2.0
/// A tile program needs to know who has the rest of a tile.
// expect: run needs a schedule that is known beforehand
#include "loops/schedule/dynamic_merge_path.hpp"

#include "whole_program.hpp"

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::dynamic_merge_path{}, loops::uniform(3, 4), whole_program{});
}
