// SPDX-License-Identifier: Apache-2.0
/// Where some lanes only load, one of the others leads.
// expect: needs produce and leads
#include "loops/schedule/stream_k.hpp"

#include "whole_program.hpp"

struct program : whole_program {
  template <class Block>
  struct agent : whole_program::agent<Block> {
    using whole_program::agent<Block>::agent;
    bool produces() const { return false; }
    void produce(const loops::segment&) {}
  };
};

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::stream_k{}, loops::uniform(3, 4), program{});
}
