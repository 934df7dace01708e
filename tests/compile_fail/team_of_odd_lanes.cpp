// SPDX-License-Identifier: Apache-2.0
/// A team may have any number of waves, but whole ones.
// expect: a team is made of whole waves
#include "loops/core/machine.hpp"

int wrong() {
  return loops::team<100>::threads;
}
