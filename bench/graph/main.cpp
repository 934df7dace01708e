// SPDX-License-Identifier: Apache-2.0
/// Times graph algorithms: schedules of the library and other libraries, on many graphs.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
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
    matrix_.want(source.text, [&] {
      host_ = undirected(exact_matrix(source));
      there_ = std::make_unique<csr<float>>(host_.to(session_.exec().memory()));
      source_ = busiest(host_);
      known_.clear();
    });
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
  at_hand matrix_;
  question asked_ = question::levels;
  csr<float> host_;
  std::unique_ptr<csr<float>> there_;
  std::int32_t source_ = 0;
  std::vector<double> known_;
};

void add(workbench& w, int rounds, const matrix_source& source) {
  for (const question q : all_questions)
    add_contenders(rounds, "graph/" + source.name + "/" + std::string(name_of(q)), peers(q),
                   schedules(q), [&w, source, q](benchmark::State& state, const contender& c) {
                     w.run(state, source, q, c);
                   });
}

void print_usage() {
  std::cout << "bench_graph [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "graph/MATRIX/QUESTION/CONTENDER\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  return run_program<workbench>(
      argc, argv, {"bench_graph", print_usage, {"rmat:scale=16", "stencil5:nx=500,ny=500"}},
      [](workbench& w, const options& settings, const matrix_source& source) {
        add(w, settings.rounds, source);
      });
}
