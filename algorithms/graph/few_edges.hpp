// SPDX-License-Identifier: Apache-2.0
/// Expands frontiers of few edges, one after another, within one block.
#pragma once

#include "algorithms/graph/gather.hpp"
#include "loops/algorithm/spread_atoms.hpp"
#include "loops/collective/running_sums.hpp"
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

/// The neighbourhoods of a frontier as a work whose offsets lie in shared memory. Functors are told
/// vertices and edges of the graph.
template <class I, class O>
struct frontier_at_hand {
  const I* vertices;
  const int* ends;  ///< running sums of the degrees, from 0: one more
  const O* begins;  ///< where in the graph the edges of a vertex begin
  int count;
  [[nodiscard]] LOOPS_HD std::int64_t tiles() const { return count; }
  [[nodiscard]] LOOPS_HD std::int64_t atoms() const { return ends[count]; }
  [[nodiscard]] LOOPS_HD std::int64_t offset(std::int64_t t) const { return ends[t]; }
  [[nodiscard]] LOOPS_HD std::int64_t tile_id(std::int64_t t) const {
    return static_cast<std::int64_t>(vertices[t]);
  }
  [[nodiscard]] LOOPS_HD std::int64_t atom_id(std::int64_t t, std::int64_t a) const {
    return static_cast<std::int64_t>(begins[t]) + (a - ends[t]);
  }
};

/// The block goes from frontier to frontier until one is empty, or has more than `few` edges or
/// more vertices than there is room for: a few barriers per level, where launches and a wait would
/// be much more. A frontier is one slice, which its lanes share.
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
    int found[2];  ///< in even rounds, and in odd ones
    int ends[Most + 1];
    O begins[Most];
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
    if (block.lane() == 0) shared.ends[0] = 0;
    return running_sums(
        group<Block, Block::threads>(block), 0, vertices, std::int64_t{0}, shared.scan,
        [&](std::int64_t i) {
          const I v = list.vertices[i];
          const O begin = offsets[v];
          if (i < Most) shared.begins[i] = begin;
          return static_cast<std::int64_t>(offsets[v + 1] - begin);
        },
        [&](std::int64_t i, std::int64_t, std::int64_t end) {
          list.offsets[i + 1] = end;
          if (i < Most) shared.ends[i + 1] = end < few ? static_cast<int>(end) : few;
        });
  }

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void expand(Block& block, storage<Block>& shared, int vertices, int edges,
                       std::int32_t r) const {
    const append<I> found{lists[(r + 1) & 1].vertices, &shared.found[r & 1]};
    const frontier_at_hand<I, O> work{lists[r & 1].vertices, shared.ends, shared.begins, vertices};
    spread_atoms<int>(group<Block, Block::threads>(block), work, slice{{0, 0}, {vertices, edges}},
                      [&](std::int64_t u, std::int64_t edge) { visit(block, u, edge, r, found); });
  }
};

}  // namespace loops::graph_detail
