// SPDX-License-Identifier: Apache-2.0
/// Times softmax over the rows of sparse matrices: schedules of the library, and what another
/// library's functions make of it.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "softmax/contenders.hpp"

namespace loops::bench {

namespace {

/// The mask at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  void run(benchmark::State& state, const matrix_source& source, const contender& c) {
    const executor& exec = session_.exec();
    matrix_.want(source.text, [&] {
      host_ = exact_matrix(source);
      there_ = std::make_unique<csr<float>>(host_.to(exec.memory()));
      p_ = std::make_unique<problem>(
          problem{exec, *there_, scale,
                  array<float>(static_cast<std::size_t>(host_.nonzeros()), exec.memory())});
      session_.new_problem();
    });
    const double nonzeros = host_.nonzeros();
    p_->weights.fill(0xff);
    session_.run(state, {false, [&] { return c.prepare(*p_); }, [&] { check(); },
                         nonzeros * 8 + (host_.rows + 1.0) * 4});
    state.counters["rows"] = host_.rows;
    state.counters["columns"] = host_.cols;
    state.counters["nonzeros"] = nonzeros;
  }

 private:
  static constexpr float scale = 4;  ///< scores lie within (-4, 4)

  /// A weight is a quotient of sums of n exponentials: n roundings of the sum, and a few of each
  /// exponential and of the quotient, all of them relative.
  void check() const {
    const std::vector<float> got = p_->weights.to_vector();
    constexpr double unit = 6e-8;
    for (std::int32_t r = 0; r < host_.rows; ++r) {
      const auto first = host_.offsets.data()[r];
      const auto last = host_.offsets.data()[r + 1];
      double largest = -1;
      for (auto a = first; a < last; ++a)
        largest = std::max(largest, double(host_.values.data()[a]));
      double sum = 0;
      for (auto a = first; a < last; ++a)
        sum += std::exp(scale * (double(host_.values.data()[a]) - largest));
      const double bound = unit * (last - first + 24.0);
      for (auto a = first; a < last; ++a) {
        const double wanted = std::exp(scale * (double(host_.values.data()[a]) - largest)) / sum;
        const double is = got[static_cast<std::size_t>(a)];
        if (!(std::abs(is - wanted) <= bound * wanted))
          throw error(errc::device, "wrong: weight " + std::to_string(a) + " is " +
                                        std::to_string(is) + ", not " + std::to_string(wanted));
      }
    }
  }

  session& session_;
  at_hand matrix_;
  csr<float> host_;
  std::unique_ptr<csr<float>> there_;
  std::unique_ptr<problem> p_;
};

void print_usage() {
  std::cout << "bench_softmax [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "softmax/MATRIX/CONTENDER\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  return run_program<workbench>(
      argc, argv, {"bench_softmax", print_usage},
      [](workbench& w, const options& settings, const matrix_source& source) {
        add_contenders(
            settings.rounds, "softmax/" + source.name, peers(), schedules(),
            [&w, source](benchmark::State& s, const contender& c) { w.run(s, source, c); });
      });
}
