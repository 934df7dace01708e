// SPDX-License-Identifier: Apache-2.0
/// A small wave has a power of two of lanes.
// expect: a smaller one of a power of two of lanes
#include "loops/execution/emulation.hpp"

int wrong() {
  return loops::emulation_executor<32>::block<loops::team<24>>::threads;
}
