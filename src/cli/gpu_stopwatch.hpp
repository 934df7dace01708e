// SPDX-License-Identifier: Apache-2.0
/// Times repeated runs by a GPU's own clock, with its cache evicted before each. GPU compilers
/// only.
#pragma once

#include "loops/execution/gpu.hpp"

#include <vector>

#include "cli/stopwatch.hpp"

namespace loops::cli {

/// Two events around each run. The fill that evicts the cache also gives the CPU time to enqueue
/// the run before the GPU gets there, so that launch latency is not measured.
template <>
class stopwatch<gpu_executor> {
 public:
  static constexpr bool has_cold_runs = true;
  explicit stopwatch(const gpu_executor& exec) : exec_(exec) {}
  template <class Run>
  std::vector<double> time(const Run& run, int repeat, bool cold) {
    const std::size_t bytes = 4 * exec_.facts().cache_bytes + (std::size_t{32} << 20);
    array<char> evictor(cold ? bytes : 0, exec_.memory());
    std::vector<event> begin(static_cast<std::size_t>(repeat));
    std::vector<event> end(static_cast<std::size_t>(repeat));
    for (std::size_t i = 0; i < begin.size(); ++i) {
      evictor.fill(static_cast<int>(i & 1));
      gpu::record(begin[i].get(), exec_.stream());
      run();
      gpu::record(end[i].get(), exec_.stream());
    }
    exec_.synchronize();
    std::vector<double> seconds;
    for (std::size_t i = 0; i < begin.size(); ++i)
      seconds.push_back(1e-3 * static_cast<double>(gpu::elapsed(begin[i].get(), end[i].get())));
    return seconds;
  }

 private:
  class event {
   public:
    event() : event_(gpu::create_event()) {}
    ~event() { gpu::destroy(event_); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    [[nodiscard]] gpu::event_t get() const { return event_; }

   private:
    gpu::event_t event_;
  };

  gpu_executor exec_;
};

}  // namespace loops::cli
