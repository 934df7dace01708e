// SPDX-License-Identifier: Apache-2.0
/// Arrays hold what may be copied as bytes.
// expect: loops::array holds trivially copyable elements
#include "loops/execution/memory.hpp"

#include <string>

loops::array<std::string> wrong() {
  return loops::array<std::string>(3);
}
