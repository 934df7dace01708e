// SPDX-License-Identifier: Apache-2.0
/// Times graph algorithms: schedules of the library and other libraries, on many graphs.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/contenders.hpp"
#include "graph/oracle.hpp"

namespace loops::bench {

namespace {

/// The graph at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  void run(benchmark::State& state, const matrix_source& source, question q, const contender& c) {
    if (source.text != matrix_) {
      host_ = undirected(exact_matrix(source));
      there_ = std::make_unique<csr<float>>(host_.to(session_.exec().memory()));
      source_ = busiest(host_);
      matrix_ = source.text;
      known_.clear();
    }
    if (known_.empty() || asked_ != q) {
      known_ = right_answer(q, host_, source_);
      asked_ = q;
      session_.new_problem();
    }
    const problem p{session_.exec(), *there_, source_};
    attempt one;
    session_.run(state, {false,
                         [&] {
                           one = c.prepare(p);
                           return one.run;
                         },
                         [&] { check_answer(q, known_, one.answer()); },
                         4.0 * (double(host_.nonzeros()) + host_.rows + 1)});
    state.counters["vertices"] = static_cast<double>(host_.rows);
    state.counters["edges"] = static_cast<double>(host_.nonzeros());
  }

 private:
  session& session_;
  std::string matrix_;
  question asked_ = question::levels;
  csr<float> host_;
  std::unique_ptr<csr<float>> there_;
  std::int32_t source_ = 0;
  std::vector<double> known_;
};

void add(workbench& w, const matrix_source& source) {
  for (const question q : all_questions) {
    std::vector<contender> contenders = peers(q);
    for (contender& c : schedules(q)) contenders.push_back(std::move(c));
    for (const contender& c : contenders) {
      const std::string name =
          "graph/" + source.name + "/" + std::string(name_of(q)) + "/" + c.name;
      benchmark::RegisterBenchmark(
          name.c_str(), [&w, source, q, c](benchmark::State& state) { w.run(state, source, q, c); })
          ->Iterations(1)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

void print_usage() {
  std::cout << "bench_graph [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "graph/MATRIX/QUESTION/CONTENDER\n";
}

int run(int argc, char** argv) {
  const std::string command = joined(argc, argv);
  benchmark::Initialize(&argc, argv, print_usage);
  const options settings = parse(argc, argv);
  const std::vector<matrix_source> sources =
      settings.matrices.empty() ? find_matrices({"rmat:scale=16", "stencil5:nx=500,ny=500"})
                                : find_matrices(settings.matrices);
  session s(settings);
  s.describe(command);
  workbench w(s);
  for (const matrix_source& source : sources) add(w, source);
  benchmark::RunSpecifiedBenchmarks();
  // Registered benchmarks refer to the workbench.
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
    std::cerr << "bench_graph: " << e.what() << '\n';
    return 2;
  }
}
