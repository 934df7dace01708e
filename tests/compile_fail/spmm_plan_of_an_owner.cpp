// SPDX-License-Identifier: Apache-2.0
/// A plan of SpMM holds a view: who gives it the matrix itself is told so.
// expect: a plan holds a view of the matrix
#include "algorithms/spmm/spmm.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr<float>& a,
           const loops::dense_view<const float>& b) {
  loops::plan_spmm(exec, loops::schedule::merge_path{}, a, b);
}
