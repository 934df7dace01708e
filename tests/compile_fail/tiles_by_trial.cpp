// SPDX-License-Identifier: Apache-2.0
/// A plan over tiles cannot try schedules: it has no functor yet.
// expect: compare plans of your own with loops::fastest
#include <loops/loops.hpp>
#include <loops/schedule/measured.hpp>

void wrong(const loops::executor& exec, const loops::segments<int>& w) {
  loops::plan(exec, loops::schedule::measured{}, w);
}
