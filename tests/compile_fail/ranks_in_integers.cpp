// SPDX-License-Identifier: Apache-2.0
/// Ranks are fractions: in integers all of them would be zero.
// expect: ranks are fractions
#include "algorithms/graph/pagerank.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr_view<float>& graph, int* ranks) {
  loops::pagerank<int>(exec, loops::schedule::merge_path{}, graph, ranks);
}
