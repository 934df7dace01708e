// SPDX-License-Identifier: Apache-2.0
/// The ways to compute C = A B that are compared: the library's schedules, and other libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/dense.hpp"
#include "loops/format/formats.hpp"

#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A matrix, B and C where the executor computes.
template <class V>
struct problem {
  const executor& exec;
  const csr<V>& a;
  dense_view<V> b;
  dense_view<V> c;
};

/// One way to compute C = A B.
template <class V>
struct contender {
  std::string name;
  /// Prepares, and returns what enqueues one product. The problem outlives it.
  std::function<std::function<void()>(const problem<V>&)> prepare;
};

/// Schedules of the library.
template <class V>
std::vector<contender<V>> schedules();

/// What other libraries offer on this build's backend, with their preparation outside the timing.
template <class V>
std::vector<contender<V>> peers();

}  // namespace loops::bench
