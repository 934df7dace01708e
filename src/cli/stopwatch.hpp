// SPDX-License-Identifier: Apache-2.0
/// Times repeated runs, each with cold caches where the machine can empty them.
#pragma once

#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"

#include <vector>

namespace loops::cli {

/// Seconds per run. Emptying the caches also gives the CPU time to enqueue the run before the GPU
/// gets there, so that launch latency is not measured.
template <class Exec, class Run>
std::vector<double> time_runs(const Exec& exec, const Run& run, int repeat, bool cold) {
  cache_flush<Exec> flush(exec, cold ? 2 * cache_bytes(exec) : 0);
  return stopwatch<Exec>(exec).sample(
      repeat, sample_when::queued, [&] { flush(); }, run);
}

}  // namespace loops::cli
