// SPDX-License-Identifier: Apache-2.0
/// Triangles of an undirected graph, counted edge by edge.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/first_of.hpp"
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
    const auto v = static_cast<std::int64_t>(neighbours[edge]);
    const O of_u = offsets[u + 1] - offsets[u];
    const O of_v = offsets[v + 1] - offsets[v];
    // Nothing to guess: on a CPU a wrong guess would cost as much as all else here.
    return int(of_u < of_v) | (int(of_u == of_v) & int(u < v));
  }
};

/// Puts an edge that leads up where it belongs in the row of its tail.
template <class I>
struct keep_edge {
  const std::int64_t* offsets;
  const I* neighbours;
  I* heads;
  I* tails;
  LOOPS_HD void operator()(std::int64_t u, std::int64_t edge, std::int64_t before,
                           std::int64_t through) const {
    if (through == before) return;
    heads[offsets[u] + before] = neighbours[edge];
    tails[offsets[u] + before] = static_cast<I>(u);
  }
};

/// The edges of an oriented graph: its rows, and the row of every edge.
template <class I>
struct oriented {
  const std::int64_t* offsets;
  const I* heads;
  const I* tails;
  std::int64_t vertices;
  template <class Vertex>
  LOOPS_HD const I* begin(Vertex v) const {
    return heads + offsets[static_cast<std::int64_t>(v)];
  }
  template <class Vertex>
  LOOPS_HD const I* end(Vertex v) const {
    return heads + offsets[static_cast<std::int64_t>(v) + 1];
  }
  template <class Vertex>
  LOOPS_HD std::int64_t degree(Vertex v) const {
    return offsets[static_cast<std::int64_t>(v) + 1] - offsets[static_cast<std::int64_t>(v)];
  }
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

/// Whether a sorted row holds `wanted`. Its steps have no branch: lanes take equally many in rows
/// of one length, and a CPU has nothing to guess.
template <class I>
LOOPS_HD bool holds(const I* row, std::int64_t size, I wanted) {
  if (size <= 0) return false;
  for (std::int64_t half = size / 2; size > 1; half = size / 2) {
    row += row[half - 1] < wanted ? half : 0;
    size -= half;
  }
  return *row == wanted;
}

template <class I>
class walk_edges;

/// Whether an entry of the shorter row is in the longer one as well.
template <class I>
struct is_common {
  oriented<I> g;
  const std::int64_t* offsets;
  std::uint8_t* marks;  ///< zeros, one per vertex for each worker that walks; or none

  LOOPS_HD std::int64_t operator()(std::int64_t e, std::int64_t atom) const {
    const I u = g.tails[e];
    const I v = g.heads[e];
    const bool swap = g.degree(v) < g.degree(u);
    const I small = swap ? v : u;
    const I large = swap ? u : v;
    const I wanted = g.begin(small)[atom - offsets[e]];
    return holds(g.begin(large), g.degree(large), wanted) ? 1 : 0;
  }
  template <class Block>
  walk_edges<I> walker(const Block& block) const requires requires {
    block.worker();
  }
  { return walk_edges<I>(*this, marks ? marks + block.worker() * g.vertices : nullptr); }
};

/// The same edge after edge, on a CPU: those of one tail follow each other, so its row is marked
/// once, and every entry of a head's row is one look.
template <class I>
class walk_edges {
 public:
  /// Of `marks`, if any, all are zeros, and will be again.
  walk_edges(const is_common<I>& map, std::uint8_t* marks) : map_(map), marks_(marks) {}
  walk_edges(const walk_edges&) = delete;
  walk_edges& operator=(const walk_edges&) = delete;
  ~walk_edges() { mark(0); }

  [[nodiscard]] std::int64_t of_stretch(std::int64_t e, std::int64_t first,
                                        std::int64_t last) const {
    constexpr std::int64_t longer = 16;  // times: as many looks as a search costs
    const auto& g = map_.g;
    const I u = g.tails[e];
    const I v = g.heads[e];
    const bool of_head = g.degree(v) < g.degree(u);  // then atoms are entries of its row
    const bool whole = first == map_.offsets[e] && last == map_.offsets[e + 1];
    std::int64_t common = 0;
    if (!marks_ || !(of_head || (whole && g.degree(v) <= longer * g.degree(u)))) {
      for (std::int64_t a = first; a < last; ++a) common += map_(e, a);
      return common;
    }
    if (const auto tail = static_cast<std::int64_t>(u); tail != marked_) {
      mark(0);
      marked_ = tail;
      mark(1);
    }
    const I* const row = g.begin(v);
    const I* const end = of_head ? row + (last - map_.offsets[e]) : g.end(v);
    for (const I* w = of_head ? row + (first - map_.offsets[e]) : row; w < end; ++w)
      common += marks_[*w];
    return common;
  }

 private:
  void mark(std::uint8_t how) const {
    if (marked_ < 0) return;
    for (const I* w = map_.g.begin(marked_); w < map_.g.end(marked_); ++w) marks_[*w] = how;
  }

  is_common<I> map_;
  std::uint8_t* marks_;
  mutable std::int64_t marked_ = -1;  ///< whose row is marked, if any
};

using segmented_detail::running_sums;

}  // namespace graph_detail

/// The number of triangles of an undirected graph: `graph` is symmetric, its rows are sorted and
/// have no duplicates; loops count for nothing. `schedule` balances two works: the edges of the
/// graph, and, per edge that is kept, the shorter of two neighbourhoods. Cost: three waits; on a
/// CPU a byte per vertex and thread, where that is no more than the lists of edges take. Throws:
/// invalid_argument when the graph is not square, an array is missing, or offsets do not end with
/// the edges (on a CPU).
template <class Exec, class Schedule, class Graph>
std::int64_t count_triangles(const Exec& exec, const Schedule& schedule, const Graph& graph) {
  using View = loops::detail::view_of<Graph>;
  const View a = loops::detail::viewed(graph);
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using namespace graph_detail;
  check_square(exec, a);
  const auto n = static_cast<std::int64_t>(a.rows);
  if (n == 0) return 0;
  const leads_up<I, O> up{a.offsets, a.indices};
  array<std::int64_t> counts(static_cast<std::size_t>(n), exec.memory());
  array<std::int64_t> offsets(static_cast<std::size_t>(n) + 1, exec.memory());
  const auto rows = plan<std::int64_t>(exec, schedule, rows_of(a));
  reduce_tiles<std::int64_t>(rows, up, plus{}, store_in{counts.data()});
  const std::int64_t edges =
      running_sums(exec, n, element_of<std::int64_t>{counts.data()}, offsets);
  if (edges == 0) return 0;

  array<I> heads(static_cast<std::size_t>(edges), exec.memory());
  array<I> tails(static_cast<std::size_t>(edges), exec.memory());
  scan_tiles<std::int64_t>(rows, up, plus{},
                           keep_edge<I>{offsets.data(), a.indices, heads.data(), tails.data()});

  const oriented<I> g{offsets.data(), heads.data(), tails.data(), n};
  array<std::int64_t> work(static_cast<std::size_t>(edges) + 1, exec.memory());
  const std::int64_t atoms = running_sums(exec, edges, shorter_row<I>{g}, work);
  array<std::int64_t> common(static_cast<std::size_t>(edges), exec.memory());
  const auto shares = plan<std::int64_t>(
      exec, schedule, segments<std::int64_t>(work.data(), edges, atoms), reuse::once);
  // Who walks alone gets marks, where these take no more room than the lists of edges do.
  const machine m = exec.template describe<typename decltype(shares)::shape_type>();
  const std::int64_t markers = m.threads == 1 && m.blocks <= 16 * edges / n ? m.blocks : 0;
  array<std::uint8_t> marks(static_cast<std::size_t>(markers * n), exec.memory());
  marks.fill(0);
  reduce_tiles<std::int64_t>(shares, is_common<I>{g, work.data(), marks.data()}, plus{},
                             store_in{common.data()});
  array<std::int64_t> total(1, exec.memory());
  reduce_tiles<std::int64_t>(exec, schedule::nonzero_split{}, each_of(edges),
                             element_of<std::int64_t>{common.data()}, plus{},
                             store_in{total.data()});
  return first_of(exec, total);
}

}  // namespace loops
