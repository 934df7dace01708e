// SPDX-License-Identifier: Apache-2.0
/// Times SpMV under every schedule of the library. The best one depends on the matrix.
///
///   example_compare [SPEC]      for example "banded:rows=1M", "rmat:scale=20"
#include <algorithm>
#include <algorithms/spmv/spmv.hpp>
#include <chrono>
#include <cstdio>
#include <loops/io/generate.hpp>
#include <loops/loops.hpp>
#include <string>
#include <vector>

/// The best of ten timings, each of ten calls, in microseconds per call.
template <class Step>
double best_time(const loops::executor& exec, const Step& step) {
  double best = 1e300;
  for (int sample = 0; sample < 10; ++sample) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i) step();
    exec.synchronize();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / 10);
  }
  return best;
}

int main(int argc, char** argv) try {
  const std::string spec = argc > 1 ? argv[1] : "power_law:rows=20000,nonzeros=280000";
  const loops::executor exec = loops::default_executor();
  const auto a = loops::generate<float>(spec).to(exec.memory());
  const loops::array<float> x(std::vector<float>(static_cast<std::size_t>(a.cols), 1),
                              exec.memory());
  loops::array<float> y(static_cast<std::size_t>(a.rows), exec.memory());

  std::vector<std::pair<double, std::string>> report;
  for (const auto& [name, any] : loops::all_schedules()) {
    const double time = std::visit(
        [&](const auto& schedule) {
          const auto plan = loops::plan_spmv(exec, schedule, a.view());
          return best_time(exec, [&] { plan(x, y); });
        },
        any);
    report.emplace_back(time, name);
  }

  std::sort(report.begin(), report.end());
  std::printf("%s: %d x %d, %d nonzeros\n", spec.c_str(), a.rows, a.cols, a.nonzeros());
  for (const auto& [time, name] : report) std::printf("%10.1f us  %s\n", time, name.c_str());
  return 0;
} catch (const loops::error& e) {
  std::fprintf(stderr, "%s\n", e.message().c_str());
  return 1;
}
