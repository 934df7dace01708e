// SPDX-License-Identifier: Apache-2.0
/// Teams that take segments in turn cannot share tiles, and the program says so.
// expect: the program says
#include "loops/algorithm/run.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/stream_k.hpp"
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
    bool takes(const loops::segment&) { return true; }
  };
};

void wrong(const loops::executor& exec) {
  loops::run(exec, loops::schedule::stream_k{}, loops::uniform(3, 4), program{});
}
