// SPDX-License-Identifier: Apache-2.0
/// The graph algorithms that are compared: the library's, under its schedules, and those of other
/// libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

enum class question { levels, distances, ranks, components, triangles };
inline constexpr question all_questions[] = {question::levels, question::distances, question::ranks,
                                             question::components, question::triangles};

/// What benchmarks of a question are called.
inline const char* name_of(question q) {
  const char* const names[] = {"bfs", "sssp", "pagerank", "components", "triangles"};
  return names[static_cast<int>(q)];
}

/// Iterations of PageRank, for everybody.
inline constexpr int rank_iterations = 20;
inline constexpr double damping = 0.85;

/// An undirected graph without loops, rows sorted, weights positive; and where searches begin.
struct problem {
  const executor& exec;
  const csr<float>& graph;
  std::int32_t source;
};

/// One way that was prepared. An answer has a number per vertex: the level or -1, the distance or
/// infinity, the rank, the least vertex of its component; or the number of triangles.
struct attempt {
  std::function<void()> run;
  std::function<std::vector<double>()> answer;
};

struct contender {
  std::string name;
  std::function<attempt(const problem&)> prepare;  ///< the problem outlives what it returns
};

/// The library's schedules.
std::vector<contender> schedules(question q);

/// What other libraries offer on this build's backend.
std::vector<contender> peers(question q);

}  // namespace loops::bench
