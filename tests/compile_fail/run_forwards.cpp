// SPDX-License-Identifier: Apache-2.0
/// Blocks that wait for lower ones go backwards, or each waits for all before it.
// expect: blocks that wait for each other need order::last_first
#include "loops/schedule/nonzero_split.hpp"

#include "whole_program.hpp"

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::nonzero_split{}, loops::uniform(3, 4), whole_program{});
}
