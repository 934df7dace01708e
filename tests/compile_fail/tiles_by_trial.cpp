// SPDX-License-Identifier: Apache-2.0
/// A plan over tiles cannot try schedules: it has no functor yet.
// expect: compare plans of your own with loops::fastest
#include <algorithms/spmv/spmv.hpp>
#include <loops/loops.hpp>
#include <loops/schedule/measured.hpp>

void wrong(const loops::executor& exec, const loops::csr_view<float>& a) {
  loops::plan_spmv(exec, loops::schedule::measured{}, a);
}
