// SPDX-License-Identifier: Apache-2.0
/// The ways to compute y = A^T x that are compared: the library's schedules, and other libraries.
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

/// One way to compute y = A^T x.
template <class V>
struct contender {
  std::string name;
  /// Prepares, and returns what enqueues one product. The problem outlives it.
  std::function<std::function<void()>(problem<V>&)> prepare;
};

/// Schedules of the library.
template <class V>
std::vector<contender<V>> schedules();

/// What other libraries offer on this build's backend, with their preparation outside the timing.
template <class V>
std::vector<contender<V>> peers();

}  // namespace loops::bench
