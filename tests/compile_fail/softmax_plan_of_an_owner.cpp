// SPDX-License-Identifier: Apache-2.0
/// A plan of softmax holds a view: who gives it the mask itself is told so.
// expect: a plan holds a view of the matrix
#include "algorithms/softmax/softmax.hpp"
#include "loops/execution/executor.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::executor& exec, const loops::csr<float>& a) {
  loops::plan_softmax(exec, loops::schedule::merge_path{}, a);
}
