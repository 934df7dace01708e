// SPDX-License-Identifier: Apache-2.0
/// Halves would be rounded after every addition.
// expect: sums by atomics are for float and double
#include "algorithms/spmv_transposed/by_atomics.hpp"
#include "loops/execution/executor.hpp"

void wrong(const loops::executor& exec, const loops::csr_view<loops::half>& a) {
  loops::plan_spmv_transposed(exec, loops::schedule::merge_path{}, a, loops::by_atomics{});
}
