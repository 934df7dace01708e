// SPDX-License-Identifier: Apache-2.0
/// A plan of transposed SpMV holds a view: who gives it the matrix itself is told so.
// expect: a plan holds a view of the matrix
#include "algorithms/spmv_transposed/spmv_transposed.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr<float>& a) {
  loops::plan_spmv_transposed(exec, loops::schedule::merge_path{}, a);
}
