// SPDX-License-Identifier: Apache-2.0
/// PageRank by power iteration, without atomics.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "algorithms/spmv/csc_index.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/transposed.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops {

/// When ranks are good enough.
struct pagerank_options {
  double damping = 0.85;
  double tolerance = 1e-6;    ///< stop when ranks change by less than this in all
  int most_iterations = 100;  ///< at least one
};

/// How far an iteration came.
struct pagerank_result {
  int iterations = 0;
  double change = 0;  ///< of the last iteration, over all vertices
};

namespace graph_detail {

/// What a vertex of rank `rank` gives to each it links to.
template <class V, class O>
LOOPS_HD V share_of(const O* offsets, std::int64_t v, V rank) {
  const O links = offsets[v + 1] - offsets[v];
  return links > 0 ? rank / static_cast<V>(links) : V(0);
}

/// All vertices rank equally before the first iteration.
template <class V, class O>
struct start_rank {
  const O* offsets;
  V* ranks;
  V* shares;
  V* changes;
  V rank;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    ranks[v] = rank;
    shares[v] = share_of(offsets, v, rank);
    changes[v] = V(0);
  }
};

/// What a vertex receives along one link.
template <class V, class I>
struct share_received {
  using sum = V;
  using pure = std::true_type;
  const I* from;
  const V* shares;
  LOOPS_HD V operator()(std::int64_t link) const { return shares[native::load_once(from + link)]; }
};

/// What all vertices of an iteration come to.
struct rank_sums {
  double change;
  double dangling;  ///< the rank of vertices without links, which goes to everybody
};
struct add_sums {
  LOOPS_HD rank_sums operator()(const rank_sums& a, const rank_sums& b) const {
    return {a.change + b.change, a.dangling + b.dangling};
  }
  template <class>
  LOOPS_HD static rank_sums identity() {
    return {0, 0};
  }
};

/// The new rank of a vertex, what it will give, and by how much it changed.
template <class V, class O>
struct update_rank {
  const O* offsets;
  V* ranks;
  V* shares;
  V* changes;
  const rank_sums* sums;  ///< of the iteration before
  double damping;
  double vertices;
  LOOPS_HD void operator()(std::int64_t v, V received) const {
    const double rank = (1 - damping + damping * sums->dangling) / vertices +
                        damping * static_cast<double>(received);
    const double change = rank - static_cast<double>(ranks[v]);
    changes[v] = static_cast<V>(change < 0 ? -change : change);
    ranks[v] = static_cast<V>(rank);
    shares[v] = share_of(offsets, v, static_cast<V>(rank));
  }
};

template <class V, class O>
struct sums_of_vertex {
  const O* offsets;
  const V* ranks;
  const V* changes;
  LOOPS_HD rank_sums operator()(std::int64_t v) const {
    return {static_cast<double>(changes[v]),
            offsets[v + 1] == offsets[v] ? static_cast<double>(ranks[v]) : 0.0};
  }
};
/// Throws invalid_argument unless the options mean an iteration that ends.
inline void check_options(const pagerank_options& o, source_place where = source_place::here()) {
  require(o.damping >= 0 && o.damping < 1, errc::invalid_argument,
          "pagerank: the damping must be at least 0 and less than 1", where);
  require(!std::isnan(o.tolerance), errc::invalid_argument,
          "pagerank: the tolerance is not a number; 0 asks for all iterations", where);
  require(o.most_iterations > 0, errc::invalid_argument,
          "pagerank: there must be at least one iteration", where);
}

/// Iterates; atom l of `links`, whose tiles are who receives, comes from `from[l]`.
template <class V, class Exec, class Schedule, class View, class Links, class I>
pagerank_result iterate_ranks(const Exec& exec, const Schedule& schedule, const View& out,
                              const Links& links, const I* from, V* ranks,
                              const pagerank_options& options) {
  static_assert(!std::is_integral_v<V>, "ranks are fractions: pagerank<float> or pagerank<double>");
  using O = typename View::offset_type;
  const auto n = static_cast<std::int64_t>(out.rows);
  const auto count = static_cast<std::size_t>(n);
  pagerank_result result;
  if (n == 0) return result;
  array<V> shares[] = {array<V>(count, exec.memory()), array<V>(count, exec.memory())};
  array<V> changes(count, exec.memory());
  array<rank_sums> sums(1, exec.memory());
  const auto receivers = plan<V>(exec, schedule, links);
  const auto vertices = plan<rank_sums>(exec, schedule::nonzero_split{}, each_of(n));
  for_each_atom(vertices, start_rank<V, O>{out.offsets, ranks, shares[0].data(), changes.data(),
                                           static_cast<V>(1.0 / static_cast<double>(n))});
  const auto sum_up = [&] {
    reduce_tiles<rank_sums>(vertices, sums_of_vertex<V, O>{out.offsets, ranks, changes.data()},
                            add_sums{}, store_in{sums.data()});
  };
  sum_up();
  for (bool more = true; more;) {
    const V* const given = shares[result.iterations & 1].data();
    V* const next = shares[(result.iterations + 1) & 1].data();
    reduce_tiles<V>(receivers, share_received<V, I>{from, given}, plus{},
                    update_rank<V, O>{out.offsets, ranks, next, changes.data(), sums.data(),
                                      options.damping, static_cast<double>(n)});
    sum_up();
    more = ++result.iterations < options.most_iterations;
    if (options.tolerance <= 0 && more) continue;
    result.change = first_of(exec, sums).change;
    more = more && result.change >= options.tolerance;
  }
  return result;
}

}  // namespace graph_detail

/// ranks[v] = the stationary probability of v for a surfer who follows a random link of a row of
/// `out` with probability `damping`, and else, or where there is no link, goes anywhere. `in` is
/// the transpose of `out`, by rows; for a symmetric graph the same. The values of both are not
/// read. Repeatable: no atomics. Cost of an iteration: a pass over the links of `in`, as SpMV
/// without values, and one over the vertices; a wait, unless the tolerance is zero. Throws:
/// invalid_argument when the graph is not square, `in` has another shape, an array is missing,
/// offsets do not end with the edges (on a CPU), the damping is not in [0, 1), there is no
/// iteration or no tolerance, or `ranks` is too short.
template <class V, class Exec, class Schedule, class Graph, class Ranks>
pagerank_result pagerank(const Exec& exec, const Schedule& schedule, const Graph& out,
                         const Graph& in, Ranks&& ranks, const pagerank_options& options = {}) {
  using View = loops::detail::view_of<Graph>;
  const View forth = loops::detail::viewed(out);
  const View back = loops::detail::viewed(in);
  graph_detail::check_square(exec, forth);
  check_arrays(back, reads::pattern);
  graph_detail::check_options(options);
  require(back.rows == forth.rows && back.cols == forth.cols && back.nonzeros == forth.nonzeros,
          errc::invalid_argument, "pagerank: `in` must be the transpose of `out`");
  V* const rank =
      vector_data<V>(std::forward<Ranks>(ranks), static_cast<std::int64_t>(forth.rows), "ranks");
  return graph_detail::iterate_ranks<V>(exec, schedule, forth, rows_of(back), back.indices, rank,
                                        options);
}

/// The same where nobody has the transpose: a sort of the links finds it.
template <class V, class Exec, class Schedule, class Graph, class Ranks>
pagerank_result pagerank(const Exec& exec, const Schedule& schedule, const Graph& graph,
                         Ranks&& ranks, const pagerank_options& options = {}) {
  using View = loops::detail::view_of<Graph>;
  const View a = loops::detail::viewed(graph);
  graph_detail::check_square(exec, a);
  graph_detail::check_options(options);
  V* const rank =
      vector_data<V>(std::forward<Ranks>(ranks), static_cast<std::int64_t>(a.rows), "ranks");
  const auto links = spmv_detail::whole(transposed(a));
  const spmv_detail::rows<std::remove_const_t<decltype(links)>> sorted(exec, links);
  return graph_detail::iterate_ranks<V>(exec, schedule, a, sorted.of(), sorted.columns().columns,
                                        rank, options);
}

}  // namespace loops
