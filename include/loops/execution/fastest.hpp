// SPDX-License-Identifier: Apache-2.0
/// Finds the fastest of several ways to do the same by trying them.
#pragma once

#include "loops/core/error.hpp"
#include "loops/core/median.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace loops {

/// How ways are compared.
struct trial {
  int rounds = 7;                ///< samples of each way that stays in the running
  double close = 1.25;           ///< times the fastest: what is slower at first is out of it
  double sample_seconds = 2e-4;  ///< of runs behind each other in a sample, if that many make it
  int most_runs = 32;            ///< in a sample
  bool cold = true;              ///< whether samples begin with empty caches, on a GPU
};

/// The place of the fastest of several ways, and the median seconds of each; of one that was out of
/// the running at the first look, those of that look.
struct fastest_of_trial {
  std::size_t place = 0;
  std::vector<double> seconds;
};

/// Runs `run(0, i)` … `run(count - 1, i)`, which enqueue work on the executor, in turns, so that
/// the drift of clocks and temperatures hits all alike. Runs of a sample are behind each other,
/// with i = 0, 1, …, so that each can have operands of its own. Of equals the first is the fastest.
/// Waits, allocates. Throws: invalid_argument when there is nothing to run, or `how` means nothing;
/// what `run` throws.
template <class Exec, class Run>
fastest_of_trial fastest(const Exec& exec, std::size_t count, const Run& run, trial how = {}) {
  require(count > 0, errc::invalid_argument,
          "there is nothing to run: the fastest of none is none");
  require(how.rounds > 0 && how.most_runs > 0, errc::invalid_argument,
          "a trial has at least one round of one run");
  require(how.close >= 1, errc::invalid_argument,
          "a trial keeps what is as fast as the fastest: `close` is 1 or more");
  require(how.sample_seconds >= 0, errc::invalid_argument,
          "a trial's samples cannot take a negative time, or none that is a number");
  constexpr int calls_in_a_flush = 4;  // that the host certainly makes meanwhile
  cache_flush<Exec> flush(exec, how.cold ? 2 * cache_bytes(exec) : 0);
  stopwatch<Exec> clock(exec);
  const auto take = [&](std::size_t which, int runs) {
    // All runs are to be in the queue before the first begins: how long the host takes to call
    // them is not what is compared.
    const auto fill = [&] {
      for (int i = 0; i < runs; i += calls_in_a_flush) flush();
    };
    const std::vector<double> s = clock.sample(1, sample_when::queued, fill, [&] {
      for (int i = 0; i < runs; ++i) run(which, i);
    });
    return s.front() / runs;
  };

  fastest_of_trial out;
  for (std::size_t i = 0; i < count; ++i) {
    run(i, 0);  // What happens once only, such as loading a kernel, counts for nobody.
    out.seconds.push_back(take(i, 1));
  }
  const double quickest = *std::min_element(out.seconds.begin(), out.seconds.end());
  std::vector<std::size_t> running;
  for (std::size_t i = 0; i < count; ++i)
    if (out.seconds[i] <= how.close * quickest) running.push_back(i);
  out.place = running.front();
  if (running.size() == 1) return out;

  constexpr double tick = 1e-9;  // that a clock may not tell from nothing
  const int runs = static_cast<int>(
      std::clamp(how.sample_seconds / std::max(quickest, tick), 1.0, double(how.most_runs)));
  std::vector<std::vector<double>> samples(running.size());
  for (int round = 0; round < how.rounds; ++round)
    for (std::size_t i = 0; i < running.size(); ++i) samples[i].push_back(take(running[i], runs));
  for (std::size_t i = 0; i < running.size(); ++i) {
    out.seconds[running[i]] = median(std::move(samples[i]));
    if (out.seconds[running[i]] < out.seconds[out.place]) out.place = running[i];
  }
  return out;
}

}  // namespace loops
