// SPDX-License-Identifier: Apache-2.0
/// SpMM goes along rows whose nonzeros lie side by side: other formats are refused, whatever they
/// are made of.
// expect: SpMM takes CSR
#include "algorithms/spmm/spmm.hpp"
#include "loops/execution/emulation.hpp"
#include "loops/schedule/merge_path.hpp"

void wrong(const loops::emulation_executor<32>& exec, const loops::ell_view<float>& a,
           const loops::dense_view<const float>& b) {
  loops::plan_spmm(exec, loops::schedule::merge_path{}, a, b);
}
