// SPDX-License-Identifier: Apache-2.0
/// Graphs made to be awkward, on the host.
#pragma once

#include "loops/format/formats.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace graphs {

using graph = loops::csr<float>;

/// Rows of the edges (u, v), sorted, without duplicates; with the other direction when `both`.
/// Weights are multiples of 1/8 between 0 and 4, the same in both directions.
inline graph from_edges(int n, const std::vector<std::pair<int, int>>& edges, bool both) {
  std::set<std::pair<int, int>> sorted;
  for (const auto& [u, v] : edges) {
    sorted.insert({u, v});
    if (both) sorted.insert({v, u});
  }
  std::vector<int> offsets(static_cast<std::size_t>(n) + 1, 0);
  std::vector<int> indices;
  std::vector<float> values;
  for (const auto& [u, v] : sorted) {
    ++offsets[static_cast<std::size_t>(u) + 1];
    indices.push_back(v);
    values.push_back(static_cast<float>((u + v) * 7 % 33) / 8);
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  return {n, n, loops::array<int>(offsets), loops::array<int>(indices),
          loops::array<float>(values)};
}

/// The transpose, weights included.
inline graph reversed(const graph& g) {
  std::vector<int> offsets(g.offsets.size(), 0);
  for (const int v : g.indices) ++offsets[static_cast<std::size_t>(v) + 1];
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  std::vector<int> next(offsets.begin(), offsets.end());
  std::vector<int> indices(g.indices.size());
  std::vector<float> values(g.indices.size());
  for (int u = 0; u < g.rows; ++u)
    for (auto k = static_cast<std::size_t>(g.offsets[static_cast<std::size_t>(u)]);
         k < static_cast<std::size_t>(g.offsets[static_cast<std::size_t>(u) + 1]); ++k) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(g.indices[k])]++);
      indices[at] = u;
      values[at] = g.values[k];
    }
  return {g.cols, g.rows, loops::array<int>(offsets), loops::array<int>(indices),
          loops::array<float>(values)};
}

/// Symmetric unless the name says directed.
inline std::vector<std::pair<std::string, graph>> all() {
  std::vector<std::pair<std::string, graph>> out;
  const auto add = [&](const char* name, int n, const std::vector<std::pair<int, int>>& edges,
                       bool both = true) { out.emplace_back(name, from_edges(n, edges, both)); };
  add("one vertex", 1, {});
  add("a loop", 1, {{0, 0}});
  add("no edges", 7, {});
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < 60; ++i) edges.emplace_back(i, i + 1);
  add("path", 60, edges);
  add("directed path", 60, edges, false);
  edges.clear();
  for (int i = 1; i < 400; ++i) edges.emplace_back(0, i);
  add("star", 400, edges);
  edges.clear();
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j) edges.emplace_back(i, j);
  for (int i = 20; i < 30; ++i) edges.emplace_back(i, i + 1);
  for (int i = 0; i < 12; i += 3) edges.emplace_back(i, i);
  add("clique, path, lone vertices, loops", 35, edges);
  // 5 hangs on 2, and 2 on 0, when 1 comes to 5: its edge finds a root two steps up.
  add("directed, one joined late", 6, {{0, 4}, {2, 5}, {4, 5}, {5, 1}}, false);
  // Rows long enough for slices to end within, and short ones whose neighbours have long ones.
  edges.clear();
  for (int i = 0; i < 70; ++i) {
    for (int j = i + 1; j < 70; ++j) edges.emplace_back(i, j);
    edges.emplace_back(70 + i, i);
    edges.emplace_back(70 + i, (i + 1) % 70);
  }
  add("clique with ears", 140, edges);
  std::mt19937 random(3);
  edges.clear();
  for (int i = 0; i < 1500; ++i) {
    const int u = static_cast<int>(random() % 300);
    const int v = static_cast<int>((random() % 300) * (random() % 300) / 300);
    edges.emplace_back(u, v);
  }
  add("random, skewed", 300, edges);
  add("directed random, skewed", 300, edges, false);
  return out;
}

}  // namespace graphs
