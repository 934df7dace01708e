// SPDX-License-Identifier: Apache-2.0
/// Gathers vertices into a list, from any lane, together with the running sums of their degrees.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/core/error.hpp"

#include <bit>
#include <cstdint>

namespace loops::graph_detail {

/// How many vertices a frontier has, and how many edges leave them.
struct frontier_size {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
};

/// Both in one word, edges in the low bits: one atomic adds a vertex, gives it a place, and tells
/// how many edges are before its own.
struct frontier_counter {
  int edge_bits = 0;

  /// Throws: overflow when a graph's vertices and edges do not fit 63 bits together.
  static frontier_counter of(std::int64_t vertices, std::int64_t edges) {
    const auto bits_of = [](std::int64_t most) {
      return 64 - std::countl_zero(static_cast<std::uint64_t>(most));
    };
    const int bits = bits_of(edges);
    require(bits + bits_of(vertices) <= 63, errc::overflow,
            "the vertices and edges of the graph cannot be counted in one word of 64 bits; search "
            "parts of it, such as components, by themselves");
    return {bits};
  }
  [[nodiscard]] LOOPS_HD std::int64_t vertices(std::int64_t size) const {
    return size >> edge_bits;
  }
  [[nodiscard]] LOOPS_HD std::int64_t edges(std::int64_t size) const {
    return size & ((std::int64_t{1} << edge_bits) - 1);
  }
  [[nodiscard]] LOOPS_HD std::int64_t one_vertex(std::int64_t degree) const {
    return (std::int64_t{1} << edge_bits) + degree;
  }
};

/// A list of vertices, and the running sums of their degrees, from 0: one more.
template <class I>
struct frontier_arrays {
  I* vertices;
  std::int64_t* offsets;
};

/// The sizes of two frontiers that take turns, on the device: of an even round, and of an odd one.
/// That of the next round is 0 until somebody adds to it.
struct frontier_sizes {
  std::int64_t of[2];
};

/// Adds vertices, each at most once, to a list whose counter was zero.
template <class I, class O>
struct gather {
  const O* offsets;  ///< of the graph
  frontier_arrays<I> list;
  std::int64_t* size;
  frontier_counter counter;
  template <class Block>
  LOOPS_HD void operator()(Block& block, std::int64_t v) const {
    const auto degree = static_cast<std::int64_t>(offsets[v + 1] - offsets[v]);
    const std::int64_t before = block.add_together(size, counter.one_vertex(degree));
    const std::int64_t at = counter.vertices(before);
    list.vertices[at] = static_cast<I>(v);
    list.offsets[at + 1] = counter.edges(before) + degree;
  }
};

}  // namespace loops::graph_detail
