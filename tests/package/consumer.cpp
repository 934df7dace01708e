// SPDX-License-Identifier: Apache-2.0
/// What a user's program does with an installed loops.
#include "loops/core/error.hpp"
#include "loops/core/functional.hpp"

int main() {
  return loops::plus{}(1, 1) == 2 ? 0 : 1;
}
