// SPDX-License-Identifier: Apache-2.0
/// The ways to compute y = A x that are compared: the library's schedules, and other libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A matrix and its vectors where the executor computes.
template <class V>
struct problem {
  const executor& exec;
  csr<V> a;
  array<V> x;
  array<V> y;
};

/// One way to compute y = A x.
template <class V>
struct contender {
  std::string name;
  /// Whether every call prepares anew, so that the preparation is inside the timing.
  bool once = false;
  /// Prepares, and returns what enqueues one product. The problem outlives it.
  std::function<std::function<void()>(problem<V>&)> prepare;
  /// Whether it computes y. What does not is a yardstick, and nobody's rival.
  bool multiplies = true;
};

/// Every schedule of the library, and some of them without a plan, as "merge_path,once".
template <class V>
std::vector<contender<V>> schedules();

/// What other libraries offer on this build's backend, with their preparation outside the timing,
/// and once more inside, as "cusparse_csr_alg1,once".
template <class V>
std::vector<contender<V>> peers();

}  // namespace loops::bench
