// SPDX-License-Identifier: Apache-2.0
/// Device-wide stable sort: Thrust on a GPU, a standard algorithm on the host.
#pragma once

#include "loops/backend/gpu/sort.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace loops {

/// Sorts `keys` ascending and `values` along, keeping the order of equal keys. Allocates; waits.
template <class Exec, class Key, class Value>
void stable_sort_by_key(const Exec& exec, array<Key>& keys, array<Value>& values) {
  if (keys.size() != values.size())
    throw error(errc::invalid_argument, "stable_sort_by_key: as many values as keys are needed");
  if (!exec.memory()->on_host()) {
    gpu::stable_sort_by_key(exec, keys.data(), values.data(), keys.size());
    return;
  }
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  const std::vector<Key> old_keys(keys.begin(), keys.end());
  const std::vector<Value> old_values(values.begin(), values.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    keys[i] = old_keys[order[i]];
    values[i] = old_values[order[i]];
  }
}

/// Sorts `keys` ascending. May allocate; waits on the host.
template <class Exec, class Key>
void sort_keys(const Exec& exec, array<Key>& keys) {
  if (exec.memory()->on_host()) {
    std::sort(keys.begin(), keys.end());
  } else {
    gpu::sort_keys(exec, keys.data(), keys.size());
  }
}

}  // namespace loops
