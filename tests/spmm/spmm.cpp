// SPDX-License-Identifier: Apache-2.0
/// SpMM: exact products in every layout and width, refusals, and sums within their error bound.
#include "algorithms/spmm/spmm.hpp"

#include "loops/io/generate.hpp"
#include "support/counting.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "spmv/products.hpp"

namespace {

using loops::dense_view;
using loops::errc;
using loops::layout;
using support::expect_error;
namespace schedule = loops::schedule;

/// A dense matrix in the memory of an executor, with room between rows, or columns.
template <class V>
struct dense {
  loops::array<V> data;
  dense_view<V> view;

  template <class Exec>
  dense(const Exec& exec, std::int64_t rows, std::int64_t cols, layout order, std::int64_t gap)
      : view{nullptr, rows, cols, (order == layout::row_major ? cols : rows) + gap, order} {
    const std::int64_t lines = order == layout::row_major ? rows : cols;
    data = loops::array<V>(static_cast<std::size_t>(lines * view.stride), exec.memory());
    data.fill(0xff);
    view.data = data.data();
  }
  /// Element (r, c) becomes f(r, c); the room between stays what it was.
  template <class F>
  void set(const F& f) {
    std::vector<V> host = data.to_vector();
    for (std::int64_t r = 0; r < view.rows; ++r)
      for (std::int64_t c = 0; c < view.cols; ++c)
        host[static_cast<std::size_t>(view.at(r, c))] = f(r, c);
    if (!host.empty()) data.where()->upload(data.data(), host.data(), host.size() * sizeof(V));
  }
};

template <class V>
double as_double(V v) {
  if constexpr (sizeof(V) == 2) {
    return static_cast<double>(static_cast<float>(v));
  } else {
    return static_cast<double>(v);
  }
}

double of_b(std::int64_t r, std::int64_t c) {
  return static_cast<double>((r * 5 + c * 3 + r * c / 7) % 7 - 3);
}
double of_c(std::int64_t r, std::int64_t c) {
  return static_cast<double>((r + 2 * c) % 5 - 2);
}

/// A B exactly; A and B are small integers.
template <class A>
std::vector<double> exact_product(const A& a, std::int64_t n) {
  std::vector<double> c(static_cast<std::size_t>(static_cast<std::int64_t>(a.rows) * n));
  for (std::int64_t r = 0; r < a.rows; ++r)
    for (auto k = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(r) + 1]); ++k)
      for (std::int64_t j = 0; j < n; ++j)
        c[static_cast<std::size_t>(r * n + j)] +=
            as_double(a.values[k]) * of_b(static_cast<std::int64_t>(a.indices[k]), j);
  return c;
}

/// One product: into NaNs, again for the same bits, and with alpha and beta.
template <class V, class Exec, class Schedule, class A>
void check(const Exec& exec, const Schedule& schedule, const A& host, std::int64_t n,
           layout b_order, layout c_order, std::int64_t gap) {
  SCOPED_TRACE(std::to_string(n) + " columns, B by " +
               (b_order == layout::row_major ? "rows" : "columns") + ", C by " +
               (c_order == layout::row_major ? "rows" : "columns") + ", gap " +
               std::to_string(gap));
  const auto a = host.to(exec.memory());
  const auto exact = exact_product(host, n);
  dense<V> b(exec, host.cols, n, b_order, gap);
  b.set([](std::int64_t r, std::int64_t c) { return V(static_cast<float>(of_b(r, c))); });
  dense<V> c(exec, host.rows, n, c_order, gap);
  const auto plan = loops::plan_spmm(exec, schedule, a.view(), b.view);
  const auto expect = [&](double alpha, double beta, const char* what) {
    const std::vector<V> got = c.data.to_vector();
    std::vector<bool> written(got.size(), false);
    for (std::int64_t r = 0; r < host.rows; ++r)
      for (std::int64_t j = 0; j < n; ++j) {
        const double wanted = alpha * exact[static_cast<std::size_t>(r * n + j)] +
                              (beta != 0 ? beta * of_c(r, j) : 0);
        const auto at = static_cast<std::size_t>(c.view.at(r, j));
        written[at] = true;
        ASSERT_EQ(as_double(got[at]), as_double(V(static_cast<float>(wanted))))
            << what << ": row " << r << ", column " << j;
      }
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(written[i] || std::isnan(as_double(got[i]))) << what << ": wrote beside C";
  };
  plan(b.view, c.view);
  expect(1, 0, "A B");
  const std::vector<V> first = c.data.to_vector();
  c.data.fill(0xff);
  plan(b.view, c.view);
  EXPECT_TRUE(support::same_bits(first, c.data.to_vector())) << "the second run has other bits";
  c.set([](std::int64_t r, std::int64_t j) { return V(static_cast<float>(of_c(r, j))); });
  plan(b.view, c.view, 2, -3);
  expect(2, -3, "2 A B - 3 C");
  c.data.fill(0xff);
  plan(b.view, c.view, 2);
  expect(2, 0, "2 A B");
}

template <class Exec>
class spmm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmm, support::executors, support::executor_name);

TYPED_TEST(spmm, every_matrix) {
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    SCOPED_TRACE(name);
    check<float>(this->any(), schedule::merge_path{}, a, 20, layout::row_major, layout::row_major,
                 0);
    check<float>(this->any(), schedule::group_mapped{2}, a, 5, layout::column_major,
                 layout::row_major, 1);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(spmm, every_width_and_layout) {
  const auto exec = this->any();
  const auto all = products::matrices<float, std::int32_t, std::int32_t>();
  const auto& a = all[3].second;  // banded
  ASSERT_GT(a.rows, 100);
  for (const std::int64_t n : {0, 1, 2, 4, 7, 8, 15, 16, 31, 32, 64, 100, 128, 132, 300}) {
    check<float>(exec, schedule::merge_path{}, a, n, layout::row_major, layout::row_major, 0);
    check<float>(exec, schedule::group_mapped{1}, a, n, layout::row_major, layout::column_major, 4);
    if (n % 8 == 0 || n == 7 || n == 1)
      check<float>(exec, schedule::group_mapped{4}, a, n, layout::column_major,
                   layout::column_major, 3);
    if (this->HasFailure()) return;
  }
  // Rows that begin on a pack and end within one; what lies behind a row of B is not a number, and
  // an empty row of A would put zeros there.
  for (const std::int64_t n : {5, 17, 31})
    check<float>(exec, schedule::merge_path{}, all[0].second, n, layout::row_major,
                 layout::row_major, 32 - n);
}

// A CPU takes what is left of the columns in parts of a power of two each, down to one.
TYPED_TEST(spmm, every_number_of_columns_on_a_cpu) {
  if constexpr (!loops::spmm_detail::reads_alone<TypeParam>) {
    GTEST_SKIP() << "lanes share the columns out";
  } else {
    const auto exec = this->any();
    const auto all = products::matrices<float, std::int32_t, std::int32_t>();
    for (std::int64_t n = 1; n <= 140 && !this->HasFailure(); ++n)
      check<float>(exec, schedule::merge_path{}, all[0].second, n, layout::row_major,
                   layout::row_major, n % 3);
  }
}

TYPED_TEST(spmm, every_type) {
  const auto exec = this->any();
  const auto run = [&](const auto& all, auto zero) {
    using V = decltype(zero);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {  // empty rows, a dense row
      check<V>(exec, schedule::merge_path{}, all[i].second, 24, layout::row_major,
               layout::row_major, 0);
      check<V>(exec, schedule::merge_path{}, all[i].second, 11, layout::column_major,
               layout::column_major, 0);
    }
  };
  using i32 = std::int32_t;
  run(products::matrices<double, i32, std::int64_t>(), double{});
  run(products::matrices<loops::half, i32, i32>(), loops::half{});
  run(products::matrices<loops::bfloat16, i32, i32>(), loops::bfloat16{});
}

TYPED_TEST(spmm, duplicates_add_up) {
  const auto exec = this->any();
  const loops::csr<float> a{2, 2, loops::array<int>(std::vector<int>{0, 3, 4}),
                            loops::array<int>(std::vector<int>{1, 1, 1, 0}),
                            loops::array<float>(std::vector<float>{1, 2, 3, 4})};
  check<float>(exec, schedule::merge_path{}, a, 4, layout::row_major, layout::row_major, 0);
}

/// Kernels that come early wait for what the product before them writes, and for who still reads.
TYPED_TEST(spmm, products_follow_each_other) {
  const auto exec = this->any();
  constexpr std::int64_t rows = 2500;
  constexpr int products = 12;
  const auto source = [](std::int64_t r) { return (7 * r + 3) % rows; };
  // A permutation, among entries that cancel each other; a few rows are long.
  std::vector<int> offsets{0}, indices;
  std::vector<float> values;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto add = [&](std::int64_t column, float v) {
      indices.push_back(static_cast<int>(column));
      values.push_back(v);
    };
    add(source(r), 1);
    const std::int64_t pairs = r % 500 == 7 ? 400 : r % 9;
    for (std::int64_t k = 0; k < pairs; ++k)
      for (const float v : {3.F, -3.F}) add((r * 31 + k * 17) % rows, v);
    offsets.push_back(static_cast<int>(indices.size()));
  }
  const loops::csr<float> a{
      static_cast<int>(rows), static_cast<int>(rows), loops::array<int>(offsets, exec.memory()),
      loops::array<int>(indices, exec.memory()), loops::array<float>(values, exec.memory())};
  const auto element = [](std::int64_t r, std::int64_t c) {
    return static_cast<float>((r * 13 + c * 5) % 97);
  };
  const auto check_all = [&](const auto& how, std::int64_t n, layout order) {
    SCOPED_TRACE(std::to_string(n) + " columns by " +
                 (order == layout::row_major ? "rows" : "columns"));
    dense<float> even(exec, rows, n, order, 0), odd(exec, rows, n, order, 0);
    even.set(element);
    const auto plan = loops::plan_spmm(exec, how, a.view(), even.view);
    for (int i = 0; i < products; i += 2) {
      plan(even.view, odd.view);
      plan(odd.view, even.view);
    }
    const std::vector<float> got = even.data.to_vector();
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t from = r;
      for (int i = 0; i < products; ++i) from = source(from);
      for (std::int64_t c = 0; c < n; ++c)
        ASSERT_EQ(got[static_cast<std::size_t>(even.view.at(r, c))], element(from, c))
            << "row " << r << ", column " << c;
    }
  };
  for (const layout order : {layout::row_major, layout::column_major})
    for (const std::int64_t n : {3, 8, 33}) {
      check_all(schedule::group_mapped{4}, n, order);
      check_all(schedule::merge_path{}, n, order);
      check_all(schedule::automatic{1000}, n, order);
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(spmm, sums_are_within_the_error_bound) {
  const auto exec = this->any();
  const auto host = loops::generate<float>("dense_row:rows=200,cols=3000");
  const auto a = host.to(exec.memory());
  constexpr std::int64_t n = 8;
  const auto value = [](std::int64_t r, std::int64_t c) {
    return static_cast<float>(std::sin(static_cast<double>(r * n + c)));
  };
  dense<float> b(exec, host.cols, n, layout::row_major, 0);
  b.set(value);
  dense<float> c(exec, host.rows, n, layout::row_major, 0);
  loops::spmm(exec, schedule::merge_path{}, a, b.view, c.view);
  const auto got = c.data.to_vector();
  for (std::int64_t r = 0; r < host.rows; ++r)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      double magnitude = 0;
      const auto first = static_cast<std::size_t>(host.offsets[static_cast<std::size_t>(r)]);
      const auto last = static_cast<std::size_t>(host.offsets[static_cast<std::size_t>(r) + 1]);
      for (std::size_t k = first; k < last; ++k) {
        const double term = double(host.values[k]) * double(value(host.indices[k], j));
        sum += term;
        magnitude += std::fabs(term);
      }
      // One rounding per product and per addition, in whatever order.
      const double bound = double(last - first + 1) * 0x1p-24 * 1.01 * magnitude;
      ASSERT_LE(std::fabs(double(got[static_cast<std::size_t>(r * n + j)]) - sum), bound)
          << "row " << r << ", column " << j;
    }
}

TYPED_TEST(spmm, a_plan_can_be_checked) {
  const auto exec = this->any();
  for (const std::int64_t n : {0, 1, 4, 40}) {
    SCOPED_TRACE(n);
    auto a = loops::generate<float>("banded:rows=60,width=3").to(exec.memory());
    dense<float> b(exec, a.cols, n, layout::row_major, 0);
    dense<float> c(exec, a.rows, n, layout::row_major, 0);
    const auto run = [&](const auto& s) {
      auto plan = loops::plan_spmm(exec, s, a.view(), b.view);
      plan(b.view, c.view);
      EXPECT_NO_THROW(plan.check());
      return plan;
    };
    run(schedule::automatic{});
    auto plan = run(schedule::merge_path{});
    a.offsets.fill(0);
    expect_error(errc::invalid_argument, "the offsets of a work", [&] { plan.check(); });
  }
}

class spmm_memory : public support::on_executor<support::with_waves> {};

/// B and C as they are, B copied, C turned, and a single column.
TEST_F(spmm_memory, is_what_the_plan_says) {
  const auto exec = any();
  const auto a = loops::generate<float>("banded:rows=150,width=5").to(exec.memory());
  for (const layout order : {layout::row_major, layout::column_major})
    for (const std::int64_t n : {1, 3, 40}) {
      const dense<float> b(exec, a.cols, n, order, 0);
      support::expect_held(exec, [&](const auto& e) {
        return loops::plan_spmm(e, schedule::merge_path{}, a.view(), b.view);
      });
    }
}

TYPED_TEST(spmm, refuses_what_does_not_fit) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("banded:rows=6,width=3").to(exec.memory());
  const dense<float> b(exec, 6, 32, layout::row_major, 0);
  const dense<float> c(exec, 6, 32, layout::row_major, 0);
  const dense<float> five(exec, 5, 32, layout::row_major, 0);
  const dense<float> columns(exec, 6, 32, layout::column_major, 0);
  const auto plan = loops::plan_spmm(exec, schedule::merge_path{}, a.view(), b.view);
  expect_error(errc::invalid_argument, "C is 5 x 32, but 6 x 32", [&] { plan(b.view, five.view); });
  expect_error(errc::invalid_argument, "B is 5 x 32, but 6 x 32", [&] { plan(five.view, c.view); });
  expect_error(errc::invalid_argument, "make a plan for this one",
               [&] { plan(columns.view, c.view); });
  dense_view<float> narrow = b.view;
  narrow.stride = 31;
  expect_error(errc::invalid_argument, "B has a stride of 31", [&] { plan(narrow, c.view); });
  dense_view<float> none = b.view;
  none.data = nullptr;
  expect_error(errc::invalid_argument, "B is a null pointer", [&] { plan(none, c.view); });
  expect_error(errc::invalid_argument, "B is 5 x 32, but 6 x 32",
               [&] { loops::plan_spmm(exec, schedule::merge_path{}, a.view(), five.view); });
  expect_error(errc::invalid_argument, "C begins where B does", [&] { plan(b.view, b.view); });
  auto without = a.view();
  without.values = nullptr;
  expect_error(errc::invalid_argument, "the values are a null pointer",
               [&] { loops::plan_spmm(exec, schedule::merge_path{}, without, b.view); });
}

// Nobody reads the columns: there is no memory behind them.
TYPED_TEST(spmm, refuses_more_columns_than_copies_of_the_grid_hold) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("banded:rows=6,width=3").to(exec.memory());
  const loops::array<float> some(4, exec.memory());
  constexpr int wave = TypeParam::template block<loops::shape<128, 32>>::wave;
  constexpr std::int64_t most = std::int64_t{65536} *
                                loops::spmm_detail::columns_of_share<TypeParam, float> *
                                (wave < 32 ? wave : 32);
  const auto plan = [&](std::int64_t n, layout order) {
    const dense_view<const float> b{some.data(), 6, n, order == layout::row_major ? n : 6, order};
    loops::plan_spmm(exec, schedule::group_mapped{1}, a.view(), b);
  };
  plan(most, layout::row_major);
  for (const layout order : {layout::row_major, layout::column_major})
    for (const std::int64_t n : {most + 1, std::int64_t{1} << 50})
      expect_error(errc::overflow,
                   "C has " + std::to_string(n) + " columns, and one product takes " +
                       std::to_string(most) + " at most: multiply some of the columns at a time",
                   [&] { plan(n, order); });
}

TYPED_TEST(spmm, the_one_call_form) {
  const auto exec = this->any();
  const auto host = loops::generate<float>("banded:rows=50,width=5");
  const auto a = host.to(exec.memory());
  dense<float> b(exec, 50, 16, layout::row_major, 0);
  b.set([](std::int64_t, std::int64_t) { return 0.0F; });
  dense<float> c(exec, 50, 16, layout::row_major, 0);
  loops::spmm(exec, a.view(), b.view, c.view);
  for (const float v : c.data.to_vector()) ASSERT_EQ(v, 0.0F);
  c.data.fill(0x5a);
  loops::spmm(exec, a, b.view, c.view);
  for (const float v : c.data.to_vector()) ASSERT_EQ(v, 0.0F);
}

}  // namespace
