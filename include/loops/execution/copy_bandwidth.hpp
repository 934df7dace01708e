// SPDX-License-Identifier: Apache-2.0
/// What a plain copy reaches: the ceiling that other rates are compared with.
#pragma once

#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"

#include <algorithm>
#include <cstdint>

namespace loops {

namespace detail {

/// Copies every element.
struct copy_flat {
  quad* to;
  const quad* from;
  std::int64_t count;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    for_each_index(block, count, [&](std::int64_t i) { to[i] = from[i]; });
  }
};

}  // namespace detail

/// Bytes per second, read plus written, of the best of ten copies of `bytes`, which should be more
/// than caches hold. Waits.
template <class Exec>
double copy_bandwidth(const Exec& exec, stopwatch<Exec>& clock, std::size_t bytes) {
  const auto count = static_cast<std::int64_t>(bytes / sizeof(detail::quad));
  array<detail::quad> from(static_cast<std::size_t>(count), exec.memory());
  array<detail::quad> to(static_cast<std::size_t>(count), exec.memory());
  from.fill(1);
  to.fill(0);
  const auto seconds = clock.sample(
      10, sample_when::queued, [] {},
      [&] {
        detail::launch_flat(exec, detail::copy_flat{to.data(), from.data(), count});
      });
  return 2.0 * static_cast<double>(count) * sizeof(detail::quad) /
         *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace loops
