// SPDX-License-Identifier: Apache-2.0
/// The ways to multiply dense matrices at the places of a pattern that are compared: the library's
/// schedules, and other libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/dense.hpp"
#include "loops/format/formats.hpp"

#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A pattern, A by rows and B by columns, and room for a number per nonzero: the pattern's values.
struct problem {
  const executor& exec;
  csr<float>& pattern;
  dense_view<float> a;
  dense_view<float> b;
};

/// One way to compute the pattern's values.
struct contender {
  std::string name;
  /// Prepares, and returns what enqueues one product. The problem outlives it.
  std::function<std::function<void()>(const problem&)> prepare;
};

/// Schedules of the library.
std::vector<contender> schedules();

/// What other libraries offer on this build's backend, with their preparation outside the timing.
std::vector<contender> peers();

}  // namespace loops::bench
