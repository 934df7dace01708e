// SPDX-License-Identifier: Apache-2.0
/// Weights are fractions: scores in integers would all become zero or one.
// expect: weights are fractions
#include "algorithms/softmax/softmax.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr_view<int>& mask, int* scores) {
  loops::plan_softmax(exec, loops::schedule::merge_path{}, mask)(scores, scores);
}
