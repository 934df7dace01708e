// SPDX-License-Identifier: Apache-2.0
/// Triangles of an undirected graph, counted edge by edge.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <cstdint>

namespace loops {

namespace graph_detail {

/// Every edge in one direction: to the vertex of more neighbours, of equals to the later one. So no
/// vertex keeps more than about the square root of twice the number of edges.
template <class I, class O>
struct leads_up {
  const O* offsets;
  const I* neighbours;
  LOOPS_HD std::int64_t operator()(std::int64_t u, std::int64_t edge) const {
    const std::int64_t v = neighbours[edge];
    const O of_u = offsets[u + 1] - offsets[u];
    const O of_v = offsets[v + 1] - offsets[v];
    return of_u < of_v || (of_u == of_v && u < v) ? 1 : 0;
  }
};

/// Puts an edge that leads up where it belongs in the row of its tail.
template <class I>
struct keep_edge {
  const std::int64_t* offsets;
  const I* neighbours;
  I* kept;
  LOOPS_HD void operator()(std::int64_t u, std::int64_t edge, std::int64_t before,
                           std::int64_t through) const {
    if (through > before) kept[offsets[u] + before] = neighbours[edge];
  }
};

/// The edges of an oriented graph: its rows, and the row of every edge.
template <class I>
struct oriented {
  const std::int64_t* offsets;
  const I* heads;
  const I* tails;
  LOOPS_HD std::int64_t degree(std::int64_t v) const { return offsets[v + 1] - offsets[v]; }
};

/// An edge is as much work as the shorter of its ends' rows.
template <class I>
struct shorter_row {
  oriented<I> g;
  LOOPS_HD std::int64_t operator()(std::int64_t e) const {
    const std::int64_t a = g.degree(g.tails[e]);
    const std::int64_t b = g.degree(g.heads[e]);
    return a < b ? a : b;
  }
};

/// Whether entry i of the shorter row is in the longer one as well.
template <class I>
struct is_common {
  oriented<I> g;
  const std::int64_t* offsets;
  LOOPS_HD std::int64_t operator()(std::int64_t e, std::int64_t atom) const {
    const I u = g.tails[e];
    const I v = g.heads[e];
    const bool swap = g.degree(v) < g.degree(u);
    const I small = swap ? v : u;
    const I large = swap ? u : v;
    const I wanted = g.heads[g.offsets[small] + (atom - offsets[e])];
    const std::int64_t end = g.offsets[large + 1];
    const std::int64_t at =
        first_where(g.offsets[large], end, [&](std::int64_t i) { return g.heads[i] >= wanted; });
    return at < end && g.heads[at] == wanted ? 1 : 0;
  }
};

using segmented_detail::running_sums;

}  // namespace graph_detail

/// The number of triangles of an undirected graph: `graph` is symmetric, its rows are sorted and
/// have no duplicates; loops count for nothing. `schedule` balances two works: the edges of the
/// graph, and, per edge that is kept, the shorter of two neighbourhoods. Cost: three waits. Throws:
/// invalid_argument when the graph is not square, an array is missing, or offsets do not end with
/// the edges (on a CPU).
template <class Exec, class Schedule, class View>
std::int64_t count_triangles(const Exec& exec, const Schedule& schedule, const View& graph) {
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using namespace graph_detail;
  check_square(exec, graph);
  const std::int64_t n = graph.rows;
  if (n == 0) return 0;
  const leads_up<I, O> up{graph.offsets, graph.indices};
  array<std::int64_t> counts(static_cast<std::size_t>(n), exec.memory());
  array<std::int64_t> offsets(static_cast<std::size_t>(n) + 1, exec.memory());
  const auto rows = plan<std::int64_t>(exec, schedule, rows_of(graph));
  reduce_tiles<std::int64_t>(rows, up, plus{}, store_in{counts.data()});
  const std::int64_t edges =
      running_sums(exec, n, element_of<std::int64_t>{counts.data()}, offsets);
  if (edges == 0) return 0;

  array<I> heads(static_cast<std::size_t>(edges), exec.memory());
  array<I> tails(static_cast<std::size_t>(edges), exec.memory());
  scan_tiles<std::int64_t>(rows, up, plus{},
                           keep_edge<I>{offsets.data(), graph.indices, heads.data()});
  for_each_atom(exec, schedule::nonzero_split{}, segments<std::int64_t>(offsets.data(), n, edges),
                segmented_detail::note_tile<I>{tails.data()});

  const oriented<I> g{offsets.data(), heads.data(), tails.data()};
  array<std::int64_t> work(static_cast<std::size_t>(edges) + 1, exec.memory());
  const std::int64_t atoms = running_sums(exec, edges, shorter_row<I>{g}, work);
  array<std::int64_t> common(static_cast<std::size_t>(edges), exec.memory());
  reduce_tiles<std::int64_t>(exec, schedule, segments<std::int64_t>(work.data(), edges, atoms),
                             is_common<I>{g, work.data()}, plus{}, store_in{common.data()});
  array<std::int64_t> total(1, exec.memory());
  reduce_tiles<std::int64_t>(exec, schedule::nonzero_split{}, each_of(edges),
                             element_of<std::int64_t>{common.data()}, plus{},
                             store_in{total.data()});
  return total.to_vector().front();
}

}  // namespace loops
