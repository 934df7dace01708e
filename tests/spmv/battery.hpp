// SPDX-License-Identifier: Apache-2.0
/// Every schedule, format and value type of SpMV against sums in double precision.
#pragma once

#include "algorithms/spmv/csc_rows.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/convert.hpp"
#include "loops/io/generate.hpp"
#include "loops/schedule/catalogue.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace spmv_battery {

using namespace loops;

/// A value type as the reference sees it: complex<double> holds every one of them exactly.
using wide = std::complex<double>;

template <class V>
struct number {
  static V make(double re, double) { return static_cast<V>(re); }
  static wide widen(V v) { return static_cast<double>(v); }
  static double sum_epsilon() { return std::numeric_limits<accumulator_t<V>>::epsilon(); }
  static double store_epsilon() { return sum_epsilon(); }
};
template <>
struct number<loops::half> {
  static loops::half make(double re, double) { return loops::half(static_cast<float>(re)); }
  static wide widen(loops::half v) { return static_cast<double>(static_cast<float>(v)); }
  static double sum_epsilon() { return std::numeric_limits<float>::epsilon(); }
  static double store_epsilon() { return 0x1p-10; }
};
template <>
struct number<bfloat16> {
  static bfloat16 make(double re, double) { return bfloat16(static_cast<float>(re)); }
  static wide widen(bfloat16 v) { return static_cast<double>(static_cast<float>(v)); }
  static double sum_epsilon() { return std::numeric_limits<float>::epsilon(); }
  static double store_epsilon() { return 0x1p-7; }
};
template <class T>
struct number<complex<T>> {
  static complex<T> make(double re, double im) { return {static_cast<T>(re), static_cast<T>(im)}; }
  static wide widen(complex<T> v) { return {v.re, v.im}; }
  // A complex product rounds four times where a real one rounds once.
  static double sum_epsilon() { return 4 * std::numeric_limits<T>::epsilon(); }
  static double store_epsilon() { return 4 * std::numeric_limits<T>::epsilon(); }
};

/// Matrices small enough for the emulation, each the edge case of some schedule.
inline std::vector<std::string> edge_cases() {
  return {"banded:rows=1,width=1",
          "banded:rows=70,width=9",
          "empty_rows:rows=150,per_row=5,empty=0.7,run=20",
          "dense_row:rows=300,per_row=2",
          "dense_column:rows=90,per_row=3",
          "random:rows=130,cols=70,per_row=16",
          "short_wide:rows=3,cols=2500,per_row=1700",
          "tall_thin:rows=700,cols=5,per_row=2",
          "power_law:rows=120,nonzeros=1500"};
}

/// A generated matrix with values that are different in every place and exact in 8 bits.
template <class V, class I, class O>
csr<V, I, O> matrix(const std::string& spec) {
  const csr<double, I, O> pattern = generate<double, I, O>(spec);
  std::vector<V> values(pattern.indices.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = number<V>::make(static_cast<double>(i * 7 % 61) / 16 - 1.75,
                                static_cast<double>(i * 5 % 17) / 8 - 1);
  return {pattern.rows, pattern.cols, pattern.offsets.to(default_host_memory()),
          pattern.indices.to(default_host_memory()), array<V>(values)};
}

/// Matrices without rows, columns or nonzeros.
template <class V, class I, class O>
std::vector<csr<V, I, O>> hollow() {
  std::vector<csr<V, I, O>> all;
  for (const auto& [rows, cols] : {std::pair{0, 0}, {0, 5}, {5, 0}, {300, 7}})
    all.push_back({static_cast<I>(rows), static_cast<I>(cols),
                   array<O>(std::vector<O>(static_cast<std::size_t>(rows) + 1, O{0})), array<I>(0),
                   array<V>(0)});
  return all;
}

/// What y must be, and how far it may be off: the classical bound on a sum of products.
template <class V>
struct expectation {
  std::vector<wide> value;
  std::vector<double> bound;
};

template <class V, class I, class O>
expectation<V> expect(const csr<V, I, O>& a, const std::vector<V>& x, const std::vector<V>& y,
                      accumulator_t<V> alpha, accumulator_t<V> beta) {
  using scalar = number<accumulator_t<V>>;
  expectation<V> e;
  for (I r = 0; r < a.rows; ++r) {
    wide sum = 0;
    double size = 0;
    const auto row = static_cast<std::size_t>(r);
    for (O k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const wide term = number<V>::widen(a.values[at]) *
                        number<V>::widen(x[static_cast<std::size_t>(a.indices[at])]);
      sum += term;
      size += std::abs(term);
    }
    const wide scaled = scalar::widen(alpha) * sum;
    const wide old =
        beta == accumulator_t<V>{} ? wide{} : scalar::widen(beta) * number<V>::widen(y[row]);
    const auto length = static_cast<double>(a.offsets[row + 1] - a.offsets[row]);
    e.value.push_back(scaled + old);
    e.bound.push_back((length + 4) * number<V>::sum_epsilon() *
                          (std::abs(scalar::widen(alpha)) * size + std::abs(old)) +
                      number<V>::store_epsilon() * std::abs(scaled + old));
  }
  return e;
}

/// One matrix in one format: every schedule (with all its parameters, or the usual ones), and
/// twice the same bits.
template <class V, class Exec, class Matrix>
void check(const Exec& exec, const Matrix& host, const expectation<V>& want,
           const std::vector<V>& x, const std::vector<V>& y, accumulator_t<V> alpha,
           accumulator_t<V> beta, const std::string& what, bool every_parameter) {
  const auto a = host.to(exec.memory());
  const array<V> from(x, exec.memory());
  const auto run = [&](const auto& plan) {
    array<V> to(y, exec.memory());
    plan(from, to, alpha, beta);
    return to.to_vector();
  };
  const auto one = [&](const auto& schedule, const std::string& name) {
    const auto plan = plan_spmv(exec, schedule, a.view());
    const std::vector<V> first = run(plan);
    for (std::size_t r = 0; r < first.size(); ++r) {
      const double off = std::abs(number<V>::widen(first[r]) - want.value[r]);
      ASSERT_TRUE(off <= want.bound[r]) << what << ", " << name << ", row " << r << ": off by "
                                        << off << ", allowed " << want.bound[r];
    }
    const std::vector<V> second = run(plan);
    ASSERT_TRUE(first.empty() ||
                std::memcmp(first.data(), second.data(), first.size() * sizeof(V)) == 0)
        << what << ", " << name << ": two runs differ";
    array<V> once(y, exec.memory());
    spmv(exec, schedule, a.view(), from, once, alpha, beta);
    const std::vector<V> third = once.to_vector();
    ASSERT_TRUE(first.empty() ||
                std::memcmp(first.data(), third.data(), first.size() * sizeof(V)) == 0)
        << what << ", " << name << ": with and without a plan differ";
  };
  for (const named_schedule& s : all_schedules())
    if (every_parameter || s.name.find(':') == std::string::npos)
      std::visit([&](const auto& schedule) { one(schedule, s.name); }, s.schedule);
}

/// Whether converting kept every nonzero; ELL and DIA refuse what would be mostly padding.
template <class Convert>
auto converted(const Convert& convert) {
  std::optional<decltype(convert())> m;
  try {
    m.emplace(convert());
  } catch (const error&) {
  }
  return m;
}

/// All formats of one matrix.
template <class V, class I, class O, class Exec>
void check_formats(const Exec& exec, const csr<V, I, O>& a, const std::string& what) {
  std::vector<V> x(static_cast<std::size_t>(a.cols));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = number<V>::make(static_cast<double>(i * 11 % 29) / 8 - 1.5, 0.25);
  std::vector<V> y(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = number<V>::make(0.5 - double(i % 3), 1);
  std::vector<V> poisoned(y.size());
  if (!y.empty()) std::memset(static_cast<void*>(poisoned.data()), 0xff, y.size() * sizeof(V));

  const auto alpha = number<accumulator_t<V>>::make(1.5, -0.5);
  const auto beta = number<accumulator_t<V>>::make(-0.75, 0.5);
  const auto plain = number<accumulator_t<V>>::make(1, 0);
  const expectation<V> want = expect(a, x, poisoned, plain, accumulator_t<V>{});
  const auto with = [&](const auto& matrix, const char* format) {
    check<V>(exec, matrix, want, x, poisoned, plain, accumulator_t<V>{}, what + ", " + format,
             false);
  };
  check<V>(exec, a, want, x, poisoned, plain, accumulator_t<V>{}, what + ", CSR", true);
  check<V>(exec, a, expect(a, x, y, alpha, beta), x, y, alpha, beta, what + ", CSR, scaled", false);
  with(to_coo(a), "COO");
  with(to_csc(a), "CSC");
  if (const auto m = converted([&] { return to_ell(a); })) with(*m, "ELL");
  if (const auto m = converted([&] { return to_dia(a); })) with(*m, "DIA");
  with(to_bcsr<2, 2>(a), "BCSR 2x2");
}

/// Everything, on one executor.
template <class V, class I, class O, class Exec>
void check_all() {
  if (!support::executor_traits<Exec>::ready()) GTEST_SKIP() << "no such machine here";
  const Exec exec = support::executor_traits<Exec>::variants().back().exec;
  for (const std::string& spec : edge_cases()) {
    check_formats(exec, matrix<V, I, O>(spec), spec);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const auto& a : hollow<V, I, O>()) {
    check_formats(exec, a, std::to_string(a.rows) + " x " + std::to_string(a.cols) + " hollow");
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class Exec>
class spmv_test : public testing::Test {};
TYPED_TEST_SUITE(spmv_test, support::executors);

}  // namespace spmv_battery
