// SPDX-License-Identifier: Apache-2.0
/// What all benchmarks of a run share: the machine, how samples are taken, what is told of them.
#pragma once

#include "loops/execution/bandwidth.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"
#include "loops/format/formats.hpp"
#include "support/machine.hpp"
#include "support/options.hpp"
#include "support/statistics.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace loops::bench {

/// A copy of host data as elements of another type in the executor's memory.
template <class V, class T>
array<V> converted(const array<T>& from, const executor& exec) {
  if constexpr (std::is_same_v<V, T>) {
    return from.to(exec.memory());
  } else {
    return array<V>(std::vector<V>(from.begin(), from.end()), exec.memory());
  }
}

/// The same of a matrix.
template <class V>
csr<V> converted(const csr<float>& a, const executor& exec) {
  return {a.rows, a.cols, converted<std::int32_t>(a.offsets, exec),
          converted<std::int32_t>(a.indices, exec), converted<V>(a.values, exec)};
}

/// Bytes that bandwidth is measured with.
inline constexpr std::size_t copy_bytes = std::size_t{1} << (LOOPS_CUDA || LOOPS_HIP ? 30 : 28);

/// Runs contenders on one executor, one after another.
class session {
 public:
  /// What one contender does: `prepare` returns what enqueues one product, `check` throws when the
  /// product was wrong, `bytes` have to move at least.
  struct entry {
    bool once = false;  ///< every call prepares anew: samples start on an idle machine
    std::function<std::function<void()>()> prepare;
    std::function<void()> check;
    double bytes = 0;
    int products = 1;   ///< that `prepare`'s function enqueues, one after another
    bool rival = true;  ///< whether it may be the best that slow ones are held against
  };

  explicit session(const options& settings)
      : settings_(settings),
        clock_(exec_),
        flush_(exec_, settings.flush_bytes ? settings.flush_bytes : 2 * cache_bytes(exec_)),
        copy_rate_(copy_bandwidth(exec_, clock_, copy_bytes)) {}

  [[nodiscard]] const executor& exec() const { return exec_; }

  /// Median seconds that `f` takes on an idle machine; the caller has run it once.
  template <class F>
  double seconds_of(const F& f) const {
    std::vector<double> seconds;
    for (int i = 0; i < 5; ++i) {
      exec_.synchronize();
      const double from = seconds_now();
      f();
      exec_.synchronize();
      seconds.push_back(seconds_now() - from);
    }
    return summarise(seconds).median;
  }

  /// Forgets the best of its rivals: what follows is another problem.
  void new_problem() { best_[0] = best_[1] = 0; }

  /// Says in the context of the JSON where the results come from.
  void describe(const std::string& command) const {
    for (const auto& [name, value] : describe_machine(exec_, settings_.commit))
      benchmark::AddCustomContext(name, value);
    benchmark::AddCustomContext("copy_gb_per_s", std::to_string(1e-9 * copy_rate_));
    benchmark::AddCustomContext("flush_bytes", std::to_string(flush_.bytes()));
    benchmark::AddCustomContext("command", command);
  }

  /// One benchmark: checks the product once, then reports the median of its samples. Throws: what
  /// the entry does.
  void run(benchmark::State& state, const entry& e) {
    const std::function<void()> multiply = e.prepare();
    multiply();
    exec_.synchronize();
    e.check();
    settle(multiply);
    double& best = best_[e.once];
    const std::vector<double> seconds =
        settings_.samples.take(best, [&](int count) { return sample(count, e, multiply); });
    const summary s = summarise(seconds);
    if (e.rival && (best == 0 || s.median < best)) best = s.median;
    for (auto _ : state) state.SetIterationTime(s.median);
    auto& out = state.counters;
    out["bytes"] = e.bytes;
    out["gb_per_s"] = 1e-9 * e.bytes / s.median;
    out["of_copy"] = e.bytes / s.median / copy_rate_;
    out["samples"] = static_cast<double>(seconds.size());
    out["least_us"] = 1e6 * s.least;
    out["lower_quartile_us"] = 1e6 * s.lower_quartile;
    out["upper_quartile_us"] = 1e6 * s.upper_quartile;
  }

 private:
  /// Seconds per product, for each of `count` samples.
  std::vector<double> sample(int count, const entry& e, const std::function<void()>& multiply) {
    std::vector<double> seconds = clock_.sample(
        count, e.once ? sample_when::idle : sample_when::queued, [this] { flush_(); }, multiply);
    for (double& s : seconds) s /= e.products;
    return seconds;
  }

  /// Runs without timing, on the host, until the threads of whoever came before have gone to sleep
  /// and one's own are awake.
  void settle([[maybe_unused]] const std::function<void()>& multiply) const {
#if !LOOPS_CUDA && !LOOPS_HIP
    const double enough = seconds_now() + 0.01;
    while (seconds_now() < enough) multiply();
#endif
  }

  const options& settings_;
  executor exec_ = default_executor();
  stopwatch<executor> clock_;
  cache_flush<executor> flush_;
  double copy_rate_;
  double best_[2] = {0, 0};  ///< of the problem at hand: prepared, not prepared
};

/// The words of a command line.
inline std::string joined(int argc, char** argv) {
  std::string out;
  for (int i = 0; i < argc; ++i) {
    if (i > 0) out += ' ';
    out += argv[i];
  }
  return out;
}

}  // namespace loops::bench
