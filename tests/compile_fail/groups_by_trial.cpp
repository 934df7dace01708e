// SPDX-License-Identifier: Apache-2.0
/// Groups of products have `automatic`, and no trial.
// expect: groups are not tried before they are planned
#include <algorithms/gemm/grouped.hpp>
#include <loops/schedule/measured.hpp>
#include <vector>

using group = loops::gemm_group<float, float, float>;

void wrong(const loops::host_executor& exec, const std::vector<group>& groups) {
  loops::plan_grouped_gemm(exec, loops::schedule::measured{}, groups);
}
