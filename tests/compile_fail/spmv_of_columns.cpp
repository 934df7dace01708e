// SPDX-License-Identifier: Apache-2.0
/// What sorts the nonzeros of CSC is a header of its own: who forgets it is told its name.
// expect: for CSC include algorithms/spmv/csc_rows.hpp
#include "algorithms/spmv/spmv.hpp"
#include "loops/execution/host.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::host_executor& exec, const loops::csc_view<float>& a, const float* x,
           float* y) {
  loops::spmv(exec, loops::schedule::merge_path{}, a, x, y);
}
