// SPDX-License-Identifier: Apache-2.0
/// Expands frontiers of few edges, one after another, within one block.
#pragma once

#include "algorithms/graph/gather.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::graph_detail {

/// The block goes from frontier to frontier until one is empty or has more than `few` edges: a
/// barrier per level, where a launch and a wait would be much more. Lanes stride over the edges of
/// a frontier, and look up their vertices.
template <class Visit, class I, class O>
struct expand_few_edges {
  const O* offsets;  ///< of the graph
  frontier_arrays<I> lists[2];
  frontier_state* state;
  Visit visit;
  frontier_counter counter;
  std::int32_t round;  ///< of the frontier to begin with: in lists[round & 1]
  std::int64_t few;

  template <class Block>
  struct storage {
    std::int64_t size[3];  ///< of the frontier of round r at r % 3
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    std::int32_t r = round;
    std::int64_t explored = 0;
    if (block.lane() == 0) {
      shared.size[r % 3] = state->size[r & 1];
      shared.size[(r + 1) % 3] = 0;
    }
    block.sync();
    while (true) {
      const std::int64_t size = shared.size[r % 3];
      const std::int64_t edges = counter.edges(size);
      if (size == 0 || edges > few) break;
      if (block.lane() == 0) shared.size[(r + 2) % 3] = 0;
      explored += size;
      expand(block, lists[r & 1], counter.vertices(size), edges, r,
             {offsets, lists[(r + 1) & 1], &shared.size[(r + 1) % 3], counter});
      block.sync();
      ++r;
    }
    if (block.lane() != 0) return;
    state->size[r & 1] = shared.size[r % 3];
    state->explored = explored;
    state->round = r;
  }

 private:
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void expand(Block& block, const frontier_arrays<I>& here, std::int64_t vertices,
                       std::int64_t edges, std::int32_t r, const gather<I, O>& found) const {
    std::int64_t at = -1;
    std::int64_t end = 0;
    std::int64_t shift = 0;
    std::int64_t u = 0;
    for (std::int64_t e = block.lane(); e < edges; e += Block::threads) {
      if (e >= end) {
        at = first_where(at + 1, vertices - 1,
                         [&](std::int64_t i) { return here.offsets[i + 1] > e; });
        end = here.offsets[at + 1];
        u = static_cast<std::int64_t>(here.vertices[at]);
        shift = static_cast<std::int64_t>(offsets[u]) - here.offsets[at];
      }
      visit(block, u, e + shift, r, found);
    }
  }
};

}  // namespace loops::graph_detail
