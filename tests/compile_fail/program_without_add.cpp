// SPDX-License-Identifier: Apache-2.0
/// A tile program combines partials.
// expect: an agent needs clear, step, store, add, finish and sync
#include "loops/schedule/stream_k.hpp"

#include "whole_program.hpp"

struct program : whole_program {
  template <class Block>
  struct agent : whole_program::agent<Block> {
    using whole_program::agent<Block>::agent;
    void add(const std::byte*) = delete;
  };
};

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::stream_k{}, loops::uniform(3, 4), program{});
}
