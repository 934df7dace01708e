// SPDX-License-Identifier: Apache-2.0
/// Empties the caches between samples, and measures what a plain copy reaches.
#pragma once

#include "loops/execution/executor.hpp"
#include "support/timer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace loops::bench {

namespace detail {

/// Sixteen bytes, moved by one instruction.
struct alignas(16) quad {
  std::uint32_t at[4];
};

/// Calls `f(i)` for this lane's share of 0 … count - 1: neighbouring lanes, neighbouring i; a block
/// of one lane takes a contiguous stretch.
template <class Block, class F>
LOOPS_HD void for_each_index(const Block& block, std::int64_t count, const F& f) {
  if constexpr (Block::threads == 1) {
    const std::int64_t first = count * block.id() / block.blocks();
    const std::int64_t last = count * (block.id() + 1) / block.blocks();
    for (std::int64_t i = first; i < last; ++i) f(i);
  } else {
    for (std::int64_t i = block.id() * Block::threads + block.lane(); i < count;
         i += block.blocks() * Block::threads)
      f(i);
  }
}

/// Writes every element.
struct overwrite {
  quad* to;
  std::int64_t count;
  std::uint32_t value;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    for_each_index(block, count, [&](std::int64_t i) { to[i] = {{value, value, value, value}}; });
  }
};

/// Reads every element, and writes only what never happens.
struct read_through {
  const quad* from;
  std::int64_t count;
  std::uint32_t* never;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    std::uint32_t all = 0;
    for_each_index(block, count, [&](std::int64_t i) {
      const quad q = from[i];
      all |= q.at[0] | q.at[1] | q.at[2] | q.at[3];
    });
    if (all == 0xffffffffu) *never = all;
  }
};

struct copy {
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

using flat = shape<256, 8>;

template <class Kernel>
void launch_flat(const executor& exec, const Kernel& kernel) {
  exec.template launch<flat>(4 * exec.template describe<flat>().blocks, kernel);
}

}  // namespace detail

/// Throws everything out of the last-level cache. It overwrites one buffer, which evicts what was
/// there, and then reads another, so that no dirty lines are left for the next kernel to write
/// back.
class cache_flush {
 public:
  /// `bytes` per buffer: at least twice the cache; 0: calls do nothing.
  cache_flush(const executor& exec, std::size_t bytes)
      : exec_(exec),
        written_(bytes / sizeof(detail::quad), exec.memory()),
        read_(bytes / sizeof(detail::quad), exec.memory()),
        never_(1, exec.memory()) {
    read_.fill(0);
  }
  void operator()() {
    const auto count = static_cast<std::int64_t>(written_.size());
    if (count == 0) return;
    detail::launch_flat(exec_, detail::overwrite{written_.data(), count, ++turn_});
    detail::launch_flat(exec_, detail::read_through{read_.data(), count, never_.data()});
  }
  [[nodiscard]] std::size_t bytes() const { return written_.size() * sizeof(detail::quad); }

 private:
  const executor& exec_;
  array<detail::quad> written_;
  array<detail::quad> read_;
  array<std::uint32_t> never_;
  std::uint32_t turn_ = 0;
};

namespace detail {

/// Bytes per second of the best of ten launches of a kernel that moves `bytes`.
template <class Kernel>
double best_rate(const executor& exec, timer& clock, std::size_t bytes, const Kernel& kernel) {
  const auto seconds = clock.sample(
      10, start::queued, [] {}, [&] { launch_flat(exec, kernel); });
  return static_cast<double>(bytes) / *std::min_element(seconds.begin(), seconds.end());
}

/// An array of bytes that are not zero.
inline array<quad> touched(const executor& exec, std::size_t bytes) {
  array<quad> out(bytes / sizeof(quad), exec.memory());
  out.fill(1);
  return out;
}

}  // namespace detail

/// Bytes per second, read plus written, of the best of ten copies of `bytes`: the ceiling that
/// other rates are compared with.
inline double copy_bandwidth(const executor& exec, timer& clock, std::size_t bytes) {
  const array<detail::quad> from = detail::touched(exec, bytes);
  array<detail::quad> to = detail::touched(exec, bytes);
  return detail::best_rate(
      exec, clock, 2 * bytes,
      detail::copy{to.data(), from.data(), static_cast<std::int64_t>(from.size())});
}

/// Bytes per second of the best of ten plain loops that only read `bytes`: products write next to
/// nothing, and a processor may read slower than it copies.
inline double read_bandwidth(const executor& exec, timer& clock, std::size_t bytes) {
  const array<detail::quad> from = detail::touched(exec, bytes);
  array<std::uint32_t> never(1, exec.memory());
  return detail::best_rate(
      exec, clock, bytes,
      detail::read_through{from.data(), static_cast<std::int64_t>(from.size()), never.data()});
}

}  // namespace loops::bench
