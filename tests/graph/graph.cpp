// SPDX-License-Identifier: Apache-2.0
/// The graph algorithms against plain serial ones, twice for the same bits.
#include "algorithms/graph/bfs.hpp"
#include "algorithms/graph/components.hpp"
#include "algorithms/graph/pagerank.hpp"
#include "algorithms/graph/sssp.hpp"
#include "algorithms/graph/triangles.hpp"
#include "loops/schedule/merge_path.hpp"
#include "loops/schedule/wave_mapped.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "graph/graphs.hpp"

namespace {

using graphs::graph;
using loops::errc;
using support::expect_error;
namespace schedule = loops::schedule;

/// Calls f(v, edge) for every edge of u.
template <class F>
void for_each_neighbour(const graph& g, std::size_t u, const F& f) {
  for (auto e = static_cast<std::size_t>(g.offsets[u]);
       e < static_cast<std::size_t>(g.offsets[u + 1]); ++e)
    f(static_cast<std::size_t>(g.indices[e]), e);
}

std::vector<std::int32_t> levels_of(const graph& g, std::size_t source) {
  std::vector<std::int32_t> level(static_cast<std::size_t>(g.rows), -1);
  std::queue<std::size_t> open;
  level[source] = 0;
  open.push(source);
  while (!open.empty()) {
    const std::size_t u = open.front();
    open.pop();
    for_each_neighbour(g, u, [&](std::size_t v, std::size_t) {
      if (level[v] != -1) return;
      level[v] = level[u] + 1;
      open.push(v);
    });
  }
  return level;
}

template <class Exec>
class graph_test : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(graph_test, support::executors, support::executor_name);

TYPED_TEST(graph_test, bfs_in_both_directions) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    const auto out = g.to(exec.memory());
    const auto in = graphs::reversed(g).to(exec.memory());
    for (const int source : {0, g.rows - 1}) {
      SCOPED_TRACE(name + " from " + std::to_string(source));
      const auto wanted = levels_of(g, static_cast<std::size_t>(source));
      const auto reached =
          std::count_if(wanted.begin(), wanted.end(), [](int l) { return l >= 0; });
      loops::array<std::int32_t> levels(wanted.size(), exec.memory());
      const auto expect = [&](const loops::bfs_result& r) {
        EXPECT_EQ(levels.to_vector(), wanted);
        EXPECT_EQ(r.reached, reached);
        EXPECT_EQ(r.depth, *std::max_element(wanted.begin(), wanted.end()));
        levels.fill(0x5a);
      };
      expect(loops::bfs(exec, schedule::merge_path{}, out.view(), in.view(), source, levels));
      const auto push = loops::bfs(exec, schedule::merge_path{}, out.view(), in.view(), source,
                                   levels, {.alpha = 0, .few = 0});
      EXPECT_EQ(push.pulls, 0);
      expect(push);
      const auto pull = loops::bfs(exec, schedule::wave_mapped{}, out.view(), in.view(), source,
                                   levels, {.alpha = 1e9, .beta = 1e9, .few = 0});
      EXPECT_TRUE(pull.pulls > 0 || reached <= 2 || name == "star");
      expect(pull);
    }
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(graph_test, takes_what_owns_the_arrays) {
  const auto exec = this->any();
  const auto host = graphs::from_edges(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, true);
  const auto g = host.to(exec.memory());
  const schedule::merge_path how{};
  loops::array<std::int32_t> found(5, exec.memory());
  loops::bfs(exec, how, g, g, 0, found);
  EXPECT_EQ(found.to_vector(), (std::vector<std::int32_t>{0, 1, 1, 2, -1}));
  loops::connected_components(exec, how, g, found);
  EXPECT_EQ(found.to_vector(), (std::vector<std::int32_t>{0, 0, 0, 0, 4}));
  EXPECT_EQ(loops::count_triangles(exec, how, g), 1);
  loops::array<float> numbers(5, exec.memory());
  loops::sssp(exec, how, g, 0, numbers);
  EXPECT_EQ(numbers.to_vector()[0], 0);
  EXPECT_EQ(numbers.to_vector()[4], INFINITY);
  const auto sum = [&] {
    const auto ranks = numbers.to_vector();
    return std::accumulate(ranks.begin(), ranks.end(), 0.0F);
  };
  loops::pagerank<float>(exec, how, g, numbers);
  EXPECT_NEAR(sum(), 1, 1e-5);
  numbers.fill(0);
  loops::pagerank<float>(exec, how, g, g, numbers);
  EXPECT_NEAR(sum(), 1, 1e-5);
}

// The last vertex that a block has room for, and one more, each the only way to a vertex beyond.
TYPED_TEST(graph_test, frontiers_as_large_as_a_block_takes) {
  const auto exec = this->any();
  using frontiers = loops::graph_detail::frontiers<TypeParam, loops::csr_view<float>>;
  for (int n = frontiers::most_for_a_block - 1; n <= frontiers::most_for_a_block + 1; ++n) {
    std::vector<std::pair<int, int>> edges;
    std::vector<std::int32_t> wanted{0};
    for (int i = 1; i <= n; ++i) edges.emplace_back(0, i);
    for (int i = 1; i <= n; ++i) edges.emplace_back(i, n + i);
    wanted.insert(wanted.end(), static_cast<std::size_t>(n), 1);
    wanted.insert(wanted.end(), static_cast<std::size_t>(n), 2);
    const auto host = graphs::from_edges(2 * n + 1, edges, false);
    const auto out = host.to(exec.memory());
    const auto in = graphs::reversed(host).to(exec.memory());
    loops::array<std::int32_t> levels(wanted.size(), exec.memory());
    for (const int few : {-1, n - 1, n, n + 1}) {
      SCOPED_TRACE(std::to_string(n) + " vertices, " + std::to_string(few) + " edges");
      levels.fill(0x5a);
      const auto r = loops::bfs(exec, schedule::merge_path{}, out.view(), in.view(), 0, levels,
                                {.alpha = 0, .few = few});
      EXPECT_EQ(r.reached, 2 * n + 1);
      EXPECT_TRUE(levels.to_vector() == wanted);
    }
  }
}

TYPED_TEST(graph_test, levels_whoever_comes_first_to_a_list) {
  const auto all = graphs::all();
  const graph& g = all[9].second;
  ASSERT_GT(g.indices.size(), 1024U) << "more edges than a block has lanes";
  const auto wanted = levels_of(g, 0);
  for (const auto& [how, exec] : this->variants()) {
    SCOPED_TRACE(how);
    const auto there = g.to(exec.memory());
    loops::array<std::int32_t> levels(wanted.size(), exec.memory());
    loops::bfs(exec, schedule::merge_path{}, there.view(), there.view(), 0, levels, {.alpha = 0});
    EXPECT_EQ(levels.to_vector(), wanted);
  }
}

TYPED_TEST(graph_test, a_pull_that_finds_nothing_is_no_level) {
  const auto exec = this->any();
  std::vector<std::pair<int, int>> edges;
  for (int i = 1; i <= 20; ++i) {
    edges.emplace_back(0, i);
    for (int j = 21; j <= 220; ++j) edges.emplace_back(i, j);
  }
  const auto there = graphs::from_edges(221, edges, true).to(exec.memory());
  loops::array<std::int32_t> levels(221, exec.memory());
  const auto r = loops::bfs(exec, schedule::merge_path{}, there.view(), there.view(), 0, levels,
                            {.alpha = 1e9, .few = 0});
  EXPECT_EQ(r.reached, 221);
  EXPECT_EQ(r.depth, 2);
  EXPECT_EQ(r.pulls, 2);
}

TYPED_TEST(graph_test, shortest_paths) {
  const auto exec = this->any();
  for (const auto& named : graphs::all()) {
    const auto& g = named.second;
    SCOPED_TRACE(named.first);
    // Bellman and Ford in the same arithmetic: the least sum does not depend on the order.
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> wanted(static_cast<std::size_t>(g.rows), infinity);
    wanted[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t u = 0; u < wanted.size(); ++u)
        for_each_neighbour(g, u, [&](std::size_t v, std::size_t e) {
          const float d = wanted[u] + g.values[e];
          if (!(d < wanted[v])) return;
          wanted[v] = d;
          changed = true;
        });
    }
    const auto device = g.to(exec.memory());
    loops::array<float> distances(wanted.size(), exec.memory());
    for (const int few : {-1, 0, 3}) {
      distances.fill(0xff);
      loops::sssp(exec, schedule::merge_path{}, device.view(), 0, distances, {.few = few});
      ASSERT_EQ(distances.to_vector(), wanted);
    }
  }
}

TYPED_TEST(graph_test, components) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    SCOPED_TRACE(name);
    std::vector<int> wanted(static_cast<std::size_t>(g.rows));
    std::iota(wanted.begin(), wanted.end(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t u = 0; u < wanted.size(); ++u)
        for_each_neighbour(g, u, [&](std::size_t v, std::size_t) {
          const int least = std::min(wanted[u], wanted[v]);
          changed = changed || wanted[u] != least || wanted[v] != least;
          wanted[u] = wanted[v] = least;
        });
    }
    const auto device = g.to(exec.memory());
    loops::array<int> labels(wanted.size(), exec.memory());
    labels.fill(0xff);
    loops::connected_components(exec, schedule::merge_path{}, device.view(), labels);
    ASSERT_EQ(labels.to_vector(), wanted);
  }
}

/// The smallest vertex that each is connected with.
std::vector<int> components_of(int n, const std::vector<std::pair<int, int>>& edges) {
  std::vector<int> above(static_cast<std::size_t>(n));
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](int v) {
    while (above[static_cast<std::size_t>(v)] != v) v = above[static_cast<std::size_t>(v)];
    return v;
  };
  for (const auto& [u, v] : edges) {
    const int of_u = root(u);
    const int of_v = root(v);
    above[static_cast<std::size_t>(std::max(of_u, of_v))] = std::min(of_u, of_v);
  }
  for (int v = 0; v < n; ++v) above[static_cast<std::size_t>(v)] = root(v);
  return above;
}

// Trees meet late here, lanes join them in any order, and on a GPU many at a time climb the same
// one.
TYPED_TEST(graph_test, components_of_many_trees) {
  std::mt19937 random(5);
  std::vector<std::pair<int, std::vector<std::pair<int, int>>>> graphs_of;
  for (const int edge_count : {600, 1500, 2900, 6000}) {
    auto& edges = graphs_of.emplace_back(3000, 0).second;
    for (int i = 0; i < edge_count; ++i)
      edges.emplace_back(static_cast<int>(random() % 3000), static_cast<int>(random() % 3000));
  }
  constexpr int side = 120;
  auto& grid = graphs_of.emplace_back(side * side, 0).second;
  for (int v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) grid.emplace_back(v, v + 1);
    if (v + side < side * side) grid.emplace_back(v + side, v);
  }
  for (const auto& [n, edges] : graphs_of) {
    const auto wanted = components_of(n, edges);
    const auto host = graphs::from_edges(n, edges, false);
    for (const auto& [how, exec] : this->variants()) {
      const auto device = host.to(exec.memory());
      loops::array<int> labels(wanted.size(), exec.memory());
      labels.fill(0xff);
      loops::connected_components(exec, schedule::merge_path{}, device.view(), labels);
      ASSERT_TRUE(labels.to_vector() == wanted) << edges.size() << " edges, " << how;
    }
  }
}

TYPED_TEST(graph_test, page_ranks) {
  const auto exec = this->any();
  for (const auto& [name, g] : graphs::all()) {
    SCOPED_TRACE(name);
    const auto n = static_cast<double>(g.rows);
    std::vector<double> rank(static_cast<std::size_t>(g.rows), 1 / n);
    constexpr int iterations = 20;
    for (int i = 0; i < iterations; ++i) {
      std::vector<double> next(rank.size(), 0.15 / n);
      for (std::size_t u = 0; u < rank.size(); ++u) {
        const double links = g.offsets[u + 1] - g.offsets[u];
        if (links == 0)
          for (double& r : next) r += 0.85 * rank[u] / n;
        for_each_neighbour(g, u,
                           [&](std::size_t v, std::size_t) { next[v] += 0.85 * rank[u] / links; });
      }
      rank = next;
    }
    const auto device = g.to(exec.memory());
    loops::array<double> ranks(rank.size(), exec.memory());
    const loops::pagerank_options options{.tolerance = 0, .most_iterations = iterations};
    const auto result =
        loops::pagerank<double>(exec, schedule::merge_path{}, device.view(), ranks, options);
    EXPECT_EQ(result.iterations, iterations);
    const auto first = ranks.to_vector();
    double sum = 0;
    for (std::size_t v = 0; v < rank.size(); ++v) {
      ASSERT_NEAR(first[v], rank[v], 1e-12) << "vertex " << v;
      sum += first[v];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    loops::pagerank<double>(exec, schedule::merge_path{}, device.view(), ranks, options);
    EXPECT_TRUE(support::same_bits(first, ranks.to_vector())) << "the second run has other bits";
    const auto in = graphs::reversed(g).to(exec.memory());
    ranks.fill(0xff);
    loops::pagerank<double>(exec, schedule::merge_path{}, device.view(), in.view(), ranks, options);
    EXPECT_TRUE(support::same_bits(first, ranks.to_vector())) << "with the transpose at hand";
    const auto settled = loops::pagerank<double>(exec, schedule::merge_path{}, device.view(),
                                                 in.view(), ranks, {.tolerance = 1e-3});
    EXPECT_LT(settled.change, 1e-3);
    EXPECT_LT(settled.iterations, 100);
    if (settled.iterations == 1) continue;
    const auto sooner =
        loops::pagerank<double>(exec, schedule::merge_path{}, device.view(), in.view(), ranks,
                                {.tolerance = 1e-3, .most_iterations = settled.iterations - 1});
    EXPECT_GE(sooner.change, 1e-3);
  }
}

TYPED_TEST(graph_test, triangles) {
  const auto exec = this->any();
  for (const auto& named : graphs::all()) {
    const auto& g = named.second;
    if (named.first.find("directed") != std::string::npos) continue;
    SCOPED_TRACE(named.first);
    std::int64_t wanted = 0;
    for (std::size_t u = 0; u < static_cast<std::size_t>(g.rows); ++u)
      for_each_neighbour(g, u, [&](std::size_t v, std::size_t) {
        if (v <= u) return;
        for_each_neighbour(g, v, [&](std::size_t w, std::size_t) {
          if (w <= v) return;
          for_each_neighbour(g, u, [&](std::size_t x, std::size_t) { wanted += x == w; });
        });
      });
    const auto device = g.to(exec.memory());
    EXPECT_EQ(loops::count_triangles(exec, schedule::merge_path{}, device.view()), wanted);
    EXPECT_EQ(loops::count_triangles(exec, schedule::wave_mapped{}, device.view()), wanted);
  }
}

/// So many that slices end within the rows of edges, of which neither end's is always the shorter.
TYPED_TEST(graph_test, triangles_of_rows_that_slices_cut) {
  const auto exec = this->any();
  constexpr int n = 130;
  std::mt19937 random(11);
  std::vector<std::pair<int, int>> edges;
  std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = u + 1; v < n; ++v)
      if (random() % 2 == 0) {
        edges.emplace_back(static_cast<int>(u), static_cast<int>(v));
        joined[u][v] = true;
      }
  std::int64_t wanted = 0;
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = u + 1; v < n; ++v)
      for (std::size_t w = v + 1; w < n; ++w)
        wanted += joined[u][v] && joined[v][w] && joined[u][w];
  const auto there = graphs::from_edges(n, edges, true).to(exec.memory());
  EXPECT_EQ(loops::count_triangles(exec, schedule::merge_path{}, there.view()), wanted);
  EXPECT_EQ(loops::count_triangles(exec, schedule::nonzero_split{}, there.view()), wanted);
}

/// The same graph, its vertices numbered in other types.
template <class I, class O>
loops::csr<float, I, O> numbered(const graph& g) {
  const auto as = [](const auto& from, auto to) {
    std::vector<decltype(to)> out(from.begin(), from.end());
    return loops::array<decltype(to)>(out);
  };
  return {static_cast<I>(g.rows), static_cast<I>(g.cols), as(g.offsets, O{}), as(g.indices, I{}),
          g.values.to(g.values.where())};
}

TYPED_TEST(graph_test, vertices_of_unsigned_numbers) {
  const auto exec = this->any();
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 40; ++i)
    for (int j = i + 1; j < 40; ++j) edges.emplace_back(i, j);
  edges.emplace_back(39, 40);
  const graph g = graphs::from_edges(42, edges, true);
  const auto check = [&](const auto& host) {
    const auto there = host.to(exec.memory());
    const schedule::merge_path how;
    EXPECT_EQ(loops::count_triangles(exec, how, there.view()), 40 * 39 * 38 / 6);
    loops::array<std::int32_t> levels(42, exec.memory());
    EXPECT_EQ(loops::bfs(exec, how, there.view(), there.view(), 40, levels).reached, 41);
    EXPECT_EQ(levels.to_vector()[0], 2);
  };
  check(numbered<std::uint32_t, std::uint32_t>(g));
  check(numbered<std::uint32_t, std::int64_t>(g));
  check(numbered<std::uint64_t, std::uint64_t>(g));
}

TEST(frontier_counter, counts_vertices_and_edges_in_one_word) {
  using loops::graph_detail::frontier_counter;
  constexpr std::int64_t vertices = (std::int64_t{1} << 30) - 1;
  constexpr std::int64_t edges = (std::int64_t{1} << 33) - 1;
  const auto most = frontier_counter::of(vertices, edges);
  std::int64_t size = 0;
  for (int i = 0; i < 3; ++i) size += most.one_vertex(edges / 3);
  EXPECT_EQ(most.vertices(size), 3);
  EXPECT_EQ(most.edges(size), edges / 3 * 3);
  expect_error(errc::overflow, "search parts of it",
               [&] { (void)frontier_counter::of(vertices + 1, edges); });
  expect_error(errc::overflow, "search parts of it",
               [&] { (void)frontier_counter::of(vertices, edges + 1); });
}

TYPED_TEST(graph_test, refuses_a_graph_that_does_not_know_how_many_edges_it_has) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "the offsets are on the device";
  const graph g = graphs::from_edges(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}, true);
  loops::array<std::int32_t> levels(4);
  loops::array<float> distances(4);
  const schedule::merge_path how;
  const char* const words = "does a matrix not know how many nonzeros";
  for (const std::int32_t wrong : {0, 8, 12}) {
    SCOPED_TRACE(wrong);
    auto bad = g.view();
    bad.nonzeros = wrong;
    expect_error(errc::invalid_argument, words,
                 [&] { loops::bfs(exec, how, bad, bad, 0, levels); });
    expect_error(errc::invalid_argument, words, [&] { loops::sssp(exec, how, bad, 0, distances); });
    expect_error(errc::invalid_argument, words,
                 [&] { loops::pagerank<float>(exec, how, bad, distances); });
    expect_error(errc::invalid_argument, words,
                 [&] { loops::pagerank<float>(exec, how, bad, bad, distances); });
    expect_error(errc::invalid_argument, words,
                 [&] { loops::connected_components(exec, how, bad, levels); });
    expect_error(errc::invalid_argument, words,
                 [&] { (void)loops::count_triangles(exec, how, bad); });
  }
  // Offsets of the transpose, of which a search that never pulls reads none.
  const graph other = graphs::from_edges(4, {{0, 1}}, true);
  auto in = other.view();
  in.nonzeros = g.view().nonzeros;
  expect_error(errc::invalid_argument, words,
               [&] { loops::bfs(exec, how, g.view(), in, 0, levels, {.alpha = 0}); });
}

TYPED_TEST(graph_test, refusals) {
  const auto exec = this->any();
  const graph g = graphs::from_edges(3, {{0, 1}, {1, 2}}, true).to(exec.memory());
  graph wide = graphs::from_edges(3, {{0, 1}}, false).to(exec.memory());
  wide.cols = 4;
  loops::array<std::int32_t> levels(3, exec.memory());
  loops::array<std::int32_t> two(2, exec.memory());
  loops::array<float> distances(3, exec.memory());
  const schedule::merge_path how;
  expect_error(errc::invalid_argument, "the source 3 is not one of 3",
               [&] { loops::bfs(exec, how, g.view(), g.view(), 3, levels); });
  expect_error(errc::invalid_argument, "levels has 2 elements",
               [&] { loops::bfs(exec, how, g.view(), g.view(), 0, two); });
  expect_error(errc::invalid_argument, "as many rows as columns",
               [&] { loops::connected_components(exec, how, wide.view(), levels); });
  expect_error(errc::invalid_argument, "the source -1",
               [&] { loops::sssp(exec, how, g.view(), -1, distances); });
  for (const float bad : {-1.0F, std::numeric_limits<float>::quiet_NaN()}) {
    graph negative = graphs::from_edges(3, {{0, 1}, {1, 2}}, true);
    negative.values[2] = bad;
    const graph there = negative.to(exec.memory());
    expect_error(errc::invalid_argument, "negative or not a number",
                 [&] { loops::sssp(exec, how, there.view(), 0, distances); });
  }
  graph own = graphs::from_edges(3, {{0, 1}, {1, 2}}, true).to(exec.memory());
  expect_error(errc::invalid_argument, "distances begins where the array of weights does",
               [&] { loops::sssp(exec, how, own.view(), 0, own.values); });
  expect_error(errc::invalid_argument, "levels begins where the array of neighbours does",
               [&] { loops::bfs(exec, how, own.view(), g.view(), 0, own.indices); });
  expect_error(errc::invalid_argument, "levels begins where the array of offsets does",
               [&] { loops::bfs(exec, how, g.view(), own.view(), 0, own.offsets); });
  expect_error(errc::invalid_argument, "labels begins where the array of neighbours does",
               [&] { loops::connected_components(exec, how, own.view(), own.indices); });
  auto bare = g.view();
  bare.values = nullptr;
  EXPECT_NO_THROW(loops::bfs(exec, how, bare, bare, 0, levels));
  expect_error(errc::invalid_argument, "the values are a null pointer",
               [&] { loops::sssp(exec, how, bare, 0, distances); });
  bare.indices = nullptr;
  expect_error(errc::invalid_argument, "the indices are a null pointer",
               [&] { loops::bfs(exec, how, g.view(), bare, 0, levels); });
  expect_error(errc::invalid_argument, "the indices are a null pointer",
               [&] { loops::pagerank<float>(exec, how, g.view(), bare, distances); });
  expect_error(errc::invalid_argument, "the indices are a null pointer",
               [&] { loops::connected_components(exec, how, bare, levels); });
  expect_error(errc::invalid_argument, "damping",
               [&] { loops::pagerank<float>(exec, how, g.view(), distances, {.damping = 1}); });
  expect_error(errc::invalid_argument, "tolerance is not a number", [&] {
    loops::pagerank<float>(exec, how, g.view(), distances,
                           {.tolerance = std::numeric_limits<double>::quiet_NaN()});
  });
  expect_error(errc::invalid_argument, "at least one iteration", [&] {
    loops::pagerank<float>(exec, how, g.view(), g.view(), distances, {.most_iterations = 0});
  });
}

}  // namespace
