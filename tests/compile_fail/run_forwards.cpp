// SPDX-License-Identifier: Apache-2.0
/// Blocks that wait for lower ones go backwards, or each waits for all before it.
// expect: blocks that wait for each other need order::last_first
#include "loops/algorithm/run.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/uniform.hpp"

struct program {
  using shape = loops::team<64>;
  static constexpr std::size_t slot_bytes = 4;
  template <class Block>
  struct storage {};
  template <class Block>
  struct agent {
    agent(const program&, Block&, storage<Block>&) {}
    void clear() {}
    void step(const loops::segment&) {}
    void store(std::byte*) {}
    void add(const std::byte*) {}
    void finish(std::int64_t) {}
    void sync() {}
  };
};

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::nonzero_split{}, loops::uniform(3, 4), program{});
}
