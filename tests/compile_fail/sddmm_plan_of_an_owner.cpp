// SPDX-License-Identifier: Apache-2.0
/// A plan of SDDMM holds a view: who gives it the pattern itself is told so.
// expect: a plan holds a view of the matrix
#include "algorithms/sddmm/sddmm.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr<float>& a,
           const loops::dense_view<const float>& b) {
  loops::plan_sddmm(exec, loops::schedule::merge_path{}, a, b, b);
}
