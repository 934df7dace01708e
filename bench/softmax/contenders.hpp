// SPDX-License-Identifier: Apache-2.0
/// The ways to compute softmax over the rows of a matrix that are compared: the library's
/// schedules, and what can be put together from another library's functions.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A mask, a score per nonzero, which are its values, and room for their weights.
struct problem {
  const executor& exec;
  csr<float>& mask;
  float scale;
  array<float> weights;
};

/// One way to compute the weights.
struct contender {
  std::string name;
  /// Prepares, and returns what enqueues one use. The problem outlives it.
  std::function<std::function<void()>(problem&)> prepare;
};

/// Schedules of the library.
std::vector<contender> schedules();

/// What other libraries offer on this build's backend, with their preparation outside the timing.
std::vector<contender> peers();

}  // namespace loops::bench
