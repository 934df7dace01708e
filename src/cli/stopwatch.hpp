// SPDX-License-Identifier: Apache-2.0
/// Times repeated runs on an executor that returns when the work is done.
#pragma once

#include <chrono>
#include <vector>

namespace loops::cli {

/// Seconds since some moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times runs by the CPU's clock. GPUs have a specialization of their own.
template <class Exec>
class stopwatch {
 public:
  static constexpr bool has_cold_runs = false;
  explicit stopwatch(const Exec&) {}
  template <class Run>
  std::vector<double> time(const Run& run, int repeat, bool) {
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i) {
      const double begin = now();
      run();
      seconds.push_back(now() - begin);
    }
    return seconds;
  }
};

}  // namespace loops::cli
