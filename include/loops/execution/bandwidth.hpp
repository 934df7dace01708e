// SPDX-License-Identifier: Apache-2.0
/// What plain copies and reads reach: the ceilings that other rates are compared with.
#pragma once

#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"

#include <algorithm>
#include <cstddef>
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
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    for_each_index(block, count, [&](std::int64_t i) { to[i] = from[i]; });
  }
};

/// Bytes per second of the best of ten launches of a kernel that moves `bytes`.
template <class Exec, class Kernel>
double best_rate(const Exec& exec, stopwatch<Exec>& clock, std::size_t bytes,
                 const Kernel& kernel) {
  const auto seconds = clock.sample(
      10, sample_when::queued, [] {}, [&] { launch_flat(exec, kernel); });
  return static_cast<double>(bytes) / *std::min_element(seconds.begin(), seconds.end());
}

/// An array of bytes that are not zero.
template <class Exec>
array<quad> touched(const Exec& exec, std::size_t bytes) {
  array<quad> out(bytes / sizeof(quad), exec.memory());
  out.fill(1);
  return out;
}

}  // namespace detail

/// Bytes per second, read plus written, of the best of ten copies of `bytes`, which should be more
/// than caches hold. Waits.
template <class Exec>
double copy_bandwidth(const Exec& exec, stopwatch<Exec>& clock, std::size_t bytes) {
  const array<detail::quad> from = detail::touched(exec, bytes);
  array<detail::quad> to = detail::touched(exec, bytes);
  return detail::best_rate(
      exec, clock, 2 * bytes,
      detail::copy_flat{to.data(), from.data(), static_cast<std::int64_t>(from.size())});
}

/// Bytes per second of the best of ten plain loops that only read `bytes`: products write next to
/// nothing, and a processor may read slower than it copies. Waits.
template <class Exec>
double read_bandwidth(const Exec& exec, stopwatch<Exec>& clock, std::size_t bytes) {
  const array<detail::quad> from = detail::touched(exec, bytes);
  array<std::uint32_t> never(1, exec.memory());
  return detail::best_rate(
      exec, clock, bytes,
      detail::read_through{from.data(), static_cast<std::int64_t>(from.size()), never.data()});
}

}  // namespace loops
