// SPDX-License-Identifier: Apache-2.0
/// A tile program that has all it needs: what is wrong with another is what that adds, or where it
/// runs.
#pragma once

#include "loops/algorithm/run.hpp"
#include "loops/execution/executor.hpp"
#include "loops/work/uniform.hpp"

struct whole_program {
  using shape = loops::team<64>;
  static constexpr std::size_t slot_bytes = 4;
  template <class Block>
  struct storage {};
  template <class Block>
  struct agent {
    agent(const whole_program&, Block&, storage<Block>&) {}
    void clear() {}
    void step(const loops::segment&) {}
    void store(std::byte*) {}
    void add(const std::byte*) {}
    void finish(std::int64_t) {}
    void sync() {}
  };
};
