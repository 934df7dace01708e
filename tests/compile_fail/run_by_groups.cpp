// SPDX-License-Identifier: Apache-2.0
/// Groups of all lanes of a block are no blocks to a tile program: what is one is said.
// expect: take a schedule of dense_schedules.hpp
#include "loops/algorithm/run.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/block_mapped.hpp"
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
  loops::run(exec, loops::schedule::block_mapped{}, loops::uniform(3, 4), program{});
}
