// SPDX-License-Identifier: Apache-2.0
/// All lanes of a bundle would visit the same atoms.
// expect: the lanes of this plan are bundles
#include "loops/algorithm/bundles.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/execution/emulation.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/work/uniform.hpp"

void wrong(const loops::emulation_executor<32>& exec) {
  const loops::bundle_executor<loops::emulation_executor<32>, 4> bundles(exec);
  const auto plan = loops::plan(bundles, loops::schedule::group_mapped{8}, loops::uniform(100, 20));
  loops::for_each_atom(plan, [](std::int64_t, std::int64_t) {});
}
