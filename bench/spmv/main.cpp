// SPDX-License-Identifier: Apache-2.0
/// Times SpMV: every schedule of the library and what other libraries offer, on many matrices.
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/statistics.hpp"
#include "loops/execution/bandwidth.hpp"
#include "loops/execution/cache_flush.hpp"
#include "loops/execution/stopwatch.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/work/segments.hpp"
#include "support/empty_kernel.hpp"
#include "support/machine.hpp"
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/replay.hpp"
#include "support/statistics.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spmv/contenders.hpp"
#include "spmv/plug_ins.hpp"

namespace loops::bench {

namespace {

template <class V>
constexpr const char* type_name = sizeof(V) == 4 ? "f32" : "f64";

/// A copy of host data as elements of another type in the executor's memory.
template <class V, class T>
array<V> converted(const array<T>& from, const executor& exec) {
  if constexpr (std::is_same_v<V, T>) {
    return from.to(exec.memory());
  } else {
    return array<V>(std::vector<V>(from.begin(), from.end()), exec.memory());
  }
}

/// Bytes that y = A x has to move at least: A once, y once, and x once where a nonzero can reach
/// it.
template <class V>
double least_bytes(const csr<V>& a) {
  const double nonzeros = static_cast<double>(a.nonzeros());
  return nonzeros * (sizeof(V) + 4) + (a.rows + 1.0) * 4 + a.rows * double(sizeof(V)) +
         std::min(double(a.cols), nonzeros) * sizeof(V);
}

/// What a sample is made of.
struct sampling {
  int in_a_row = 1;     ///< products per sample
  bool replay = false;  ///< by launching a graph of them
};

/// What all benchmarks of a run share: the machine, and the matrix at hand.
class session {
 public:
  session(const options& settings, const sampling& how)
      : settings_(settings),
        how_(how),
        clock_(exec_),
        flush_(exec_, settings.flush_bytes ? settings.flush_bytes : 2 * cache_bytes(exec_)),
        copy_rate_(copy_bandwidth(exec_, clock_, copy_bytes)),
        read_rate_(read_bandwidth(exec_, clock_, copy_bytes)) {}

  [[nodiscard]] const executor& exec() const { return exec_; }
  [[nodiscard]] double copy_rate() const { return copy_rate_; }
  [[nodiscard]] double read_rate() const { return read_rate_; }
  [[nodiscard]] std::size_t flush_bytes() const { return flush_.bytes(); }
  [[nodiscard]] int failures() const { return failures_; }

  /// One benchmark: checks the product once, then reports the median of its samples.
  template <class V>
  void run(benchmark::State& state, const matrix_source& source, const contender<V>& c) {
    try {
      problem<V>& p = have<V>(source);
      std::function<void()> multiply = c.prepare(p);
      if (!c.once) plan_seconds_ = planning(p, c, multiply);
      const std::function<void()> several = sampled(c, multiply);
      p.y.fill(0xff);
      several();
      exec_.synchronize();
      if (c.multiplies) check(p.y.to_vector());
      settle(multiply);
      double& best = best_[c.once];
      const std::vector<double> seconds =
          settings_.samples.take(best, [&](int count) { return sample(count, c, several); });
      const summary s = summarise(seconds);
      if (c.multiplies && (best == 0 || s.median < best)) best = s.median;
      for (auto _ : state) state.SetIterationTime(s.median);
      report(state, p, c, s, seconds.size());
    } catch (const error& e) {
      // What refuses a matrix has not failed on it.
      failures_ += e.code() != errc::unsupported;
      state.SkipWithError(e.what());
    } catch (const std::exception& e) {
      ++failures_;
      state.SkipWithError(e.what());
    }
  }

 private:
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
  /// Seconds to prepare anew; `multiply` is left prepared.
  template <class V>
  double planning(problem<V>& p, const contender<V>& c, std::function<void()>& multiply) const {
    return seconds_of([&] { multiply = c.prepare(p); });
  }

#if LOOPS_CUDA || LOOPS_HIP
  static constexpr std::size_t copy_bytes = std::size_t{1} << 30;
#else
  static constexpr std::size_t copy_bytes = std::size_t{1} << 28;
#endif

  template <class V>
  std::optional<problem<V>>& slot() {
    if constexpr (sizeof(V) == 4) {
      return single_;
    } else {
      return double_;
    }
  }

  /// The matrix in the executor's memory; benchmarks come matrix by matrix and type by type.
  template <class V>
  problem<V>& have(const matrix_source& source) {
    if (source.text != at_hand_) {
      single_.reset();
      double_.reset();
      host_ = {};
      at_hand_.clear();
      host_ = load(source);
      at_hand_ = source.text;
    }
    auto& here = slot<V>();
    if (!here) {
      single_.reset();
      double_.reset();
      best_[0] = best_[1] = 0;
      here.emplace(problem<V>{
          exec_,
          {host_.a.rows, host_.a.cols, converted<std::int32_t>(host_.a.offsets, exec_),
           converted<std::int32_t>(host_.a.indices, exec_), converted<V>(host_.a.values, exec_)},
          converted<V>(host_.x, exec_),
          array<V>(static_cast<std::size_t>(host_.a.rows), exec_.memory())});
      const segments<std::int32_t> rows(here->a.offsets.data(), here->a.rows,
                                        static_cast<std::int32_t>(here->a.nonzeros()));
      const columns_in columns{here->a.indices.data()};
      const select::facts known =
          schedule::facts_of(rows.tiles(), rows.atoms(), sizeof(V), 1,
                             exec_.template describe<shape_for<sizeof(V)>>());
      const auto gather = [&] { (void)look_at(exec_, rows, columns, known); };
      gather();
      gather_seconds_ = seconds_of(gather);
    }
    return *here;
  }

  /// What enqueues the products of a sample. The first run of what will be captured has loaded its
  /// code.
  template <class V>
  std::function<void()> sampled(const contender<V>& c,
                                const std::function<void()>& multiply) const {
    const auto several = [multiply, n = how_.in_a_row] {
      for (int i = 0; i < n; ++i) multiply();
    };
    if (!how_.replay || c.once) return several;
    multiply();
    return replayed(exec_, several);
  }

  /// Seconds per product, for each of `count` samples.
  template <class V>
  std::vector<double> sample(int count, const contender<V>& c,
                             const std::function<void()>& several) {
    std::vector<double> seconds = clock_.sample(
        count, c.once ? sample_when::idle : sample_when::queued, [this] { flush_(); }, several);
    for (double& s : seconds) s /= how_.in_a_row;
    return seconds;
  }

  /// Runs without timing, on the host, until the threads of whoever came before have gone to sleep
  /// and one's own are awake.
  void settle(const std::function<void()>& multiply) const {
#if !LOOPS_CUDA && !LOOPS_HIP
    const double enough = seconds_now() + 0.01;
    while (seconds_now() < enough) multiply();
#else
    (void)multiply;
#endif
  }

  /// Sums are exact, so every row must be, bit for bit.
  template <class V>
  void check(const std::vector<V>& y) const {
    for (std::size_t r = 0; r < y.size(); ++r) {
      if (static_cast<double>(y[r]) == host_.y[r]) continue;
      std::ostringstream message;
      message << "wrong: y[" << r << "] is " << y[r] << ", not " << host_.y[r];
      throw error(errc::device, message.str());
    }
  }

  template <class V>
  void report(benchmark::State& state, const problem<V>& p, const contender<V>& c, const summary& s,
              std::size_t samples) const {
    const double bytes = least_bytes(p.a);
    auto& out = state.counters;
    out["rows"] = static_cast<double>(p.a.rows);
    out["columns"] = static_cast<double>(p.a.cols);
    out["nonzeros"] = static_cast<double>(p.a.nonzeros());
    out["longest_row"] = static_cast<double>(host_.seen.longest);
    out["empty_rows"] = static_cast<double>(host_.seen.empty);
    out["crowded"] = static_cast<double>(host_.seen.crowded);
    out["padded"] = static_cast<double>(host_.seen.padded);
    out["sampled"] = static_cast<double>(host_.seen.sampled);
    out["strewn"] = static_cast<double>(host_.seen.strewn);
    out["gather_us"] = 1e6 * gather_seconds_;
    if (!c.once) out["plan_us"] = 1e6 * plan_seconds_;
    out["bytes"] = bytes;
    out["gb_per_s"] = 1e-9 * bytes / s.median;
    out["of_copy"] = bytes / s.median / copy_rate_;
    out["samples"] = static_cast<double>(samples);
    out["least_us"] = 1e6 * s.least;
    out["lower_quartile_us"] = 1e6 * s.lower_quartile;
    out["upper_quartile_us"] = 1e6 * s.upper_quartile;
  }

  const options& settings_;
  sampling how_;
  executor exec_ = default_executor();
  stopwatch<executor> clock_;
  cache_flush<executor> flush_;
  double copy_rate_;
  double read_rate_;
  std::string at_hand_;
  exact_problem host_;
  std::optional<problem<float>> single_;
  std::optional<problem<double>> double_;
  double best_[2] = {0, 0};    ///< of the matrix and type at hand: planned, unplanned
  double gather_seconds_ = 0;  ///< of the statistics of the matrix at hand
  double plan_seconds_ = 0;    ///< of the contender at hand
  int failures_ = 0;
};

/// What is timed beside products and computes nothing: on a GPU a kernel that does nothing.
template <class V>
std::vector<contender<V>> yardsticks() {
#if LOOPS_CUDA || LOOPS_HIP
  const auto empty = [](problem<V>& p) -> std::function<void()> {
    return [&p] { launch_empty(p.exec); };
  };
  return {{"empty_kernel", false, empty, false}};
#else
  return {};
#endif
}

template <class V>
void add(session& s, const options& settings, const std::vector<plug_in>& plug_ins,
         const matrix_source& source) {
  std::vector<contender<V>> all = yardsticks<V>();
  for (contender<V>& c : peers<V>()) all.push_back(std::move(c));
  for (const plug_in& from_outside : plug_ins)
    for (contender<V>& c : from_outside.contenders<V>()) all.push_back(std::move(c));
  for (contender<V>& c : schedules<V>()) all.push_back(std::move(c));
  for (contender<V>& c : all) {
    if (c.once && !settings.once) continue;
    const std::string name = "spmv/" + source.name + "/" + type_name<V> + "/" + c.name;
    benchmark::RegisterBenchmark(
        name.c_str(), [&s, source, c](benchmark::State& state) { s.run(state, source, c); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

void print_usage() {
  std::cout
      << "bench_spmv [options] [--] [matrix ...]\n"
      << "  --in-a-row=N      a sample is N products, the first with cold caches, and their "
         "mean (1)\n"
      << "  --replay          a sample is captured in a graph, and the graph is launched; what "
         "makes\n"
         "                    its plan inside the time is not\n"
      << "  --peer=FILE.so    also time what this library offers by "
         "bench/spmv/peers/plug_in.hpp;\n"
         "                    may be repeated\n"
      << shared_usage << "; names are spmv/MATRIX/TYPE/SCHEDULE\n";
}

std::string joined(int argc, char** argv) {
  std::string out;
  for (int i = 0; i < argc; ++i) {
    if (i > 0) out += ' ';
    out += argv[i];
  }
  return out;
}

int run(int argc, char** argv) {
  const std::string command = joined(argc, argv);
  benchmark::Initialize(&argc, argv, print_usage);
  sampling how;
  std::vector<plug_in> plug_ins;
  const options settings = parse(argc, argv, [&](std::string_view name, std::string_view value) {
    if (name == "--peer") {
      plug_ins.emplace_back(std::string(value));
    } else if (name == "--in-a-row") {
      how.in_a_row = static_cast<int>(positive(name, value));
    } else if (name == "--replay") {
      how.replay = true;
    } else {
      return false;
    }
    return true;
  });
  const std::vector<matrix_source> sources =
      settings.matrices.empty() ? default_matrices() : find_matrices(settings.matrices);
  session s(settings, how);
  for (const auto& [name, value] : describe_machine(s.exec(), settings.commit))
    benchmark::AddCustomContext(name, value);
  benchmark::AddCustomContext("copy_gb_per_s", std::to_string(1e-9 * s.copy_rate()));
  benchmark::AddCustomContext("read_gb_per_s", std::to_string(1e-9 * s.read_rate()));
  benchmark::AddCustomContext("flush_bytes", std::to_string(s.flush_bytes()));
  benchmark::AddCustomContext("command", command);
  for (const matrix_source& source : sources) {
    if (settings.f32) add<float>(s, settings, plug_ins, source);
    if (settings.f64) add<double>(s, settings, plug_ins, source);
  }
  benchmark::RunSpecifiedBenchmarks();
  // Registered benchmarks refer to the session.
  benchmark::Shutdown();
  if (s.failures() != 0) std::cerr << s.failures() << " benchmarks failed\n";
  return s.failures() == 0 ? 0 : 1;
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  try {
    return loops::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "bench_spmv: " << e.what() << '\n';
    return 2;
  }
}
