// SPDX-License-Identifier: Apache-2.0
/// Times reductions, arg-max and scans over segments: schedules of the library and what other
/// libraries offer, on the rows of many matrices.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "segmented/contenders.hpp"

namespace loops::bench {

namespace {

/// The matrix, the type and the operation at hand; benchmarks come in that order. The values of a
/// matrix are what is computed with: multiples of 1/64 below 1, so sums are exact in any order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  template <class V>
  void run(benchmark::State& state, const matrix_source& source, operation o,
           const contender<V>& c) {
    static std::unique_ptr<problem<V>> p;
    const std::string type = source.text + "/" + type_name<V>;
    type_.want(type, [&] {
      if (release_) release_();
      matrix_.want(source.text, [&] { host_ = exact_matrix(source); });
      const executor& exec = session_.exec();
      const auto rows = static_cast<std::size_t>(host_.rows);
      const auto atoms = static_cast<std::size_t>(host_.nonzeros());
      offsets_ = converted<std::int32_t>(host_.offsets, exec);
      p = std::make_unique<problem<V>>(
          problem<V>{exec, segments<std::int32_t>(offsets_.data(), host_.rows, host_.nonzeros()),
                     converted<V>(host_.values, exec), array<V>(rows, exec.memory()),
                     array<std::int64_t>(rows, exec.memory()), array<V>(atoms, exec.memory())});
      release_ = [] { p.reset(); };
    });
    operation_.want(type + name_of(o), [&] { session_.new_problem(); });
    const double rows = host_.rows;
    const double atoms = host_.nonzeros();
    const double bytes = atoms * sizeof(V) + (rows + 1) * 4 +
                         (o == operation::sum       ? rows * sizeof(V)
                          : o == operation::arg_max ? rows * 8
                                                    : atoms * sizeof(V));
    p->sums.fill(0xff);
    p->places.fill(0xfe);
    p->scanned.fill(0xff);
    session_.run(state, {false, [&] { return c.prepare(*p); }, [&] { check(*p, o); }, bytes});
    state.counters["rows"] = rows;
    state.counters["columns"] = host_.cols;
    state.counters["nonzeros"] = atoms;
  }
  ~workbench() {
    if (release_) release_();
  }

 private:
  static void expect(bool right, operation o, const char* of, std::size_t i) {
    if (!right)
      throw error(errc::device,
                  std::string("wrong: the ") + name_of(o) + " of " + of + " " + std::to_string(i));
  }

  /// Every element, bit for bit.
  template <class V>
  void check(const problem<V>& p, operation o) const {
    const auto* const offsets = host_.offsets.data();
    const auto* const values = host_.values.data();
    const auto rows = static_cast<std::size_t>(host_.rows);
    if (o == operation::arg_max) {
      const std::vector<std::int64_t> got = p.places.to_vector();
      for (std::size_t r = 0; r < rows; ++r) {
        std::int64_t best = -1;
        for (auto a = offsets[r]; a < offsets[r + 1]; ++a)
          if (best < 0 || values[a] > values[best]) best = a;
        // Of an empty segment, everybody says something else.
        if (best >= 0) expect(got[r] == (p.local ? best - offsets[r] : best), o, "segment", r);
      }
      return;
    }
    const std::vector<V> got = (o == operation::sum ? p.sums : p.scanned).to_vector();
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (auto a = offsets[r]; a < offsets[r + 1]; ++a) {
        sum += double(values[a]);
        const auto at = static_cast<std::size_t>(a);
        if (o == operation::scan) expect(double(got[at]) == sum, o, "element", at);
      }
      if (o == operation::sum) expect(double(got[r]) == sum, o, "segment", r);
    }
  }

  session& session_;
  at_hand operation_;
  at_hand type_;
  at_hand matrix_;
  csr<float> host_;
  array<std::int32_t> offsets_;
  std::function<void()> release_;
};

template <class V>
void add(workbench& w, int rounds, const matrix_source& source) {
  for (const operation o : all_operations)
    add_contenders(
        rounds, "segmented/" + source.name + "/" + type_name<V> + "/" + name_of(o), peers<V>(o),
        schedules<V>(o),
        [&w, source, o](benchmark::State& s, const contender<V>& c) { w.run(s, source, o, c); });
}

void print_usage() {
  std::cout << "bench_segmented [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "segmented/MATRIX/TYPE/OPERATION/CONTENDER\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  return run_program<workbench>(
      argc, argv, {"bench_segmented", print_usage},
      [](workbench& w, const options& settings, const matrix_source& source) {
        if (settings.f32) add<float>(w, settings.rounds, source);
        if (settings.f64) add<double>(w, settings.rounds, source);
      });
}
