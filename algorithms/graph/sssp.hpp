// SPDX-License-Identifier: Apache-2.0
/// Shortest paths from one vertex along edges of non-negative weight.
#pragma once

#include "algorithms/graph/frontier.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace loops {

namespace graph_detail {

/// Non-negative floating-point numbers are ordered as their bits are.
template <class V>
using ordered_bits = std::conditional_t<sizeof(V) == 4, std::int32_t, std::int64_t>;

template <class V, class I, class O>
struct start_distance {
  ordered_bits<V>* distance;
  std::int32_t* stamp;
  std::int64_t source;
  gather<I, O> found;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t v) const {
    distance[v] =
        std::bit_cast<ordered_bits<V>>(v == source ? V(0) : std::numeric_limits<V>::infinity());
    stamp[v] = 0;
    if (v == source) found(block, v);
  }
};

/// Edge of the frontier: a vertex that comes closer is in the next frontier, once.
template <class V, class I>
struct relax_edge {
  struct end {
    I vertex;
    V weight;
    ordered_bits<V> distance;
  };
  const I* neighbours;
  const V* weights;
  ordered_bits<V>* distance;
  std::int32_t* stamp;
  LOOPS_HD end end_of(std::int64_t edge) const {
    const I v = neighbours[edge];
    return {v, weights[edge], native::load_relaxed(distance + v)};
  }
  template <class Block, class Found>
  LOOPS_HD void operator()(Block& block, std::int64_t u, const end& to, std::int32_t round,
                           const Found& closer) const {
    const V d = std::bit_cast<V>(native::load_relaxed(distance + u)) + to.weight;
    const I v = to.vertex;
    const auto bits = std::bit_cast<ordered_bits<V>>(d);
    if (bits >= to.distance) return;
    if (block.atomic_min(distance + v, bits) <= bits) return;
    if (block.atomic_max(stamp + v, round + 1) <= round)
      closer(block, static_cast<std::int64_t>(v));
  }
};

template <class V>
struct is_no_weight {
  const V* weights;
  LOOPS_HD int operator()(std::int64_t edge) const { return weights[edge] >= V(0) ? 0 : 1; }
};
template <class V>
struct store_distance {
  const ordered_bits<V>* bits;
  V* out;
  LOOPS_HD void operator()(std::int64_t, std::int64_t v) const {
    out[v] = std::bit_cast<V>(bits[v]);
  }
};

}  // namespace graph_detail

/// How a search is shared out.
struct sssp_options {
  /// Rounds of at most so many edges are taken by one block, without a wait in between; -1: as many
  /// as suit the executor.
  std::int64_t few = -1;
};

/// distances[v] = the least sum of weights of a path from `source` to v along the rows of `graph`,
/// added in the order of the path; infinity where there is none. Bellman and Ford's algorithm over
/// frontiers of vertices that came closer. The result does not depend on the order of relaxations:
/// rounding keeps sums in order. Cost: a wait per round, of which there are at most as many as a
/// path has edges, and one for all rounds of few edges that follow each other. Throws:
/// invalid_argument when the source is no vertex, an array is missing, offsets do not end with the
/// edges (on a CPU), a weight is negative or NaN, or `distances` is too short or begins where the
/// weights do; overflow when vertices and edges do not fit 63 bits together.
template <class Exec, class Schedule, class Graph, class Distances>
void sssp(const Exec& exec, const Schedule& schedule, const Graph& graph, std::int64_t source,
          Distances&& distances, const sssp_options& options = {}) {
  using View = loops::detail::view_of<Graph>;
  const View a = loops::detail::viewed(graph);
  using V = typename View::value_type;
  using I = typename View::index_type;
  using O = typename View::offset_type;
  static_assert(std::is_floating_point_v<V>, "weights are float or double");
  using bits = graph_detail::ordered_bits<V>;
  graph_detail::check_source(exec, a, source, reads::values);
  const auto n = static_cast<std::int64_t>(a.rows);
  V* const out = vector_data<V>(std::forward<Distances>(distances), n, "distances");
  check_apart(out, "distances", a.values, "the array of weights", a.nonzeros > 0);

  array<int> flag(1, exec.memory());
  flag.fill(0);
  reduce_tiles<int>(exec, schedule::nonzero_split{},
                    graph_detail::each_of(static_cast<std::int64_t>(a.nonzeros)),
                    graph_detail::is_no_weight<V>{a.values}, maximum{}, store_in{flag.data()});
  require(first_of(exec, flag) == 0, errc::invalid_argument,
          "sssp: a weight is negative or not a number");

  array<bits> distance(static_cast<std::size_t>(n), exec.memory());
  array<std::int32_t> stamp(static_cast<std::size_t>(n), exec.memory());
  using frontiers_type = graph_detail::frontiers<Exec, View>;
  const int few = frontiers_type::few_edges(options.few);
  frontiers_type f(exec, a);
  for_each_atom(
      exec, schedule::nonzero_split{}, graph_detail::each_of(n),
      graph_detail::start_distance<V, I, O>{distance.data(), stamp.data(), source, f.sink(0)});
  const graph_detail::relax_edge<V, I> relax{a.indices, a.values, distance.data(), stamp.data()};
  do {
    (void)f.advance(schedule, relax, few);
  } while (f.size().vertices > 0);
  for_each_atom(exec, schedule::nonzero_split{}, graph_detail::each_of(n),
                graph_detail::store_distance<V>{distance.data(), out});
}

}  // namespace loops
