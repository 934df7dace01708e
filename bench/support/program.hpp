// SPDX-License-Identifier: Apache-2.0
/// The main program of a benchmark that times contenders matrix by matrix.
#pragma once

#include "loops/core/error.hpp"
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace loops::bench {

/// What results call a type of values.
template <class V>
inline constexpr const char* type_name = sizeof(V) == 4   ? "f32"
                                         : sizeof(V) == 8 ? "f64"
                                                          : "f16";

/// Benchmarks of this program that have failed.
inline int failures = 0;

/// Runs a benchmark: what it throws, be it that the matrix cannot be read, ends this one alone.
/// What a peer says it does not support is skipped; every other error counts as a failure.
template <class Run>
void guarded(benchmark::State& state, const Run& run) {
  try {
    run();
  } catch (const error& refused) {
    if (refused.code() != errc::unsupported) ++failures;
    state.SkipWithError(refused.what());
  } catch (const std::exception& failed) {
    ++failures;
    state.SkipWithError(failed.what());
  }
}

/// What benchmarks that follow each other share, by its name.
class at_hand {
 public:
  /// Calls `make()`, unless it made what has this name last. Where it throws, nothing is at hand.
  template <class Make>
  void want(const std::string& name, const Make& make) {
    if (name == name_) return;
    name_.clear();
    make();
    name_ = name;
  }

 private:
  std::string name_;
};

/// Registers a benchmark PREFIX/NAME for each peer, then for each schedule; as many times as there
/// are rounds, in an order that each later round draws anew, so that nobody always comes after the
/// same neighbour. It calls `run(state, contender)`, once.
template <class Contender, class Run>
void add_contenders(int rounds, const std::string& prefix, std::vector<Contender> contenders,
                    std::vector<Contender> schedules, const Run& run) {
  std::move(schedules.begin(), schedules.end(), std::back_inserter(contenders));
  std::minstd_rand draw;
  for (int round = 0; round < rounds; ++round) {
    for (const Contender& c : contenders)
      benchmark::RegisterBenchmark(
          (prefix + "/" + c.name).c_str(),
          [run, c](benchmark::State& state) { guarded(state, [&] { run(state, c); }); })
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    std::shuffle(contenders.begin(), contenders.end(), draw);
  }
}

/// What distinguishes one program from the others.
struct program {
  const char* name;
  void (*print_usage)();
  std::vector<std::string> matrices{};  ///< when none are named; empty: the default ones
  extra_option extra{};                 ///< options that only this program has
};

/// Reads the command line, runs what `add(workbench, settings, source)` registers for each matrix
/// in a `Workbench` on a session, and returns what `main` does: 1 when a contender failed, 2 when
/// nothing could be measured.
template <class Workbench, class Add>
int run_program(int argc, char** argv, const program& which, const Add& add) {
  try {
    const std::string command = joined(argc, argv);
    benchmark::Initialize(&argc, argv, which.print_usage);
    const options settings = parse(argc, argv, which.extra);
    const auto& wanted = settings.matrices.empty() ? which.matrices : settings.matrices;
    const std::vector<matrix_source> sources =
        wanted.empty() ? default_matrices() : find_matrices(wanted);
    session s(settings);
    s.describe(command);
    Workbench w(s);
    for (const matrix_source& source : sources) add(w, settings, source);
    const std::size_t matched = benchmark::RunSpecifiedBenchmarks();
    // Registered benchmarks refer to the workbench.
    benchmark::Shutdown();
    require(matched > 0, errc::invalid_argument,
            "nothing was measured: no benchmark of these types has a name that "
            "--benchmark_filter matches; --benchmark_list_tests lists the names");
    if (failures != 0) std::cerr << failures << " benchmarks failed\n";
    return failures == 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << which.name << ": " << e.what() << '\n';
    return 2;
  }
}

}  // namespace loops::bench
