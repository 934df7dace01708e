// SPDX-License-Identifier: Apache-2.0
/// Groups of all lanes of a block are no blocks to a tile program: what is one is said.
// expect: take a schedule of dense_schedules.hpp
#include "loops/schedule/block_mapped.hpp"

#include "whole_program.hpp"

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::block_mapped{}, loops::uniform(3, 4), whole_program{});
}
