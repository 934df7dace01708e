// SPDX-License-Identifier: Apache-2.0
/// Graph algorithms.
#include "algorithms/graph/bfs.hpp"
#include "algorithms/graph/components.hpp"
#include "algorithms/graph/pagerank.hpp"
#include "algorithms/graph/sssp.hpp"
#include "algorithms/graph/triangles.hpp"
#include "loops/loops.hpp"

#include <cstddef>
#include <cstdint>

#include "races/small.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec, class Schedule>
void watch(const Exec& exec, const Schedule& how, const loops::csr<float>& m) {
  const auto g = m.to(exec.memory());
  const auto vertices = static_cast<std::size_t>(m.rows);
  loops::array<std::int32_t> levels(vertices, exec.memory()), labels(vertices, exec.memory());
  loops::array<float> distances(vertices, exec.memory()), ranks(vertices, exec.memory());
  std::printf(" bfs\n");
  loops::bfs(exec, how, g, g, 0, levels);
  std::printf(" sssp\n");
  loops::sssp(exec, how, g, 0, distances);
  std::printf(" pagerank\n");
  loops::pagerank<float>(exec, how, g, ranks);
  std::printf(" components\n");
  loops::connected_components(exec, how, g, labels);
  std::printf(" triangles\n");
  static_cast<void>(loops::count_triangles(exec, how, g));
}

}  // namespace

int main() {
  // Symmetric ones: a mesh, and one with a vertex that is everybody's neighbour.
  races::on_every_wave([](const auto& exec) {
    for (const char* spec : {"stencil9:nx=12,ny=11", "arrow:rows=300"}) {
      std::printf("%s\n", spec);
      auto m = loops::generate<float>(spec);
      for (std::size_t e = 0; e < m.values.size(); ++e)  // weights, none of them negative
        m.values[e] = static_cast<float>(e % 5);
      watch(exec, schedule::merge_path{}, m);
      watch(exec, schedule::group_mapped{8}, m);
    }
  });
}
