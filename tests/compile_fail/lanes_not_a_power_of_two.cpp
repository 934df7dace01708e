// SPDX-License-Identifier: Apache-2.0
/// Blocks have a power of two of lanes.
// expect: lanes per block: a power of two
#include "loops/core/machine.hpp"

int wrong() {
  return loops::shape<96, 4>::threads;
}
