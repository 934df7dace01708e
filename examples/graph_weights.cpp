// SPDX-License-Identifier: Apache-2.0
/// A weighted graph: how far every vertex is from one, and how much rank it gets from its links.
#include <algorithms/graph/pagerank.hpp>
#include <algorithms/graph/sssp.hpp>
#include <cmath>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  const loops::schedule::merge_path how;
  auto g = loops::generate<float>("stencil5:nx=100,ny=80").to(exec.memory());
  const std::vector<float> halves(g.values.size(), 0.5F);
  g.values = loops::array<float>(halves, exec.memory());
  loops::array<float> distances(static_cast<std::size_t>(g.rows), exec.memory());
  loops::array<float> ranks(static_cast<std::size_t>(g.rows), exec.memory());
  loops::sssp(exec, how, g.view(), 0, distances);
  const auto ranked = loops::pagerank<float>(exec, how, g.view(), g.view(), ranks);

  double sum = 0;
  for (const float r : ranks.to_vector()) sum += r;
  const float farthest = distances.to_vector().back();
  std::printf("the last vertex is %g away; ranks add up to %.4f after %d steps\n", farthest, sum,
              ranked.iterations);
  // The far corner is 99 + 79 steps of one half away.
  return farthest == 89 && std::fabs(sum - 1) < 1e-3 ? 0 : 1;
}
