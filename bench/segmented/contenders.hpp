// SPDX-License-Identifier: Apache-2.0
/// The ways to go over the segments of an array that are compared: the library's schedules, and
/// other libraries.
#pragma once

#include "loops/execution/executor.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// What is computed of every segment: its sum, the place of its largest value, or its running sums.
enum class operation { sum, arg_max, scan };
inline constexpr operation all_operations[] = {operation::sum, operation::arg_max, operation::scan};
inline constexpr const char* name_of(operation o) {
  return o == operation::sum ? "sum" : o == operation::arg_max ? "arg_max" : "scan";
}

/// Segments, their values, and room for what is computed: for each operation its own.
template <class V>
struct problem {
  const executor& exec;
  segments<std::int32_t> segments_of;
  array<V> values;
  array<V> sums;
  array<std::int64_t> places;  ///< in all of the array, or, where `local`, in the segment
  array<V> scanned;
  bool local = false;
};

/// One way to compute one of these.
template <class V>
struct contender {
  std::string name;
  /// Prepares, and returns what enqueues one use. The problem outlives it.
  std::function<std::function<void()>(problem<V>&)> prepare;
};

/// Schedules of the library.
template <class V>
std::vector<contender<V>> schedules(operation o);

/// What other libraries offer on this build's backend, with their preparation outside the timing.
template <class V>
std::vector<contender<V>> peers(operation o);

}  // namespace loops::bench
