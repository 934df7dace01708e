// SPDX-License-Identifier: Apache-2.0
/// Expands frontiers of few edges, one after another, within one block.
#pragma once

#include "algorithms/graph/gather.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops::graph_detail {

/// Adds vertices to a list in the order of arrival, and leaves their degrees for later.
template <class I>
struct append {
  I* vertices;
  int* count;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t v) const {
    vertices[block.atomic_add(count, 1)] = static_cast<I>(v);
  }
};

/// The block goes from frontier to frontier until one is empty, or has more than `few` edges or
/// more vertices than there is room for: a few barriers per level, where launches and a wait would
/// be much more. Lanes stride over the edges of a frontier, and look up their vertices in shared
/// memory.
template <class Visit, class I, class O, int Most>
struct expand_few_edges {
  const O* offsets;  ///< of the graph
  frontier_arrays<I> lists[2];
  frontier_state* state;
  Visit visit;
  frontier_counter counter;
  std::int32_t round;  ///< of the frontier to begin with: in lists[round & 1]
  int few;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
    int found[2];    ///< in even rounds, and in odd ones
    int ends[Most];  ///< running sums of the degrees
    O begins[Most];  ///< where in the graph the edges of a vertex begin
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    std::int32_t r = round;
    std::int64_t vertices = counter.vertices(state->size[r & 1]);
    std::int64_t edges = counter.edges(state->size[r & 1]);
    std::int64_t explored = 0;
    const auto fits = [&] { return edges <= few && vertices <= Most; };
    if (fits()) edges = add_up(block, shared, r, vertices);
    while (vertices > 0 && fits()) {
      if (block.lane() == 0) shared.found[r & 1] = 0;
      block.sync();
      explored += counter.one_vertex(0) * vertices + edges;
      expand(block, shared, static_cast<int>(vertices), static_cast<int>(edges), r);
      block.sync();
      vertices = shared.found[r & 1];
      edges = add_up(block, shared, ++r, vertices);
    }
    if (block.lane() != 0) return;
    state->size[r & 1] = counter.one_vertex(0) * vertices + edges;
    state->explored = explored;
    state->round = r;
  }

 private:
  /// The edges of a list, and where those of every vertex are, as far as there is room.
  template <class Block>
  LOOPS_HD std::int64_t add_up(Block& block, storage<Block>& shared, std::int32_t r,
                               std::int64_t vertices) const {
    const frontier_arrays<I>& list = lists[r & 1];
    const group<Block, Block::threads> g(block);
    std::int64_t open = 0;
    for (std::int64_t base = 0; base < vertices; base += Block::threads) {
      const std::int64_t i = base + block.lane();
      std::int64_t degree = 0;
      O begin{};
      if (i < vertices) {
        const I v = list.vertices[i];
        begin = offsets[v];
        degree = static_cast<std::int64_t>(offsets[v + 1] - begin);
      }
      const auto scanned = g.scan_open(degree, false, open, plus{}, shared.scan);
      if (i < vertices) {
        const std::int64_t end = scanned.before + degree;
        list.offsets[i + 1] = end;
        if (i < Most) {
          shared.ends[i] = end < few ? static_cast<int>(end) : few;
          shared.begins[i] = begin;
        }
      }
      open = scanned.total;
      block.sync();
    }
    return open;
  }

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void expand(Block& block, storage<Block>& shared, int vertices, int edges,
                       std::int32_t r) const {
    const append<I> found{lists[(r + 1) & 1].vertices, &shared.found[r & 1]};
    int at = -1;
    int end = 0;
    for (int e = block.lane(); e < edges; e += Block::threads) {
      if (e >= end) {
        at = first_where(at + 1, vertices - 1, [&](int i) { return shared.ends[i] > e; });
        end = shared.ends[at];
      }
      const int begin = at > 0 ? shared.ends[at - 1] : 0;
      visit(block, static_cast<std::int64_t>(lists[r & 1].vertices[at]),
            static_cast<std::int64_t>(shared.begins[at]) + (e - begin), r, found);
    }
  }
};

}  // namespace loops::graph_detail
