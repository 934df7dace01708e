// SPDX-License-Identifier: Apache-2.0
/// The weights of a graph as probabilities: every edge over the sum of its vertex.
#include <cmath>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>

int main() {
  const loops::executor exec = loops::default_executor();
  auto graph = loops::generate<float>("rmat:scale=12,edges=8").to(exec.memory());
  float* weights = graph.values.data();

  // Every edge is told its own weight, and what those of its vertex come to.
  loops::reduce_to_atoms<float>(
      exec, loops::schedule::automatic{}, rows_of(graph.view()),
      [=] LOOPS_FN(auto edge) { return std::fabs(weights[edge]) + 1; }, loops::plus{},
      [=] LOOPS_FN(auto, auto edge, float weight, float all) { weights[edge] = weight / all; });

  const auto offsets = graph.offsets.to_vector();
  const auto probabilities = graph.values.to_vector();
  int wrong = 0;
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    double sum = 0;
    for (auto e = offsets[v]; e < offsets[v + 1]; ++e)
      sum += double(probabilities[static_cast<std::size_t>(e)]);
    if (offsets[v] < offsets[v + 1] && std::fabs(sum - 1) > 1e-4) ++wrong;
  }
  std::printf("%d vertices, of which %d do not sum to one\n", graph.rows, wrong);
  return wrong == 0 ? 0 : 1;
}
