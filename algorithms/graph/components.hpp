// SPDX-License-Identifier: Apache-2.0
/// Connected components: every vertex learns the smallest vertex it is connected with.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <cstdint>
#include <utility>

namespace loops {

namespace graph_detail {

template <class I>
struct own_root {
  I* roots;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const { roots[v] = static_cast<I>(v); }
};

/// Hangs the larger of two roots below the smaller one.
template <class I>
struct hook_edge {
  const I* neighbours;
  I* roots;
  int* changed;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t u, std::int64_t edge) const {
    const I a = native::load_relaxed(roots + u);
    const I b = native::load_relaxed(roots + neighbours[edge]);
    if (a == b) return;
    block.atomic_min(roots + (a < b ? b : a), a < b ? a : b);
    block.atomic_max(changed, 1);
  }
};

/// Follows roots up to the one that is its own.
template <class I>
struct find_root {
  I* roots;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    I root = native::load_relaxed(roots + v);
    for (I above = native::load_relaxed(roots + root); above != root;
         above = native::load_relaxed(roots + root))
      root = above;
    block.atomic_min(roots + v, root);
  }
};

}  // namespace graph_detail

/// labels[v] = the smallest vertex that v is connected with, edges taken in both directions. The
/// result does not depend on the order of hooking. Cost: rounds of two kernels and a wait, about as
/// many as the logarithm of the longest shortest path. Throws: invalid_argument when the graph is
/// not square, an array is missing, offsets do not end with the edges (on a CPU), or `labels` is
/// too short.
template <class Exec, class Schedule, class View, class Labels>
void connected_components(const Exec& exec, const Schedule& schedule, const View& graph,
                          Labels&& labels) {
  using I = typename View::index_type;
  graph_detail::check_square(exec, graph);
  const std::int64_t n = graph.rows;
  I* const roots = vector_data<I>(std::forward<Labels>(labels), n, "labels");
  const auto edges = plan(exec, schedule, rows_of(graph));
  const auto vertices = plan(exec, schedule::nonzero_split{}, graph_detail::each_of(n));
  for_each_atom(vertices, graph_detail::own_root<I>{roots});
  array<int> changed(1, exec.memory());
  do {
    changed.fill(0);
    for_each_atom(edges, graph_detail::hook_edge<I>{graph.indices, roots, changed.data()});
    for_each_atom(vertices, graph_detail::find_root<I>{roots});
  } while (changed.to_vector().front() != 0);
}

}  // namespace loops
