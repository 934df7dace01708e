// SPDX-License-Identifier: Apache-2.0
/// Times what an executor does: device events on a GPU, the steady clock on the host.
#pragma once

#include "loops/execution/executor.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace loops::bench {

/// When a sample may start.
enum class start {
  queued,  ///< behind what is queued: the processor's time alone, launches are hidden
  idle,    ///< on an idle machine: what the host does in between counts as well
};

#if LOOPS_CUDA || LOOPS_HIP

/// Times on one stream, by pairs of events.
class timer {
 public:
  explicit timer(const executor& exec) : exec_(exec) {}
  ~timer() {
    for (const auto e : events_) gpu::destroy(e);
  }
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  /// Seconds that each of `count` calls of `operation` took, with `before` run untimed in front of
  /// each. Cost: as many events, kept for the next call. Waits.
  std::vector<double> sample(int count, start when, const std::function<void()>& before,
                             const std::function<void()>& operation) {
    while (events_.size() < 2 * static_cast<std::size_t>(count))
      events_.push_back(gpu::create_event());
    for (int i = 0; i < count; ++i) {
      before();
      if (when == start::idle) exec_.synchronize();
      gpu::record(events_[2 * static_cast<std::size_t>(i)], exec_.stream());
      operation();
      gpu::record(events_[2 * static_cast<std::size_t>(i) + 1], exec_.stream());
    }
    exec_.synchronize();
    std::vector<double> seconds;
    for (int i = 0; i < count; ++i) {
      const auto* pair = &events_[2 * static_cast<std::size_t>(i)];
      seconds.push_back(1e-3 * static_cast<double>(gpu::elapsed(pair[0], pair[1])));
    }
    return seconds;
  }

 private:
  const executor& exec_;
  std::vector<gpu::event_t> events_;
};

#else

/// Times on the calling thread; launches return when the work is done.
class timer {
 public:
  explicit timer(const executor&) {}

  /// Seconds that each of `count` calls of `operation` took, with `before` run untimed in front of
  /// each.
  std::vector<double> sample(int count, start, const std::function<void()>& before,
                             const std::function<void()>& operation) {
    std::vector<double> seconds;
    for (int i = 0; i < count; ++i) {
      before();
      const auto from = std::chrono::steady_clock::now();
      operation();
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
    }
    return seconds;
  }
};

#endif

}  // namespace loops::bench
