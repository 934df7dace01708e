// SPDX-License-Identifier: Apache-2.0
/// Times SpMM: schedules of the library and what other libraries offer, on many matrices.
#include "loops/core/numeric.hpp"
#include "support/matrices.hpp"
#include "support/options.hpp"
#include "support/program.hpp"
#include "support/session.hpp"

#include <benchmark/benchmark.h>
#include <climits>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spmm/contenders.hpp"

namespace loops::bench {

namespace {

/// What this program has beyond the others.
struct shapes {
  std::vector<std::int64_t> columns{1, 8, 32, 128};
  std::vector<layout> layouts{layout::row_major, layout::column_major};
  int in_a_row = 1;  ///< products per sample
};

const char* name_of(layout l) {
  return l == layout::row_major ? "rows" : "columns";
}

/// B and C of one shape in the executor's memory, and some rows of C that are known.
template <class V>
class shape_at_hand {
 public:
  shape_at_hand(const executor& exec, const csr<float>& host, const csr<V>& a, std::int64_t n,
                layout order)
      : b_data_(elements(host.cols, n, order), exec.memory()),
        c_data_(static_cast<std::size_t>(host.rows) * static_cast<std::size_t>(n), exec.memory()),
        problem_{exec, a, view(b_data_, host.cols, n, order), view(c_data_, host.rows, n, order)} {
    // About 16 million products are checked: every row where there are few, else some.
    const double products = static_cast<double>(host.nonzeros()) * static_cast<double>(n);
    const auto step = static_cast<std::int64_t>(products / (1 << 24)) + 1;
    std::vector<double> row(static_cast<std::size_t>(n));
    for (std::int64_t r = 0; r < host.rows; r += step) {
      std::fill(row.begin(), row.end(), 0.0);
      for (auto k = host.offsets.data()[r]; k < host.offsets.data()[r + 1]; ++k)
        for (std::int64_t j = 0; j < n; ++j)
          row[static_cast<std::size_t>(j)] +=
              double(host.values.data()[k]) * double(of_b(host.indices.data()[k], j, n));
      rows_.push_back(r);
      known_.insert(known_.end(), row.begin(), row.end());
    }
  }

  [[nodiscard]] const problem<V>& get() const { return problem_; }
  void poison() { c_data_.fill(0xff); }

  /// Sums are exact before they are stored, so every element must be, bit for bit.
  void check() const {
    const std::vector<V> c = c_data_.to_vector();
    const std::int64_t n = problem_.c.cols;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const V got = c[static_cast<std::size_t>(problem_.c.at(rows_[i], j))];
        const V wanted(static_cast<accumulator_t<V>>(
            known_[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)]));
        if (static_cast<accumulator_t<V>>(got) == static_cast<accumulator_t<V>>(wanted)) continue;
        std::ostringstream message;
        message << "wrong: C(" << rows_[i] << ", " << j << ") is "
                << static_cast<accumulator_t<V>>(got) << ", not "
                << static_cast<accumulator_t<V>>(wanted);
        throw error(errc::device, message.str());
      }
  }

 private:
  static float of_b(std::int64_t r, std::int64_t c, std::int64_t n) {
    return exact_value(static_cast<std::uint64_t>(r * n + c) + (std::uint64_t{1} << 40));
  }
  static dense_view<V> view(array<V>& data, std::int64_t rows, std::int64_t cols, layout order) {
    return order == layout::row_major ? by_rows(data.data(), rows, cols)
                                      : by_columns(data.data(), rows, cols);
  }
  static std::vector<V> elements(std::int64_t rows, std::int64_t cols, layout order) {
    std::vector<V> out(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    const dense_view<V> b = order == layout::row_major ? by_rows(out.data(), rows, cols)
                                                       : by_columns(out.data(), rows, cols);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c)
        b(r, c) = V(static_cast<accumulator_t<V>>(of_b(r, c, cols)));
    return out;
  }

  array<V> b_data_;
  array<V> c_data_;
  problem<V> problem_;
  std::vector<std::int64_t> rows_;
  std::vector<double> known_;
};

/// Bytes that C = A B has to move at least: A and C once, and the rows of B that a nonzero reaches.
template <class V>
double least_bytes(const csr<V>& a, std::int64_t n) {
  const double nonzeros = static_cast<double>(a.nonzeros());
  return nonzeros * (sizeof(V) + 4) + (a.rows + 1.0) * 4 +
         (a.rows + std::min(double(a.cols), nonzeros)) * double(n) * sizeof(V);
}

/// The matrix, the shape and the type at hand; benchmarks come in that order.
class workbench {
 public:
  explicit workbench(session& s) : session_(s) {}

  template <class V>
  void run(benchmark::State& state, const matrix_source& source, std::int64_t n, layout order,
           int in_a_row, const contender<V>& c) {
    const std::string key = source.text + "/" + name_of(order) + std::to_string(n) + type_name<V>;
    static std::unique_ptr<csr<V>> a;
    static std::unique_ptr<shape_at_hand<V>> shape;
    problem_.want(key, [&] {
      if (release_) release_();
      matrix_.want(source.text, [&] { host_ = exact_matrix(source); });
      const executor& exec = session_.exec();
      a = std::make_unique<csr<V>>(converted<V>(host_, exec));
      shape = std::make_unique<shape_at_hand<V>>(exec, host_, *a, n, order);
      release_ = [] {
        shape.reset();
        a.reset();
      };
      session_.new_problem();
    });
    shape->poison();
    const auto several = [&] {
      return [multiply = c.prepare(shape->get()), in_a_row] {
        for (int i = 0; i < in_a_row; ++i) multiply();
      };
    };
    session_.run(state, {false, several, [&] { shape->check(); }, least_bytes(*a, n), in_a_row});
    state.counters["rows"] = static_cast<double>(a->rows);
    state.counters["columns"] = static_cast<double>(a->cols);
    state.counters["nonzeros"] = static_cast<double>(a->nonzeros());
    state.counters["columns_of_b"] = static_cast<double>(n);
  }
  ~workbench() {
    if (release_) release_();
  }

 private:
  session& session_;
  at_hand problem_;
  at_hand matrix_;
  csr<float> host_;
  std::function<void()> release_;
};

template <class V>
void add(workbench& w, const shapes& all, int rounds, const matrix_source& source) {
  for (const layout order : all.layouts)
    for (const std::int64_t n : all.columns)
      add_contenders(rounds,
                     "spmm/" + source.name + "/" + type_name<V> + "/" + name_of(order) + "/" +
                         std::to_string(n),
                     peers<V>(), schedules<V>(),
                     [&w, source, n, order, in_a_row = all.in_a_row](benchmark::State& state,
                                                                     const contender<V>& c) {
                       w.run(state, source, n, order, in_a_row, c);
                     });
}

void print_usage() {
  std::cout << "bench_spmm [options] [--] [matrix ...]\n"
            << shared_usage << "; names are\n                    "
            << "spmm/MATRIX/TYPE/LAYOUT/COLUMNS/CONTENDER\n"
               "  --types also takes f16\n"
               "  --columns=1,8,32,128      columns of B\n"
               "  --layouts=rows,columns    how B and C lie\n"
               "  --in-a-row=N              a sample is N products, the first with cold caches, "
               "and their mean (1)\n";
}

bool read_shapes(shapes& out, std::string_view name, std::string_view value) {
  if (name == "--columns") {
    out.columns = positives(name, value);
    return true;
  }
  if (name == "--in-a-row") {
    out.in_a_row = static_cast<int>(positive(name, value, INT_MAX));
    return true;
  }
  if (name != "--layouts") return false;
  out.layouts.clear();
  for (const std::string_view word : words(value)) {
    require(word == "rows" || word == "columns", errc::invalid_argument,
            "--layouts takes rows, columns or rows,columns");
    out.layouts.push_back(word == "rows" ? layout::row_major : layout::column_major);
  }
  return true;
}

}  // namespace

}  // namespace loops::bench

int main(int argc, char** argv) {
  using namespace loops::bench;
  shapes all;
  const auto extra = [&](std::string_view name, std::string_view value) {
    return read_shapes(all, name, value);
  };
  return run_program<workbench>(
      argc, argv, {"bench_spmm", print_usage, {}, extra},
      [&](workbench& w, const options& settings, const matrix_source& source) {
        if (settings.f32) add<float>(w, all, settings.rounds, source);
        if (settings.f64) add<double>(w, all, settings.rounds, source);
        if (settings.f16) add<loops::half>(w, all, settings.rounds, source);
      });
}
