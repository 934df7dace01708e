// SPDX-License-Identifier: Apache-2.0
/// Breadth-first search that pushes from small frontiers and pulls into large ones.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/for_each_tile.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/vector_argument.hpp"

#include <cstdint>
#include <utility>

namespace loops {

/// When to change direction (Beamer, Asanovic, Patterson, SC'12).
struct bfs_options {
  /// Pull once more than 1 / alpha of the unexplored edges leave the frontier; 0: never.
  double alpha = 14;
  /// Push again once the frontier has fewer than 1 / beta of the vertices.
  double beta = 24;
};

/// What a search found.
struct bfs_result {
  std::int64_t reached = 0;  ///< vertices, the source included
  std::int32_t depth = 0;    ///< the largest level
  std::int32_t pulls = 0;    ///< levels that were found by pulling
};

namespace graph_detail {

struct start_at {
  std::int32_t* levels;
  std::int64_t source;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const { levels[v] = v == source ? 0 : -1; }
};

/// Edge of the frontier: who finds a vertex first adds it to the next frontier.
template <class I, class O>
struct push_edge {
  const I* neighbours;
  std::int32_t* levels;
  std::int32_t depth;
  gather<I, O> found;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t edge) const {
    const I v = neighbours[edge];
    if (native::load_relaxed(levels + v) == -1 && block.atomic_max(levels + v, depth) == -1)
      found(block, v);
  }
};

/// Vertex not reached yet: looks for a neighbour in the frontier until one is found.
template <class I, class O>
struct pull_vertex {
  const I* neighbours;
  std::int32_t* levels;
  std::int32_t depth;
  gather<I, O> found;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t v, atom_range edges, const Group& g) const {
    for (std::int64_t e = edges.first + g.rank(); e < edges.last; e += g.size()) {
      if (native::load_relaxed(levels + v) != -1) return;
      if (native::load_relaxed(levels + neighbours[e]) != depth - 1) continue;
      if (g.block().atomic_max(levels + v, depth) == -1) found(g.block(), v);
      return;
    }
  }
};

}  // namespace graph_detail

/// levels[v] = the number of edges of the shortest path from `source` to v along the rows of `out`;
/// -1 where there is none. `in` is the transpose of `out`, by rows; for a symmetric graph the same.
/// The frontier is a work, and so are all vertices; `schedule` balances both. Levels do not depend
/// on the order in which vertices are found. Cost: a wait per level. Throws: invalid_argument when
/// the source is no vertex, `in` has another shape, or `levels` is too short.
template <class Exec, class Schedule, class View, class Levels>
bfs_result bfs(const Exec& exec, const Schedule& schedule, const View& out, const View& in,
               std::int64_t source, Levels&& levels, const bfs_options& options = {}) {
  using I = typename View::index_type;
  using O = typename View::offset_type;
  graph_detail::check_source(out, source);
  require(in.rows == out.rows && in.cols == out.cols && in.nonzeros == out.nonzeros,
          errc::invalid_argument, "bfs: `in` must be the transpose of `out`");
  const std::int64_t n = out.rows;
  auto* const level = vector_data<std::int32_t>(std::forward<Levels>(levels), n, "levels");
  for_each_atom(exec, schedule::nonzero_split{}, graph_detail::each_of(n),
                graph_detail::start_at{level, source});

  graph_detail::frontier<Exec, View> here(exec, out);
  graph_detail::frontier<Exec, View> next(exec, out);
  for_each_atom(exec, schedule::nonzero_split{}, graph_detail::each_of(1),
                graph_detail::add_source<I, O>{here.sink(), source});
  const auto all = plan(exec, schedule, rows_of(in));
  graph_detail::frontier_size size = here.count();
  auto unexplored = static_cast<double>(out.nonzeros);
  bfs_result result;
  bool pull = false;
  while (size.vertices > 0) {
    result.reached += size.vertices;
    unexplored -= static_cast<double>(size.edges);
    const std::int32_t depth = result.depth + 1;
    pull = pull ? static_cast<double>(size.vertices) * options.beta >= static_cast<double>(n)
                : static_cast<double>(size.edges) * options.alpha > unexplored &&
                      options.alpha > 0 && unexplored > 0;
    next.clear();
    if (pull) {
      for_each_tile(all, graph_detail::pull_vertex<I, O>{in.indices, level, depth, next.sink()});
    } else {
      for_each_atom(exec, schedule, here.work(),
                    graph_detail::push_edge<I, O>{out.indices, level, depth, next.sink()});
    }
    std::swap(here, next);
    size = here.count();
    if (size.vertices == 0) break;
    result.depth = depth;
    result.pulls += pull;
  }
  return result;
}

}  // namespace loops
