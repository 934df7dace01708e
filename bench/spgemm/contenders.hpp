// SPDX-License-Identifier: Apache-2.0
/// The ways to compute C = A B for sparse matrices that are compared: the library's schedules, and
/// other libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/format/formats.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A and B where the executor computes.
template <class V>
struct problem {
  const executor& exec;
  const csr<V>& a;
  const csr<V>& b;
};

/// One way that was prepared.
template <class V>
struct attempt {
  std::function<void()> multiply;       ///< enqueues one product
  std::function<csr_view<V>()> result;  ///< the last one, in the executor's memory
  std::size_t held = 0;                 ///< bytes kept for the next one, C aside
};

/// One way to compute C = A B. `once`: the pattern of C is found in every product; otherwise it was
/// when the contender was prepared, and a product is values only.
template <class V>
struct contender {
  std::string name;
  bool once = false;
  std::function<attempt<V>(const problem<V>&)> prepare;  ///< the problem outlives what it returns
};

/// Schedules of the library, with the pattern outside the timing and, `,once`, inside it.
template <class V>
std::vector<contender<V>> schedules();

/// What other libraries offer on this build's backend.
template <class V>
std::vector<contender<V>> peers();

}  // namespace loops::bench
