// SPDX-License-Identifier: Apache-2.0
/// What is told of a set of samples, and how many samples a time budget buys.
#pragma once

#include "loops/backend/config.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loops::bench {

/// Order statistics of samples, in their unit.
struct summary {
  double median = 0;
  double least = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
};

/// Quantile q of ascending values, linear between neighbours.
inline double quantile(const std::vector<double>& ascending, double q) {
  const double at = q * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] +
         (at - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

/// Requires at least one sample.
inline summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.5), samples.front(), quantile(samples, 0.25),
          quantile(samples, 0.75)};
}

/// How many samples to take.
struct effort {
  int least = 15;
  int most = LOOPS_CUDA || LOOPS_HIP ? 41 : 1000;  ///< a CPU's clock and caches wander
  double seconds = 0.03;  ///< what the samples of one benchmark should take in all
  double hopeless = 20;   ///< what is this many times slower than the best is not sampled on

  /// For something that took `first` seconds when `best` is the best of its rivals so far (0:
  /// none).
  [[nodiscard]] int samples(double first, double best) const {
    if (best > 0 && first > hopeless * best) return 1;
    const double wanted = seconds / std::max(first, 1e-9);
    return static_cast<int>(std::clamp(wanted, double(least), double(most)));
  }

  /// Takes them by `sample(count)`. What seems hopeless gets a second and a third look: one sample
  /// may have met a neighbour of a virtual machine.
  template <class Sample>
  [[nodiscard]] std::vector<double> take(double best, const Sample& sample) const {
    std::vector<double> taken = sample(1);
    for (int look = 1; look < 3 && samples(taken.front(), best) == 1; ++look)
      taken[0] = std::min(taken[0], sample(1).front());
    const int wanted = samples(taken.front(), best);
    return wanted > 1 ? sample(wanted) : taken;
  }
};

}  // namespace loops::bench
