// SPDX-License-Identifier: Apache-2.0
/// Gathers what `schedule::automatic` wants to know, in one pass over the tiles.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/execution/memory.hpp"
#include "loops/schedule/automatic.hpp"

#include <cstdint>

namespace loops {

namespace detail {

template <class Work>
struct gather_statistics {
  Work w;
  std::int64_t* longest;
  std::int64_t* empty;

  struct larger {
    LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a < b ? b : a; }
  };
  struct add {
    LOOPS_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
  };
  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> reduce;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    std::int64_t most = 0;
    std::int64_t none = 0;
    for (std::int64_t t = block.id() * Block::threads + block.lane(); t < w.tiles();
         t += block.blocks() * Block::threads) {
      const std::int64_t size = atoms_of(w, t).size();
      most = size > most ? size : most;
      none += size == 0;
    }
    const group<Block, Block::threads> g(block);
    most = g.reduce(most, larger{}, shared.reduce);
    none = g.reduce(none, add{}, shared.reduce);
    if (g.rank() != 0) return;
    // Integers: the order of arrival does not show in the result.
    block.atomic_max(longest, most);
    block.atomic_add(empty, none);
  }
};

}  // namespace detail

/// Statistics of `w`. Cost: one read of the offsets, one launch. Waits for the result.
template <class Exec, work Work>
tile_statistics gather_statistics(const Exec& exec, const Work& w) {
  using launch_shape = shape<256, 1>;
  array<std::int64_t> result(2, exec.memory());
  result.fill(0);
  const machine m = exec.template describe<launch_shape>();
  const std::int64_t blocks = ceil_div(w.tiles(), m.threads);
  exec.template launch<launch_shape>(
      blocks < m.blocks ? blocks : m.blocks,
      detail::gather_statistics<Work>{w, result.data(), result.data() + 1});
  const std::vector<std::int64_t> r = result.to_vector();
  return {w.tiles(), w.atoms(), r[0], r[1]};
}

}  // namespace loops
