// SPDX-License-Identifier: Apache-2.0
/// Connected components: every vertex learns the smallest vertex it is connected with.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/vector_argument.hpp"

#include <cstdint>
#include <utility>

namespace loops {

namespace graph_detail {

/// Hangs a vertex below its first neighbour where that is smaller. In no graph does this close a
/// ring, and where rows are sorted it leaves few edges between trees.
template <class I, class O>
struct first_root {
  const O* offsets;
  const I* neighbours;
  I* roots;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    const auto own = static_cast<I>(v);
    const O first = offsets[v];
    roots[v] = first < offsets[v + 1] && neighbours[first] < own ? neighbours[first] : own;
  }
};

/// The root of the tree that `v` is in, as far as others have built it. Everybody on the way is
/// hung below their second next, which is in the same tree whatever others do.
template <class Block, class I>
LOOPS_HD I root_of(Block& block, I* roots, I v) {
  I at = native::load_relaxed(roots + v);
  for (I above = native::load_relaxed(roots + at); above != at;
       above = native::load_relaxed(roots + at)) {
    block.store_relaxed(roots + v, above);
    v = at;
    at = above;
  }
  return at;
}

/// Joins the trees of two neighbours: hangs the larger root below the smaller one. A root that
/// somebody else has hung elsewhere in between leaves that place to be joined instead.
template <class I>
struct join_edge {
  const I* neighbours;
  I* roots;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t u, std::int64_t edge) const {
    I a = root_of(block, roots, static_cast<I>(u));
    I b = root_of(block, roots, neighbours[edge]);
    while (a != b) {
      const I low = a < b ? a : b;
      const I high = a < b ? b : a;
      const I was = block.atomic_min(roots + high, low);
      if (was == high) return;
      a = root_of(block, roots, was);
      b = root_of(block, roots, low);
    }
  }
};

/// Writes the root of a vertex in place of whatever is on the way there.
template <class I>
struct find_root {
  I* roots;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    block.store_relaxed(roots + v, root_of(block, roots, static_cast<I>(v)));
  }
};

}  // namespace graph_detail

/// labels[v] = the smallest vertex that v is connected with, edges taken in both directions. The
/// result does not depend on the order in which trees are joined. Cost: three passes, over
/// vertices, edges and vertices; waits for nothing. Throws: invalid_argument when the graph is not
/// square or `labels` is too short.
template <class Exec, class Schedule, class View, class Labels>
void connected_components(const Exec& exec, const Schedule& schedule, const View& graph,
                          Labels&& labels) {
  using I = typename View::index_type;
  graph_detail::check_square(graph);
  const std::int64_t n = graph.rows;
  I* const roots = vector_data<I>(std::forward<Labels>(labels), n, "labels");
  const auto vertices = plan(exec, schedule::nonzero_split{}, graph_detail::each_of(n));
  for_each_atom(vertices, graph_detail::first_root<I, typename View::offset_type>{
                              graph.offsets, graph.indices, roots});
  for_each_atom(vertices, graph_detail::find_root<I>{roots});
  for_each_atom(exec, schedule, rows_of(graph), graph_detail::join_edge<I>{graph.indices, roots});
  for_each_atom(vertices, graph_detail::find_root<I>{roots});
}

}  // namespace loops
