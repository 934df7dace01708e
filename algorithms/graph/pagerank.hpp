// SPDX-License-Identifier: Apache-2.0
/// PageRank by power iteration, without atomics.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "algorithms/spmv_transposed/spmv_transposed.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/vector_argument.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace loops {

struct pagerank_options {
  double damping = 0.85;
  double tolerance = 1e-6;  ///< stop when ranks change by less than this in all
  int most_iterations = 100;
};

struct pagerank_result {
  int iterations = 0;
  double change = 0;  ///< of the last iteration, over all vertices
};

namespace graph_detail {

template <class V>
struct assign {
  V* to;
  V value;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const { to[i] = value; }
};

/// What a vertex gives to each it links to.
template <class V, class O>
struct share_rank {
  const O* offsets;
  const V* ranks;
  V* shares;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    const O links = offsets[v + 1] - offsets[v];
    shares[v] = links > 0 ? ranks[v] / static_cast<V>(links) : V(0);
  }
};

/// The rank of vertices without links, which goes to everybody.
template <class V, class O>
struct dangling_rank {
  const O* offsets;
  const V* ranks;
  LOOPS_HD double operator()(std::int64_t v) const {
    return offsets[v + 1] == offsets[v] ? static_cast<double>(ranks[v]) : 0.0;
  }
};

/// The new rank of a vertex; leaves its change behind.
template <class V>
struct update_rank {
  V* ranks;
  V* received;
  const double* dangling;
  double damping;
  double vertices;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    const double rank =
        (1 - damping + damping * *dangling) / vertices + damping * static_cast<double>(received[v]);
    const double change = rank - static_cast<double>(ranks[v]);
    received[v] = static_cast<V>(change < 0 ? -change : change);
    ranks[v] = static_cast<V>(rank);
  }
};

template <class V>
struct as_double {
  const V* values;
  LOOPS_HD double operator()(std::int64_t i) const { return static_cast<double>(values[i]); }
};
struct store_sum {
  double* to;
  LOOPS_HD void operator()(std::int64_t, double sum) const { *to = sum; }
};

}  // namespace graph_detail

/// ranks[v] = the stationary probability of v for a surfer who follows a random link of a row of
/// `graph` with probability `damping`, and else, or where there is no link, goes anywhere. An
/// iteration is one SpMV with the transposed pattern, whose weights are one; the values of `graph`
/// are not read. Repeatable: no atomics. Cost: a sort of the edges, then a wait per iteration.
/// Throws: invalid_argument when the graph is not square, the damping is not in [0, 1), or `ranks`
/// is too short.
template <class V, class Exec, class Schedule, class View, class Ranks>
pagerank_result pagerank(const Exec& exec, const Schedule& schedule, const View& graph,
                         Ranks&& ranks, const pagerank_options& options = {}) {
  using I = typename View::index_type;
  using O = typename View::offset_type;
  using namespace graph_detail;
  check_square(graph);
  require(options.damping >= 0 && options.damping < 1, errc::invalid_argument,
          "pagerank: the damping must be at least 0 and less than 1");
  const std::int64_t n = graph.rows;
  const auto count = static_cast<std::size_t>(n);
  const auto edge_count = static_cast<std::int64_t>(graph.nonzeros);
  V* const rank = vector_data<V>(std::forward<Ranks>(ranks), n, "ranks");
  pagerank_result result;
  if (n == 0) return result;

  array<V> ones(static_cast<std::size_t>(edge_count), exec.memory());
  array<V> shares(count, exec.memory());
  array<V> received(count, exec.memory());
  array<double> sums(2, exec.memory());
  for_each_atom(exec, schedule::nonzero_split{}, each_of(edge_count), assign<V>{ones.data(), V(1)});
  const csr_view<V, I, O> links{graph.rows,    graph.cols,    graph.nonzeros,
                                graph.offsets, graph.indices, ones.data()};
  const auto receive = plan_spmv_transposed(exec, schedule, links);
  const auto vertices = plan<double>(exec, schedule::nonzero_split{}, each_of(n));
  for_each_atom(vertices, assign<V>{rank, static_cast<V>(1.0 / static_cast<double>(n))});
  do {
    for_each_atom(vertices, share_rank<V, O>{graph.offsets, rank, shares.data()});
    reduce_tiles<double>(vertices, dangling_rank<V, O>{graph.offsets, rank}, plus{},
                         store_sum{sums.data()});
    receive(shares, received);
    for_each_atom(vertices, update_rank<V>{rank, received.data(), sums.data(), options.damping,
                                           static_cast<double>(n)});
    reduce_tiles<double>(vertices, as_double<V>{received.data()}, plus{},
                         store_sum{sums.data() + 1});
    result.change = sums.to_vector()[1];
  } while (++result.iterations < options.most_iterations && result.change >= options.tolerance);
  return result;
}

}  // namespace loops
