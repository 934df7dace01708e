// SPDX-License-Identifier: Apache-2.0
/// An empty slot of a table of columns is less than every column, so these have a sign.
// expect: SpGEMM keeps columns in a signed type
#include "algorithms/spgemm/spgemm.hpp"
#include "loops/execution/host.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::host_executor& exec, const loops::csr_view<float, unsigned>& a) {
  loops::plan_spgemm(exec, loops::schedule::merge_path{}, a, a);
}
