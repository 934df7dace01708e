// SPDX-License-Identifier: Apache-2.0
/// Holds that y = alpha A x + beta y comes out exactly, for a format, over all schedules.
#pragma once

#include "algorithms/spmv/csc_rows.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/format/convert.hpp"
#include "loops/io/generate.hpp"
#include "support/executors.hpp"
#include "support/real_matrices.hpp"
#include "support/schedules.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace products {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<loops::complex<T>> = true;

/// Numbers for which small integers are exact, sums of them included.
template <class V>
using wide = std::conditional_t<is_complex<V>, loops::complex<double>, double>;

template <class V>
wide<V> small(std::int64_t i) {
  const double re = static_cast<double>((i * 31 + i / 7) % 7 - 3);
  if constexpr (is_complex<V>) return {re, static_cast<double>(i % 3 - 1)};
  if constexpr (!is_complex<V>) return re;
}

/// What a kernel stores for an exact sum.
template <class V>
V narrow(const wide<V>& w) {
  if constexpr (is_complex<V>) {
    using part = decltype(V{}.re);
    return {static_cast<part>(w.re), static_cast<part>(w.im)};
  } else if constexpr (sizeof(V) == 2) {
    return V(static_cast<float>(w));
  } else {
    return static_cast<V>(w);
  }
}

template <class V>
bool equal(const V& a, const V& b) {
  if constexpr (sizeof(V) == 2) {
    return static_cast<float>(a) == static_cast<float>(b);
  } else {
    return a == b;
  }
}

/// Where a row of these columns goes wrong, a schedule or a format does. No value is zero, so that
/// formats which drop zeros drop nothing.
template <class V, class I, class O>
std::vector<std::pair<std::string, loops::csr<V, I, O>>> matrices() {
  std::vector<std::pair<std::string, loops::csr<V, I, O>>> all;
  for (const char* spec :
       {"empty_rows:rows=150,cols=40,per_row=5,run=3", "dense_row:rows=180,cols=180",
        "dense_column:rows=90,cols=90", "banded:rows=300,width=9",
        "random:rows=121,cols=95,per_row=7", "short_wide:rows=3,cols=2500,per_row=900",
        "tall_thin:rows=600,cols=8,per_row=2"})
    all.emplace_back(spec, loops::generate<V, I, O>(spec));
  const auto without_nonzeros = [&](I rows, I cols) {
    const std::vector<O> offsets(static_cast<std::size_t>(rows) + 1, O(0));
    all.emplace_back(std::to_string(rows) + " x " + std::to_string(cols) + ", empty",
                     loops::csr<V, I, O>{rows, cols, loops::array<O>(offsets), loops::array<I>(0),
                                         loops::array<V>(0)});
  };
  without_nonzeros(0, 0);
  without_nonzeros(0, 5);
  without_nonzeros(5, 0);
  without_nonzeros(300, 3);
  all.emplace_back("1 x 1", loops::generate<V, I, O>("banded:rows=1,width=1"));
  for (auto& [name, a] : all)
    for (std::size_t k = 0; k < a.values.size(); ++k) {
      const auto i = static_cast<std::int64_t>(k);
      const wide<V> v = small<V>(i);
      a.values[k] = narrow<V>(v == wide<V>(0) ? wide<V>(3) : v);
    }
  return all;
}

/// The exact A x.
template <class V, class I, class O>
std::vector<wide<V>> product(const loops::csr<V, I, O>& a) {
  std::vector<wide<V>> y;
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.rows); ++r) {
    wide<V> sum{};
    for (auto k = static_cast<std::size_t>(a.offsets[r]);
         k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      wide<V> value;
      if constexpr (is_complex<V>) {
        value = {static_cast<double>(a.values[k].re), static_cast<double>(a.values[k].im)};
      } else {
        value = static_cast<double>(a.values[k]);
      }
      sum = sum + value * small<V>(static_cast<std::int64_t>(a.indices[k]));
    }
    y.push_back(sum);
  }
  return y;
}

/// The real matrices that are not too large, with values of which sums are exact.
template <class V, class I, class O>
std::vector<std::pair<std::string, loops::csr<V, I, O>>> real_matrices() {
  std::vector<std::pair<std::string, loops::csr<V, I, O>>> all;
  for (const support::pattern& p : support::real_patterns()) {
    std::vector<V> values;
    for (std::size_t k = 0; k < p.indices.size(); ++k) {
      const wide<V> v = small<V>(static_cast<std::int64_t>(k));
      values.push_back(narrow<V>(v == wide<V>(0) ? wide<V>(3) : v));
    }
    all.emplace_back(
        p.name,
        loops::csr<V, I, O>{static_cast<I>(p.rows), static_cast<I>(p.cols),
                            loops::array<O>(std::vector<O>(p.offsets.begin(), p.offsets.end())),
                            loops::array<I>(std::vector<I>(p.indices.begin(), p.indices.end())),
                            loops::array<V>(values)});
  }
  return all;
}

/// The formats, by how they are made from CSR in host memory.
struct as_csr {
  template <class A>
  static A make(const A& a, loops::padding_limit) {
    return a.to(loops::default_host_memory());
  }
};
struct as_coo {
  template <class A>
  static auto make(const A& a, loops::padding_limit) {
    return loops::to_coo(a);
  }
};
struct as_csc {
  template <class A>
  static auto make(const A& a, loops::padding_limit) {
    return loops::to_csc(a);
  }
};
struct as_ell {
  template <class A>
  static auto make(const A& a, loops::padding_limit limit) {
    return loops::to_ell(a, limit);
  }
};
struct as_dia {
  template <class A>
  static auto make(const A& a, loops::padding_limit limit) {
    return loops::to_dia(a, limit);
  }
};
template <int R, int C>
struct as_bcsr {
  template <class A>
  static auto make(const A& a, loops::padding_limit) {
    return loops::to_bcsr<R, C>(a);
  }
};

/// The schedules of which an emulation has the time to run.
inline std::vector<support::named_point> some_points() {
  return support::points_named({"thread_mapped", "group_mapped:4", "wave_mapped", "block_mapped",
                                "nonzero_split", "work_oriented", "merge_path",
                                "dynamic_merge_path", "lrb", "three_bins", "queue",
                                "tiles_in_groups", "tiles_in_groups:256"});
}

template <class V>
void expect_equal(const std::vector<V>& found, const std::vector<V>& wanted, const char* what) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t r = 0; r < found.size(); ++r)
    if (!equal(found[r], wanted[r])) {
      ADD_FAILURE() << what << ": row " << r << " is wrong";
      return;
    }
}

/// Columns of `rows` elements with `gap` times `filler` behind each.
template <class T>
loops::array<T> set_apart(const loops::array<T>& a, std::size_t rows, std::size_t gap, T filler) {
  std::vector<T> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.push_back(a[i]);
    if ((i + 1) % rows == 0) out.insert(out.end(), gap, filler);
  }
  return loops::array<T>(out);
}

/// One matrix under one schedule: twice with beta zero into NaNs, which must not be read, from a
/// plan that is used once, and with alpha and beta.
template <class Exec, class Schedule, class A, class V>
void check_one(const Exec& exec, const Schedule& schedule, const A& a,
               const std::vector<wide<V>>& exact, std::int64_t cols, const V*) {
  using scalar = loops::accumulator_t<V>;
  const auto& where = exec.memory();
  std::vector<V> x_values;
  for (std::int64_t c = 0; c < cols; ++c) x_values.push_back(narrow<V>(small<V>(c)));
  std::vector<V> old;
  std::vector<V> plain;
  std::vector<V> scaled;
  for (std::size_t r = 0; r < exact.size(); ++r) {
    const wide<V> before = small<V>(static_cast<std::int64_t>(r) + 2);
    old.push_back(narrow<V>(before));
    plain.push_back(narrow<V>(exact[r]));
    scaled.push_back(narrow<V>(wide<V>(2) * exact[r] + wide<V>(-3) * before));
  }
  const loops::array<V> x(x_values, where);
  loops::array<V> y(exact.size(), where);
  const auto view = a.view();
  using plan_type = loops::spmv_plan<Exec, Schedule, std::remove_cv_t<decltype(view)>>;
  const plan_type plan(exec, schedule, view);
  y.fill(0xff);
  plan(x, y);
  const std::vector<V> first = y.to_vector();
  expect_equal(first, plain, "A x");
  y.fill(0xff);
  plan(x, y);
  EXPECT_TRUE(support::same_bits(first, y.to_vector())) << "the second run has other bits";
  y.fill(0xff);
  plan_type(exec, schedule, view, loops::reuse::once)(x, y);
  EXPECT_TRUE(support::same_bits(first, y.to_vector())) << "another plan gives other bits";
  loops::array<V> z(old, where);
  plan(x, z, scalar(2), scalar(-3));
  expect_equal(z.to_vector(), scaled, "2 A x - 3 y");
}

/// Every schedule where it runs at the speed of a machine.
template <class Exec>
inline constexpr bool is_emulated = !std::is_same_v<Exec, loops::executor>;

/// One matrix in one format, over schedules.
template <class V, class Points, class A, class B, class Exec>
void check_matrix(const Exec& exec, const Points& points, const std::string& name, const A& a,
                  const B& made) {
  const auto exact = product(a);
  const auto device = made.to(exec.memory());
  for (const auto& p : points) {
    SCOPED_TRACE(p.name + ", " + name + ", " + std::to_string(sizeof(V)) + "-byte values");
    std::visit(
        [&](const auto& schedule) {
          check_one(exec, schedule, device, exact, static_cast<std::int64_t>(a.cols),
                    static_cast<const V*>(nullptr));
        },
        p.schedule);
    if (testing::Test::HasFailure()) return;
  }
}

/// What a format says when a real matrix is not for it: most of the padded formats would be
/// padding.
template <class Format>
constexpr const char* refusal_of() {
  if constexpr (requires { Format::refusal; }) return Format::refusal;
  return "padding_limit";
}

/// A format and types, over matrices and these schedules.
template <class Format, class V, class I, class O, class Exec, class Points>
void check(const Exec& exec, const Points& points) {
  for (const auto& [name, a] : matrices<V, I, O>()) {
    check_matrix<V>(exec, points, name, a, Format::make(a, loops::padding_limit{1e9}));
    if (testing::Test::HasFailure()) return;
  }
  if constexpr (!is_emulated<Exec>) {
    int refused = 0;
    const auto real = real_matrices<V, I, O>();
    for (const auto& [name, a] : real) {
      try {
        check_matrix<V>(exec, points, name, a, Format::make(a, loops::padding_limit{}));
      } catch (const loops::error& e) {
        ASSERT_NE(e.message().find(refusal_of<Format>()), std::string::npos) << e.what();
        ++refused;
      }
      if (testing::Test::HasFailure()) return;
    }
    testing::Test::RecordProperty("real_matrices", static_cast<int>(real.size()) - refused);
  }
}

/// The same over all schedules, or those of which an emulation has the time to run.
template <class Format, class V, class I, class O, class Exec>
void check(const Exec& exec) {
  check<Format, V, I, O>(exec, is_emulated<Exec> ? some_points() : support::all_points());
}

/// Where kernels are cheap to compile and to run, all types are looked at with every format; on
/// GPUs, emulated or real, some, and the others with CSR.
template <class Exec>
inline constexpr bool has_all_types = std::is_same_v<Exec, loops::host_executor>;
template <class Exec>
inline constexpr bool has_more_types = true;
#if !LOOPS_CUDA && !LOOPS_HIP
template <>
inline constexpr bool has_more_types<loops::emulation_executor<64>> = false;
#endif

/// Of schedules one that takes tiles whole and one that cuts them: a format has met every schedule
/// with one type, and a type every schedule in CSR.
template <class Format, class Exec>
void check_other_types(const Exec& exec) {
  using i32 = std::int32_t;
  using i64 = std::int64_t;
  const auto points = support::whole_and_cut_points();
  if constexpr (!has_more_types<Exec>) GTEST_SKIP() << "left to the other executors";
  if constexpr (has_more_types<Exec>) {
    check<Format, loops::complex<double>, i32, i32>(exec, points);
    check<Format, float, i32, i64>(exec, points);
  }
  if constexpr (has_all_types<Exec>) {
    check<Format, double, i32, i32>(exec, points);
    check<Format, loops::half, i32, i32>(exec, points);
    check<Format, loops::bfloat16, i32, i32>(exec, points);
    check<Format, loops::complex<float>, i32, i32>(exec, points);
    check<Format, float, i64, i64>(exec, points);
  }
}

template <class Exec>
class spmv : public support::on_executor<Exec> {};

}  // namespace products
