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

/// Begins at the first neighbour where that is smaller: half the work of joining edges is done
/// then.
template <class I, class O>
struct smaller_neighbour {
  const O* offsets;
  const I* neighbours;
  I* roots;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    const auto self = static_cast<I>(v);
    const O first = offsets[v];
    const I other = first < offsets[v + 1] ? neighbours[first] : self;
    roots[v] = other < self ? other : self;
  }
};

/// Joins the trees of an edge's ends: the larger root hangs below the smaller one. A vertex hangs
/// below a smaller one of its tree always, and only ever lower, so that who climbs arrives. Who
/// finds a root that has found another place meanwhile joins that place instead: no link is lost,
/// nobody waits, and one pass is enough.
template <class I>
struct join_ends {
  const I* neighbours;
  I* roots;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t u, std::int64_t edge) const {
    const I v = neighbours[edge];
    const I of_u = native::load_relaxed(roots + u);
    const I of_v = native::load_relaxed(roots + v);
    if (of_u == of_v) return;
    I high = of_u;
    I low = of_v;
    while (high != low) {
      if (high < low) {
        const I other = high;
        high = low;
        low = other;
      }
      I above = native::load_relaxed(roots + high);
      if (above == high) above = block.atomic_min(roots + high, low);
      if (above == high) break;
      high = above;
    }
    // Whoever asks the two again has no way to go.
    if (low < of_u) block.atomic_min(roots + u, low);
    if (low < of_v) block.atomic_min(roots + v, low);
  }
};

/// Follows roots up to the one that is its own, and hangs whom it meets one further up, so that
/// those who come after have half the way. What another lane has hung lower stays there.
template <class I>
struct find_root {
  I* roots;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    const I first = native::load_relaxed(roots + v);
    I below = static_cast<I>(v);
    I root = first;
    for (I above = native::load_relaxed(roots + root); above != root;
         above = native::load_relaxed(roots + root)) {
      block.atomic_min(roots + below, above);
      below = root;
      root = above;
    }
    if (root != first) block.atomic_min(roots + v, root);
  }
};

}  // namespace graph_detail

/// labels[v] = the smallest vertex that v is connected with, edges taken in both directions. The
/// result does not depend on the order of joining. Cost: two looks at every edge's ends at least,
/// four launches, no wait. Throws: invalid_argument when the graph is not square, an array is
/// missing, offsets do not end with the edges (on a CPU), or `labels` is too short or begins where
/// an array of the graph does. Source: Sutton, Ben-Nun and Barak (2018); Jaiganesh and Burtscher
/// (2018).
template <class Exec, class Schedule, class Graph, class Labels>
void connected_components(const Exec& exec, const Schedule& schedule, const Graph& graph,
                          Labels&& labels) {
  using View = loops::detail::view_of<Graph>;
  const View a = loops::detail::viewed(graph);
  using I = typename View::index_type;
  using O = typename View::offset_type;
  graph_detail::check_square(exec, a);
  const auto n = static_cast<std::int64_t>(a.rows);
  I* const roots = vector_data<I>(std::forward<Labels>(labels), n, "labels");
  graph_detail::check_apart_from(a, roots, "labels");
  const auto edges = plan(exec, schedule, rows_of(a));
  const auto vertices = plan(exec, schedule::nonzero_split{}, graph_detail::each_of(n));
  for_each_atom(vertices, graph_detail::smaller_neighbour<I, O>{a.offsets, a.indices, roots});
  for_each_atom(vertices, graph_detail::find_root<I>{roots});
  for_each_atom(edges, graph_detail::join_ends<I>{a.indices, roots});
  for_each_atom(vertices, graph_detail::find_root<I>{roots});
}

}  // namespace loops
