// SPDX-License-Identifier: Apache-2.0
/// A frontier: a set of vertices, gathered on the device, whose neighbourhoods are a work.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"

#include <cstdint>
#include <string>

namespace loops::graph_detail {

/// How many vertices a frontier has, and how many edges leave them.
struct frontier_size {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
};

/// Adds vertices to a frontier, from any lane, in the order of arrival.
template <class I, class O>
struct gather {
  const O* offsets;
  I* vertices;
  frontier_size* size;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t v) const {
    const std::int64_t at = block.atomic_add(&size->vertices, std::int64_t{1});
    vertices[at] = static_cast<I>(v);
    block.atomic_add(&size->edges, static_cast<std::int64_t>(offsets[v + 1] - offsets[v]));
  }
};

template <class I, class O>
struct degree_of {
  const O* offsets;
  const I* vertices;
  LOOPS_HD std::int64_t operator()(std::int64_t i) const {
    const I v = vertices[i];
    return static_cast<std::int64_t>(offsets[v + 1] - offsets[v]);
  }
};

/// Vertices of a graph by rows. Its arrays are as long as the graph has vertices, and are kept.
template <class Exec, class View>
class frontier {
  using I = typename View::index_type;
  using O = typename View::offset_type;

 public:
  using work_type = selected<segments<O>, I, std::int64_t>;

  frontier(const Exec& exec, const View& graph)
      : exec_(exec),
        graph_(graph),
        vertices_(static_cast<std::size_t>(graph.rows), exec.memory()),
        offsets_(static_cast<std::size_t>(graph.rows) + 1, exec.memory()),
        device_size_(1, exec.memory()) {
    clear();
  }

  void clear() { device_size_.fill(0); }
  /// What adds vertices, each at most once, to a frontier that was cleared.
  [[nodiscard]] gather<I, O> sink() {
    return {graph_.offsets, vertices_.data(), device_size_.data()};
  }
  /// Counts what was added. Waits.
  frontier_size count() { return size_ = device_size_.to_vector().front(); }
  /// The neighbourhoods of the counted vertices. Cost: a scan over them.
  [[nodiscard]] work_type work() {
    segmented_detail::write_offsets_of(
        exec_, size_.vertices, degree_of<I, O>{graph_.offsets, vertices_.data()}, offsets_.data());
    return {rows_of(graph_), vertices_.data(), offsets_.data(), size_.vertices, size_.edges};
  }

 private:
  Exec exec_;
  View graph_;
  array<I> vertices_;
  array<std::int64_t> offsets_;
  array<frontier_size> device_size_;
  frontier_size size_;
};

/// Puts one vertex into a frontier.
template <class I, class O>
struct add_source {
  gather<I, O> found;
  std::int64_t source;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t, std::int64_t) const {
    found(block, source);
  }
};

using segmented_detail::each_of;

/// Throws invalid_argument unless the graph is square.
template <class View>
void check_square(const View& graph, source_place where = source_place::here()) {
  if (graph.rows != graph.cols)
    throw error(errc::invalid_argument,
                "a graph has as many rows as columns, not " + std::to_string(graph.rows) + " and " +
                    std::to_string(graph.cols),
                where);
}

/// Throws invalid_argument unless `source` is a vertex of `graph`.
template <class View>
void check_source(const View& graph, std::int64_t source,
                  source_place where = source_place::here()) {
  check_square(graph, where);
  if (source < 0 || source >= graph.rows)
    throw error(errc::invalid_argument,
                "the source " + std::to_string(source) + " is not one of " +
                    std::to_string(graph.rows) + " vertices",
                where);
}

}  // namespace loops::graph_detail
