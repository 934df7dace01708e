// SPDX-License-Identifier: Apache-2.0
/// Three halves of a wave of 64 lanes are no team there.
// expect: a team is made of whole waves
#include "loops/execution/emulation.hpp"

int wrong() {
  return loops::emulation_executor<64>::block<loops::team<96>>::threads;
}
