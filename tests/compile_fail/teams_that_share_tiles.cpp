// SPDX-License-Identifier: Apache-2.0
/// Teams that take segments in turn cannot share tiles, and the program says so.
// expect: the program says
#include "loops/schedule/stream_k.hpp"

#include "whole_program.hpp"

struct program : whole_program {
  template <class Block>
  struct agent : whole_program::agent<Block> {
    using whole_program::agent<Block>::agent;
    bool takes(const loops::segment&) { return true; }
  };
};

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::stream_k{}, loops::uniform(3, 4), program{});
}
