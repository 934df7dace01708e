// SPDX-License-Identifier: Apache-2.0
/// Graphs made of matrices, and the right answers, found one vertex after another.
#pragma once

#include "loops/core/error.hpp"
#include "loops/format/formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <sstream>
#include <utility>
#include <vector>

#include "graph/contenders.hpp"

namespace loops::bench {

/// The graph of a square matrix: edges in both directions, no loops, no duplicates. Weights are
/// multiples of 1/64 from 1 to 2, so sums below 2^17 are exact in `float`.
inline csr<float> undirected(const csr<float>& a) {
  require(a.rows == a.cols && a.rows > 0, errc::invalid_argument,
          "a graph has vertices, and as many rows as columns");
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(a.rows));
  for (std::int32_t r = 0; r < a.rows; ++r)
    for (auto k = a.offsets.data()[r]; k < a.offsets.data()[r + 1]; ++k) {
      const std::int32_t c = a.indices.data()[k];
      if (c == r) continue;
      rows[static_cast<std::size_t>(r)].push_back(c);
      rows[static_cast<std::size_t>(c)].push_back(r);
    }
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto& row = rows[r];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const std::int32_t c : row) {
      const auto low = std::min<std::uint64_t>(r, static_cast<std::uint64_t>(c));
      const auto high = std::max<std::uint64_t>(r, static_cast<std::uint64_t>(c));
      indices.push_back(c);
      weights.push_back(1.0F + static_cast<float>((low * 7919 + high * 104729) % 65) / 64.0F);
    }
    offsets.push_back(static_cast<std::int32_t>(indices.size()));
  }
  return {a.rows, a.cols, array<std::int32_t>(offsets), array<std::int32_t>(indices),
          array<float>(weights)};
}

/// The vertex of most neighbours.
inline std::int32_t busiest(const csr<float>& g) {
  std::int32_t best = 0;
  const auto degree = [&](std::int32_t v) { return g.offsets.data()[v + 1] - g.offsets.data()[v]; };
  for (std::int32_t v = 1; v < g.rows; ++v)
    if (degree(v) > degree(best)) best = v;
  return best;
}

/// Calls `f(neighbour, weight)` for the neighbours of a vertex.
template <class F>
void for_neighbours(const csr<float>& g, std::int32_t v, const F& f) {
  for (auto k = g.offsets.data()[v]; k < g.offsets.data()[v + 1]; ++k)
    f(g.indices.data()[k], g.values.data()[k]);
}

/// Dijkstra's algorithm; with every edge as long as 1 for levels.
inline std::vector<double> distances_from(const csr<float>& g, std::int32_t source, bool weighted) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<double> d(static_cast<std::size_t>(g.rows), far);
  using entry = std::pair<double, std::int32_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  d[static_cast<std::size_t>(source)] = 0;
  open.push({0, source});
  while (!open.empty()) {
    const auto [at, v] = open.top();
    open.pop();
    if (at > d[static_cast<std::size_t>(v)]) continue;
    for_neighbours(g, v, [&, from = at](std::int32_t u, float w) {
      const double there = from + (weighted ? double(w) : 1.0);
      if (there >= d[static_cast<std::size_t>(u)]) return;
      d[static_cast<std::size_t>(u)] = there;
      open.push({there, u});
    });
  }
  return d;
}

inline std::vector<double> ranks_of(const csr<float>& g) {
  const auto n = static_cast<std::size_t>(g.rows);
  std::vector<double> rank(n, 1.0 / static_cast<double>(n));
  for (int i = 0; i < rank_iterations; ++i) {
    double dangling = 0;
    std::vector<double> received(n, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
      const auto degree = g.offsets.data()[v + 1] - g.offsets.data()[v];
      if (degree == 0) dangling += rank[v];
      for_neighbours(g, static_cast<std::int32_t>(v), [&](std::int32_t u, float) {
        received[static_cast<std::size_t>(u)] += rank[v] / degree;
      });
    }
    for (std::size_t v = 0; v < n; ++v)
      rank[v] = (1 - damping + damping * dangling) / static_cast<double>(n) + damping * received[v];
  }
  return rank;
}

/// The least vertex of every component.
inline std::vector<double> components_of(const csr<float>& g) {
  std::vector<double> label(static_cast<std::size_t>(g.rows), -1.0);
  std::vector<std::int32_t> open;
  for (std::int32_t v = 0; v < g.rows; ++v) {
    if (label[static_cast<std::size_t>(v)] >= 0) continue;
    label[static_cast<std::size_t>(v)] = v;
    open.push_back(v);
    while (!open.empty()) {
      const std::int32_t u = open.back();
      open.pop_back();
      for_neighbours(g, u, [&](std::int32_t t, float) {
        if (label[static_cast<std::size_t>(t)] >= 0) return;
        label[static_cast<std::size_t>(t)] = v;
        open.push_back(t);
      });
    }
  }
  return label;
}

inline double triangles_of(const csr<float>& g) {
  double count = 0;
  const std::int32_t* indices = g.indices.data();
  for (std::int32_t v = 0; v < g.rows; ++v)
    for_neighbours(g, v, [&](std::int32_t u, float) {
      if (u >= v) return;
      const std::int32_t* a = indices + g.offsets.data()[v];
      const std::int32_t* b = indices + g.offsets.data()[u];
      const std::int32_t* const b_end = indices + g.offsets.data()[u + 1];
      while (*a < u && b < b_end && *b < u) {
        count += *a == *b;
        const bool step_a = *a <= *b;
        const bool step_b = *b <= *a;
        a += step_a;
        b += step_b;
      }
    });
  return count;
}

/// What every contender has to answer.
inline std::vector<double> right_answer(question q, const csr<float>& g, std::int32_t source) {
  switch (q) {
    case question::levels: {
      std::vector<double> levels = distances_from(g, source, false);
      for (double& d : levels)
        if (std::isinf(d)) d = -1;
      return levels;
    }
    case question::distances:
      return distances_from(g, source, true);
    case question::ranks:
      return ranks_of(g);
    case question::components:
      return components_of(g);
    default:
      return {triangles_of(g)};
  }
}

/// Throws unless `got` is `wanted`: exactly, but for ranks, which may differ by 10^-4 of
/// themselves.
inline void check_answer(question q, const std::vector<double>& wanted,
                         const std::vector<double>& got) {
  require(got.size() == wanted.size(), errc::device, "wrong: an answer of another length");
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool good = q == question::ranks ? std::abs(got[i] - wanted[i]) <= 1e-4 * wanted[i]
                                           : got[i] == wanted[i];
    if (good) continue;
    std::ostringstream message;
    message << "wrong: " << name_of(q) << "[" << i << "] is " << got[i] << ", not " << wanted[i];
    throw error(errc::device, message.str());
  }
}

}  // namespace loops::bench
