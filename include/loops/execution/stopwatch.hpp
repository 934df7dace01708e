// SPDX-License-Identifier: Apache-2.0
/// Times what an executor does: by its device's own clock where it has one.
#pragma once

#include "loops/backend/config.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

#if LOOPS_CUDA || LOOPS_HIP
#include "loops/execution/gpu.hpp"
#endif

namespace loops {

/// When a sample may start.
enum class sample_when {
  queued,  ///< behind what is queued: the processor's time alone, launches are hidden
  idle,    ///< on an idle machine: what the host does in between counts as well
};

/// Seconds since some moment, by the steady clock.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times runs on an executor whose launches return when the work is done, by the steady clock.
template <class Exec>
class stopwatch {
 public:
  explicit stopwatch(const Exec&) {}

  /// Seconds that each of `count` runs took, with `before()` untimed in front of each. Waits.
  template <class Before, class Run>
  std::vector<double> sample(int count, sample_when, const Before& before, const Run& run) {
    std::vector<double> seconds;
    for (int i = 0; i < count; ++i) {
      before();
      const double begin = seconds_now();
      run();
      seconds.push_back(seconds_now() - begin);
    }
    return seconds;
  }
};

#if LOOPS_CUDA || LOOPS_HIP

/// Times runs on one stream, by pairs of events, which are kept from call to call.
template <>
class stopwatch<gpu_executor> {
 public:
  explicit stopwatch(const gpu_executor& exec) : exec_(exec) {}
  ~stopwatch() {
    for (const auto e : events_) gpu::destroy(e);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  template <class Before, class Run>
  std::vector<double> sample(int count, sample_when when, const Before& before, const Run& run) {
    const gpu::on_device here(exec_.device());
    while (events_.size() < 2 * static_cast<std::size_t>(count))
      events_.push_back(gpu::create_event());
    for (int i = 0; i < count; ++i) {
      const auto* pair = &events_[2 * static_cast<std::size_t>(i)];
      before();
      if (when == sample_when::idle) exec_.synchronize();
      gpu::record(pair[0], exec_.stream());
      run();
      gpu::record(pair[1], exec_.stream());
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
  gpu_executor exec_;
  std::vector<gpu::event_t> events_;
};

#endif

}  // namespace loops
