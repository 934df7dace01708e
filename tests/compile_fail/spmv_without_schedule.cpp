// SPDX-License-Identifier: Apache-2.0
/// SpMV asks for something that names itself and says which point of the product it is.
// expect: schedule_like
#include "algorithms/spmv/spmv.hpp"
#include "loops/execution/executor.hpp"

void wrong(const loops::executor& exec, const float* x, float* y) {
  loops::spmv(exec, "merge_path", loops::csr_view<float>{}, x, y);
}
