// SPDX-License-Identifier: Apache-2.0
/// Vectors have the values of the matrix.
// expect: vector_argument
#include "algorithms/spmv/spmv.hpp"
#include "loops/execution/executor.hpp"

#include <vector>

void wrong(const loops::executor& exec, std::vector<float>& y) {
  const std::vector<double> x(3);
  loops::plan_spmv(exec, loops::schedule::merge_path{}, loops::csr_view<float>{})(x, y);
}
