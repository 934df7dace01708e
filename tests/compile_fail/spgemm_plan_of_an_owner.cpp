// SPDX-License-Identifier: Apache-2.0
/// A plan of SpGEMM holds views: who gives it the matrices themselves is told so.
// expect: a plan holds a view of the matrix
#include "algorithms/spgemm/spgemm.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr<float>& a) {
  loops::plan_spgemm(exec, loops::schedule::merge_path{}, a, a);
}
