// SPDX-License-Identifier: Apache-2.0
/// The library's graph algorithms under some of its schedules.
#include "algorithms/graph/bfs.hpp"
#include "algorithms/graph/components.hpp"
#include "algorithms/graph/pagerank.hpp"
#include "algorithms/graph/sssp.hpp"
#include "algorithms/graph/triangles.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/work_oriented.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/contenders.hpp"

namespace loops::bench {

namespace {

/// An array per vertex, filled by `fill(data)`.
template <class T, class Fill>
attempt per_vertex(const problem& p, const Fill& fill) {
  auto out = std::make_shared<array<T>>(static_cast<std::size_t>(p.graph.rows), p.exec.memory());
  return {[out, fill] { fill(out->data()); },
          [out] {
            const std::vector<T> values = out->to_vector();
            return std::vector<double>(values.begin(), values.end());
          }};
}

template <class Schedule>
attempt prepare(question q, const problem& p, const Schedule& how) {
  const auto g = p.graph.view();
  switch (q) {
    case question::levels:
      return per_vertex<std::int32_t>(
          p, [&p, g, how](std::int32_t* levels) { bfs(p.exec, how, g, g, p.source, levels); });
    case question::distances:
      return per_vertex<float>(
          p, [&p, g, how](float* distances) { sssp(p.exec, how, g, p.source, distances); });
    case question::ranks:
      return per_vertex<float>(p, [&p, g, how](float* ranks) {
        pagerank<float>(p.exec, how, g, g, ranks, {damping, 0.0, rank_iterations});
      });
    case question::components:
      return per_vertex<std::int32_t>(
          p, [&p, g, how](std::int32_t* labels) { connected_components(p.exec, how, g, labels); });
    default:
      break;
  }
  auto count = std::make_shared<double>(0);
  return {[&p, g, how, count] { *count = static_cast<double>(count_triangles(p.exec, how, g)); },
          [count] { return std::vector<double>{*count}; }};
}

template <class Schedule>
contender under(question q, const char* name, const Schedule& how) {
  return {name, [q, how](const problem& p) { return prepare(q, p, how); }};
}

}  // namespace

std::vector<contender> schedules(question q) {
  return {under(q, "merge_path", schedule::merge_path{}),
          under(q, "work_oriented", schedule::work_oriented{})};
}

}  // namespace loops::bench
