// SPDX-License-Identifier: Apache-2.0
/// Breadth-first search that pushes from small frontiers and pulls into large ones.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/for_each_tile.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace loops {

/// When to change direction (Beamer, Asanovic, Patterson, SC'12), and how to take small levels.
struct bfs_options {
  /// Pull once more than 1 / alpha of the unexplored edges leave the frontier; 0: never.
  double alpha = 14;
  /// Push again once the frontier has fewer than 1 / beta of the vertices.
  double beta = 24;
  /// Levels of at most so many edges are pushed by one block, without a wait in between; -1: as
  /// many as suit the executor.
  std::int64_t few = -1;
};

/// What a search found.
struct bfs_result {
  std::int64_t reached = 0;  ///< vertices, the source included
  std::int32_t depth = 0;    ///< the largest level
  std::int32_t pulls = 0;    ///< levels that were found by pulling
};

namespace graph_detail {

template <class I, class O>
struct start_at {
  std::int32_t* levels;
  std::int64_t source;
  gather<I, O> found;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    levels[v] = v == source ? 0 : -1;
    if (v == source) found(block, v);
  }
};

/// Edge of the frontier: who finds a vertex first adds it to the next frontier.
template <class I>
struct push_edge {
  struct end {
    I vertex;
    std::int32_t level;
  };
  const I* neighbours;
  std::int32_t* levels;
  LOOPS_HD end end_of(std::int64_t edge) const {
    const I v = neighbours[edge];
    return {v, native::load_relaxed(levels + v)};
  }
  template <class Block, class Found>
  LOOPS_HD void operator()(Block& block, std::int64_t, const end& to, std::int32_t round,
                           const Found& found) const {
    if (to.level == -1 && block.atomic_max(levels + to.vertex, round + 1) == -1)
      found(block, static_cast<std::int64_t>(to.vertex));
  }
};

/// Vertex not reached yet: looks for a neighbour in the frontier until one is found.
template <class I>
struct pull_vertex {
  const I* neighbours;
  std::int32_t* levels;
  std::int32_t depth;
  template <class Group>
  LOOPS_HD void operator()(std::int64_t v, atom_range edges, const Group& g) const {
    for (std::int64_t e = edges.first + g.rank(); e < edges.last; e += g.size()) {
      if (native::load_relaxed(levels + v) != -1) return;
      if (native::load_relaxed(levels + neighbours[e]) != depth - 1) continue;
      g.block().store_relaxed(levels + v, depth);
      return;
    }
  }
};

/// A vertex of one level, as the counter of a frontier takes it.
template <class O>
struct count_at {
  const O* offsets;
  const std::int32_t* levels;
  std::int32_t depth;
  frontier_counter counter;
  LOOPS_HD std::int64_t operator()(std::int64_t v) const {
    if (levels[v] != depth) return 0;
    return counter.one_vertex(static_cast<std::int64_t>(offsets[v + 1] - offsets[v]));
  }
};
/// Lists the vertices of one level.
template <class I, class O>
struct list_at {
  const std::int32_t* levels;
  std::int32_t depth;
  gather<I, O> found;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    if (levels[v] == depth) found(block, v);
  }
};

}  // namespace graph_detail

/// levels[v] = the number of edges of the shortest path from `source` to v along the rows of `out`;
/// -1 where there is none. `in` is the transpose of `out`, by rows; for a symmetric graph the same.
/// The frontier is a work, and so are all vertices; `schedule` balances both, but for frontiers of
/// few edges. Levels do not depend on the order in which vertices are found. Cost: a wait per
/// level, and one for all levels of few edges that follow each other. Throws: invalid_argument when
/// the source is no vertex, `in` has another shape, an array is missing, offsets do not end with
/// the edges (on a CPU), or `levels` is too short or begins where an array of a graph does;
/// overflow when vertices and edges do not fit 63 bits together.
template <class Exec, class Schedule, class Graph, class Levels>
bfs_result bfs(const Exec& exec, const Schedule& schedule, const Graph& out, const Graph& in,
               std::int64_t source, Levels&& levels, const bfs_options& options = {}) {
  using View = loops::detail::view_of<Graph>;
  const View forth = loops::detail::viewed(out);
  const View back = loops::detail::viewed(in);
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using namespace graph_detail;
  check_source(exec, forth, source);
  check_arrays(back, reads::pattern);
  require(back.rows == forth.rows && back.cols == forth.cols && back.nonzeros == forth.nonzeros,
          errc::invalid_argument, "bfs: `in` must be the transpose of `out`");
  loops::detail::check_work(exec, rows_of(back));
  const auto n = static_cast<std::int64_t>(forth.rows);
  auto* const level = vector_data<std::int32_t>(std::forward<Levels>(levels), n, "levels");
  check_apart_from(forth, level, "levels");
  check_apart_from(back, level, "levels");
  using frontiers_type = frontiers<Exec, View>;
  const int few = frontiers_type::few_edges(options.few);
  frontiers_type f(exec, forth);
  const auto vertices = plan<std::int64_t>(exec, schedule::nonzero_split{}, each_of(n));
  for_each_atom(vertices, start_at<I, O>{level, source, f.sink(0)});
  const push_edge<I> push{forth.indices, level};
  using all_plan = decltype(plan(exec, schedule, rows_of(back)));
  std::optional<all_plan> all;  // once it is needed

  bfs_result result;
  auto unexplored = static_cast<double>(forth.nonzeros);
  const auto explore = [&](const frontier_size& size) {
    result.reached += size.vertices;
    unexplored -= static_cast<double>(size.edges);
  };
  bool pull = false;
  bool listed = true;
  for (explore(f.advance(schedule, push, few)); f.size().vertices > 0;) {
    const frontier_size size = f.size();
    const auto edges = static_cast<double>(size.edges);
    pull = size.edges > few &&
           (pull ? static_cast<double>(size.vertices) * options.beta >= static_cast<double>(n)
                 : edges * options.alpha > unexplored - edges && options.alpha > 0 &&
                       unexplored > edges);
    if (pull) {
      const std::int32_t depth = f.round() + 1;
      explore(size);
      if (!all) all.emplace(exec, schedule, rows_of(back));
      for_each_tile(*all, pull_vertex<I>{back.indices, level, depth});
      reduce_tiles<std::int64_t>(vertices, count_at<O>{forth.offsets, level, depth, f.counter()},
                                 plus{}, store_in{f.size_of(depth)});
      f.step();
      result.pulls += f.size().vertices > 0;
      listed = false;
      continue;
    }
    if (!listed) {
      f.clear(f.round());
      for_each_atom(vertices, list_at<I, O>{level, f.round(), f.sink(f.round())});
      listed = true;
    }
    explore(f.advance(schedule, push, few));
  }
  result.depth = f.round() - 1;
  return result;
}

}  // namespace loops
