// SPDX-License-Identifier: Apache-2.0
/// Times y = A^T x: schedules of the library and what other libraries offer, on many matrices.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "spmv_transposed/contenders.hpp"

namespace loops::bench {

namespace {

/// The matrix and the type at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  template <class V>
  void run(benchmark::State& state, const matrix_source& source, const contender<V>& c) {
    static std::unique_ptr<problem<V>> p;
    const std::string key = source.text + "/" + type_name<V>;
    problem_.want(key, [&] {
      if (release_) release_();
      matrix_.want(source.text, [&] { read(source); });
      const executor& exec = session_.exec();
      p = std::make_unique<problem<V>>(
          problem<V>{exec, converted<V>(a_, exec), converted<V>(x_, exec),
                     array<V>(static_cast<std::size_t>(a_.cols), exec.memory())});
      release_ = [] { p.reset(); };
      session_.new_problem();
    });
    p->y.fill(0xff);
    const double nonzeros = static_cast<double>(a_.nonzeros());
    session_.run(state, {false, [&] { return c.prepare(*p); }, [&] { check(p->y.to_vector()); },
                         nonzeros * (sizeof(V) + 4) + (a_.rows + 1.0) * 4 +
                             (a_.rows + double(a_.cols)) * sizeof(V)});
    state.counters["rows"] = a_.rows;
    state.counters["columns"] = a_.cols;
    state.counters["nonzeros"] = nonzeros;
  }
  ~workbench() {
    if (release_) release_();
  }

 private:
  void read(const matrix_source& source) {
    a_ = exact_matrix(source);
    x_ = array<float>(static_cast<std::size_t>(a_.rows));
    known_.assign(static_cast<std::size_t>(a_.cols), 0.0);
    for (std::int32_t r = 0; r < a_.rows; ++r) {
      const float x = exact_value(static_cast<std::uint64_t>(r) + (std::uint64_t{1} << 40));
      x_.data()[r] = x;
      for (auto k = a_.offsets.data()[r]; k < a_.offsets.data()[r + 1]; ++k)
        known_[static_cast<std::size_t>(a_.indices.data()[k])] +=
            double(a_.values.data()[k]) * double(x);
    }
  }
  /// Sums are exact, so every element must be, bit for bit.
  template <class V>
  void check(const std::vector<V>& y) const {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (double(y[i]) != known_[i])
        throw error(errc::device, "wrong: y[" + std::to_string(i) + "] is " + std::to_string(y[i]) +
                                      ", not " + std::to_string(known_[i]));
  }

  session& session_;
  at_hand problem_;
  at_hand matrix_;
  csr<float> a_;
  array<float> x_;
  std::vector<double> known_;
  std::function<void()> release_;
};

template <class V>
void add(workbench& w, int rounds, const matrix_source& source) {
  add_contenders(
      rounds, "spmv_transposed/" + source.name + "/" + type_name<V>, peers<V>(), schedules<V>(),
      [&w, source](benchmark::State& state, const contender<V>& c) { w.run(state, source, c); });
}

void print_usage() {
  std::cout << "bench_spmv_transposed [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "spmv_transposed/MATRIX/TYPE/CONTENDER\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  return run_program<workbench>(
      argc, argv, {"bench_spmv_transposed", print_usage},
      [](workbench& w, const options& settings, const matrix_source& source) {
        if (settings.f32) add<float>(w, settings.rounds, source);
        if (settings.f64) add<double>(w, settings.rounds, source);
      });
}
