// SPDX-License-Identifier: Apache-2.0
/// Compiles how the page of datasets makes matrices on the spot.
#include <loops/io/generate.hpp>

void make() {
  // @snippet
}
