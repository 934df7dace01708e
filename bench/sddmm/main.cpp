// SPDX-License-Identifier: Apache-2.0
/// Times SDDMM: schedules of the library and what other libraries offer, on many patterns.
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sddmm/contenders.hpp"

namespace loops::bench {

namespace {

/// Dense elements, an odd multiple of 1/64 each.
float element(std::int64_t i, std::int64_t where) {
  return exact_value(static_cast<std::uint64_t>(i) + (std::uint64_t{1} << where));
}

std::vector<float> elements(std::int64_t count, std::int64_t where) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = element(i, where);
  return out;
}

/// The pattern and the depth at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  void run(benchmark::State& state, const matrix_source& source, std::int64_t depth,
           const contender& c) {
    const std::string key = source.text + "/" + std::to_string(depth);
    problem_.want(key, [&] {
      const auto& where = session_.exec().memory();
      matrix_.want(source.text, [&] { host_ = exact_matrix(source); });
      there_ = std::make_unique<csr<float>>(host_.to(where));
      a_ = array<float>(elements(host_.rows * depth, a_at), where);
      b_ = array<float>(elements(host_.cols * depth, b_at), where);
      session_.new_problem();
    });
    const problem p{session_.exec(), *there_, by_rows(a_.data(), host_.rows, depth),
                    by_columns(b_.data(), depth, host_.cols)};
    there_->values.fill(0xff);
    const double nonzeros = static_cast<double>(host_.nonzeros());
    session_.run(state, {false, [&] { return c.prepare(p); }, [&] { check(depth); },
                         nonzeros * 8 + (host_.rows + 1.0) * 4 +
                             4.0 * double(depth) * (double(host_.rows) + host_.cols)});
    state.counters["rows"] = host_.rows;
    state.counters["columns"] = host_.cols;
    state.counters["nonzeros"] = nonzeros;
    state.counters["depth"] = static_cast<double>(depth);
  }

 private:
  static constexpr std::int64_t a_at = 40;
  static constexpr std::int64_t b_at = 41;

  /// Sums are exact, so every number that is looked at must be, bit for bit: about 16 million
  /// products' worth of them.
  void check(std::int64_t depth) const {
    const std::vector<float> got = there_->values.to_vector();
    const auto step = static_cast<std::int64_t>(double(got.size()) * double(depth) / (1 << 24)) + 1;
    for (std::int64_t r = 0; r < host_.rows; ++r)
      for (auto k = host_.offsets.data()[r]; k < host_.offsets.data()[r + 1]; ++k) {
        if (got[static_cast<std::size_t>(k)] != got[static_cast<std::size_t>(k)])
          throw error(errc::device, "wrong: nonzero " + std::to_string(k) + " was not written");
        if (k % step != 0) continue;
        const std::int64_t c = host_.indices.data()[k];
        double sum = 0;
        for (std::int64_t i = 0; i < depth; ++i)
          sum += double(element(r * depth + i, a_at)) * double(element(c * depth + i, b_at));
        if (double(got[static_cast<std::size_t>(k)]) != sum)
          throw error(errc::device, "wrong: nonzero " + std::to_string(k) + " is " +
                                        std::to_string(got[static_cast<std::size_t>(k)]) +
                                        ", not " + std::to_string(sum));
      }
  }

  session& session_;
  at_hand problem_;
  at_hand matrix_;
  csr<float> host_;
  std::unique_ptr<csr<float>> there_;
  array<float> a_;
  array<float> b_;
};

void add(workbench& w, const std::vector<std::int64_t>& depths, int rounds,
         const matrix_source& source) {
  for (const std::int64_t depth : depths)
    add_contenders(rounds, "sddmm/" + source.name + "/" + std::to_string(depth), peers(),
                   schedules(), [&w, source, depth](benchmark::State& state, const contender& c) {
                     w.run(state, source, depth, c);
                   });
}

void print_usage() {
  std::cout << "bench_sddmm [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "sddmm/MATRIX/DEPTH/CONTENDER\n"
               "  --depths=32,128           columns of A, rows of B\n";
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  std::vector<std::int64_t> depths{32, 128};
  const auto extra = [&](std::string_view name, std::string_view value) {
    if (name != "--depths") return false;
    depths = positives(name, value);
    return true;
  };
  return run_program<workbench>(
      argc, argv, {"bench_sddmm", print_usage, {"rmat:scale=16", "stencil5:nx=500,ny=500"}, extra},
      [&](workbench& w, const options& settings, const matrix_source& source) {
        add(w, depths, settings.rounds, source);
      });
}
