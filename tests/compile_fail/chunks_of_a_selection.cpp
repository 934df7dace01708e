// SPDX-License-Identifier: Apache-2.0
/// Chunks have no names for atoms, so there are none of works that rename them.
// expect: flattened
// expect: renamed_work
#include "loops/work/flattened.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"

using selection = loops::selected<loops::segments<int>, int, int>;

std::int64_t wrong(const selection& base) {
  return loops::flattened<selection>(base, 4).tiles();
}
