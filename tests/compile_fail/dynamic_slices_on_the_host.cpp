// SPDX-License-Identifier: Apache-2.0
/// Who takes which slice of a dynamic schedule is not known before it runs.
// expect: slices
#include "loops/schedule/queue.hpp"
#include "loops/work/uniform.hpp"

auto wrong() {
  return loops::schedule::queue{}.compose().slices(loops::uniform(3, 4), loops::machine{}, 0);
}
