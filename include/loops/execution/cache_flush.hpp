// SPDX-License-Identifier: Apache-2.0
/// Throws everything out of a device's caches, so that what is timed next finds none of its data.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/execution/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace loops {

/// Bytes of the cache that has to be emptied between samples: the last one of a GPU; 0 on the host,
/// where that would keep this library's threads awake and put those of others to sleep.
template <class Exec>
std::size_t cache_bytes([[maybe_unused]] const Exec& exec) {
  if constexpr (requires { exec.facts().cache_bytes; }) {
    return exec.facts().cache_bytes;
  } else {
    return 0;
  }
}

namespace detail {

/// Sixteen bytes, moved by one instruction.
struct alignas(16) quad {
  std::uint32_t at[4];
};

/// Calls `f(i)` for this lane's share of 0 … count - 1: neighbouring lanes, neighbouring i; a block
/// of one lane takes a contiguous stretch.
LOOPS_CALLS_USER
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
  LOOPS_CALLS_USER
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
  LOOPS_CALLS_USER
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

using flat = shape<256, 8>;

/// Launches a kernel whose lanes stride over an array, four blocks for each that runs at once.
template <class Exec, class Kernel>
void launch_flat(const Exec& exec, const Kernel& kernel) {
  exec.template launch<flat>(4 * exec.template describe<flat>().blocks, kernel);
}

}  // namespace detail

/// Throws everything out of the last-level cache. It overwrites one buffer, which evicts what was
/// there, and then reads another, so that no dirty lines are left for the next kernel to write
/// back.
template <class Exec>
class cache_flush {
 public:
  /// `bytes` per buffer: at least twice the cache; 0: calls do nothing.
  cache_flush(const Exec& exec, std::size_t bytes)
      : exec_(exec),
        written_(bytes / sizeof(detail::quad), exec.memory()),
        read_(bytes / sizeof(detail::quad), exec.memory()),
        never_(1, exec.memory()) {
    read_.fill(0);
  }
  /// Waits for nothing.
  void operator()() {
    const auto count = static_cast<std::int64_t>(written_.size());
    if (count == 0) return;
    detail::launch_flat(exec_, detail::overwrite{written_.data(), count, ++turn_});
    detail::launch_flat(exec_, detail::read_through{read_.data(), count, never_.data()});
  }
  [[nodiscard]] std::size_t bytes() const { return written_.size() * sizeof(detail::quad); }

 private:
  Exec exec_;
  array<detail::quad> written_;
  array<detail::quad> read_;
  array<std::uint32_t> never_;
  std::uint32_t turn_ = 0;
};

}  // namespace loops
