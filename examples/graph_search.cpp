// SPDX-License-Identifier: Apache-2.0
/// A graph, searched from one vertex, split into components and counted for triangles.
#include <algorithms/graph/bfs.hpp>
#include <algorithms/graph/components.hpp>
#include <algorithms/graph/triangles.hpp>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  const loops::schedule::merge_path how;
  const auto g = loops::generate<float>("stencil5:nx=100,ny=80").to(exec.memory());
  loops::array<std::int32_t> levels(static_cast<std::size_t>(g.rows), exec.memory());
  loops::array<std::int32_t> labels(static_cast<std::size_t>(g.rows), exec.memory());
  const auto found = loops::bfs(exec, how, g.view(), g.view(), 0, levels);
  loops::connected_components(exec, how, g.view(), labels);
  const auto triangles = loops::count_triangles(exec, how, g.view());
  std::printf("%lld of %d vertices within %d steps, %lld triangles\n",
              static_cast<long long>(found.reached), g.rows, found.depth,
              static_cast<long long>(triangles));
  // A grid: connected, as deep as its sides are long, without triangles.
  for (const std::int32_t label : labels.to_vector())
    if (label != 0) return 1;
  return found.reached == g.rows && found.depth == 178 && triangles == 0 ? 0 : 1;
}
