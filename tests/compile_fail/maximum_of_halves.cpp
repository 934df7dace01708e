// SPDX-License-Identifier: Apache-2.0
/// The largest of none has to be known.
// expect: nothing is known to be less than all of this type
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"

int main() {
  return loops::maximum::identity<loops::half>() < loops::half(0.0F);
}
