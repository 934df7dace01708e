// SPDX-License-Identifier: Apache-2.0
/// What is written must not be const.
// expect: vector_argument
#include "algorithms/spmv/spmv.hpp"
#include "loops/execution/executor.hpp"

#include <vector>

void wrong(const loops::executor& exec, const std::vector<float>& x) {
  const std::vector<float> y(3);
  loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::csr_view<float>{})(x, y);
}
