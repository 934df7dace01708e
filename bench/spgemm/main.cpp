// SPDX-License-Identifier: Apache-2.0
/// Times SpGEMM: schedules of the library and what other libraries offer, on many matrices.
#include "loops/format/convert.hpp"
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "spgemm/contenders.hpp"

namespace loops::bench {

namespace {

/// The square of a square matrix, else the product with the transpose.
csr<float> partner_of(const csr<float>& a) {
  const auto& host = default_host_memory();
  if (a.rows == a.cols) return a.to(host);
  const auto t = to_csc(a);
  return {t.cols, t.rows, t.offsets.to(host), t.indices.to(host), t.values.to(host)};
}

/// Products of nonzeros that C is the sum of.
double count_products(const csr<float>& a, const csr<float>& b) {
  double count = 0;
  for (const auto row : a.indices) count += b.offsets.data()[row + 1] - b.offsets.data()[row];
  return count;
}

/// Throws unless rows of C are what sums in `double` say; about 4 million products are looked at.
/// Sums are exact in `float`, so values must agree bit for bit; columns may stand in any order.
template <class V>
void check(const csr<float>& a, const csr<float>& b, double products, const csr_view<V>& c,
           memory& where) {
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(a.rows) + 1);
  where.download(offsets.data(), c.offsets, offsets.size() * sizeof(std::int32_t));
  std::vector<std::int32_t> columns(static_cast<std::size_t>(offsets.back()));
  std::vector<V> values(columns.size());
  where.download(columns.data(), c.indices, columns.size() * sizeof(std::int32_t));
  where.download(values.data(), c.values, values.size() * sizeof(V));
  const auto step = static_cast<std::int32_t>(products / (1 << 22)) + 1;
  for (std::int32_t r = 0; r < a.rows; r += step) {
    std::map<std::int32_t, double> wanted;
    for (auto k = a.offsets.data()[r]; k < a.offsets.data()[r + 1]; ++k) {
      const auto row = a.indices.data()[k];
      for (auto n = b.offsets.data()[row]; n < b.offsets.data()[row + 1]; ++n)
        wanted[b.indices.data()[n]] += double(a.values.data()[k]) * double(b.values.data()[n]);
    }
    std::map<std::int32_t, double> got;
    for (auto i = offsets[static_cast<std::size_t>(r)];
         i < offsets[static_cast<std::size_t>(r) + 1]; ++i)
      got[columns[static_cast<std::size_t>(i)]] = double(values[static_cast<std::size_t>(i)]);
    if (got == wanted) continue;
    std::ostringstream message;
    message << "wrong: row " << r << " of C has " << got.size() << " entries, wanted are "
            << wanted.size() << ", or a value differs";
    throw error(errc::device, message.str());
  }
}

/// The matrix and the type at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  template <class V>
  void run(benchmark::State& state, const matrix_source& source, const contender<V>& c) {
    static std::unique_ptr<csr<V>> a;
    static std::unique_ptr<csr<V>> b;
    const executor& exec = session_.exec();
    const std::string key = source.text + type_name<V>;
    problem_.want(key, [&] {
      if (release_) release_();
      matrix_.want(source.text, [&] {
        host_a_ = exact_matrix(source);
        host_b_ = partner_of(host_a_);
        products_ = count_products(host_a_, host_b_);
      });
      a = std::make_unique<csr<V>>(converted<V>(host_a_, exec));
      b = std::make_unique<csr<V>>(converted<V>(host_b_, exec));
      release_ = [] {
        a.reset();
        b.reset();
      };
      session_.new_problem();
    });
    const problem<V> p{exec, *a, *b};
    attempt<V> one;
    csr_view<V> result{};
    const auto prepare = [&] {
      one = c.prepare(p);
      return one.multiply;
    };
    const auto check_once = [&] {
      result = one.result();
      check<V>(host_a_, host_b_, products_, result, *exec.memory());
    };
    // What has to move at least is known once C is: until then, A and B.
    const double bytes = static_cast<double>(a->nonzeros() + b->nonzeros()) * (sizeof(V) + 4);
    session_.run(state, session::entry{c.once, prepare, check_once, bytes});
    state.counters["rows"] = static_cast<double>(a->rows);
    state.counters["columns"] = static_cast<double>(a->cols);
    state.counters["nonzeros"] = static_cast<double>(a->nonzeros());
    state.counters["products"] = products_;
    state.counters["held"] = static_cast<double>(one.held);
    state.counters["entries"] = static_cast<double>(result.nonzeros);
  }
  ~workbench() {
    if (release_) release_();
  }

 private:
  session& session_;
  at_hand problem_;
  at_hand matrix_;
  csr<float> host_a_;
  csr<float> host_b_;
  double products_ = 0;
  std::function<void()> release_;
};

template <class V>
void add(workbench& w, int rounds, const matrix_source& source) {
  add_contenders(
      rounds, "spgemm/" + source.name + "/" + type_name<V>, peers<V>(), schedules<V>(),
      [&w, source](benchmark::State& state, const contender<V>& c) { w.run(state, source, c); });
}

/// Kinds of matrices whose squares differ in how many products meet in an entry.
const std::vector<std::string> squares{"stencil5:nx=1k,ny=1k",
                                       "banded:rows=400k,width=16",
                                       "random:rows=200k,cols=200k,per_row=8",
                                       "power_law:rows=100k,nonzeros=1M",
                                       "rmat:scale=14",
                                       "dense_row:rows=20k,per_row=3"};

void print_usage() {
  std::cout << "bench_spgemm [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "spgemm/MATRIX/TYPE/CONTENDER\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  return run_program<workbench>(
      argc, argv, {"bench_spgemm", print_usage, squares},
      [](workbench& w, const options& settings, const matrix_source& source) {
        if (settings.f32) add<float>(w, settings.rounds, source);
        if (settings.f64) add<double>(w, settings.rounds, source);
      });
}
