// SPDX-License-Identifier: Apache-2.0
/// SpMV to whose rows x comes in two hops: exact whatever the rows; nonzeros find their column.
#include "algorithms/spmv/csr_hops.hpp"

#include "support/counting.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "products.hpp"

namespace products {
namespace {

template <class Exec>
class csr_hops : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(csr_hops, support::executors, support::executor_name);

/// y = 2 A x - y, twice.
template <class V, class I, class O, class Exec>
void multiplies(const Exec& exec, const std::string& name, const loops::csr<V, I, O>& a) {
  const auto there = a.to(exec.memory());
  std::vector<V> x_values, y_values;
  for (std::int64_t c = 0; c < static_cast<std::int64_t>(a.cols); ++c)
    x_values.push_back(narrow<V>(small<V>(c)));
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(a.rows); ++r)
    y_values.push_back(narrow<V>(small<V>(r + 5)));
  const loops::array<V> x(x_values, exec.memory());
  const std::vector<wide<V>> wanted = product(a);
  using scalar = loops::accumulator_t<V>;
  const auto plan = loops::plan_spmv(exec, there.view(), loops::in_hops{});
  for (int run = 0; run < 2; ++run) {
    loops::array<V> y(y_values, exec.memory());
    plan(x, y, scalar(2), scalar(-1));
    const std::vector<V> got = y.to_vector();
    for (std::size_t r = 0; r < got.size(); ++r) {
      const wide<V> before = small<V>(static_cast<std::int64_t>(r) + 5);
      const V exact = narrow<V>(wide<V>(2) * wanted[r] + wide<V>(-1) * before);
      ASSERT_TRUE(equal(got[r], exact)) << name << ", row " << r;
    }
  }
}

template <class V, class I, class O, class Exec>
void all(const Exec& exec) {
  for (const auto& [name, a] : matrices<V, I, O>()) multiplies(exec, name, a);
}

TYPED_TEST(csr_hops, float32) {
  all<float, std::int32_t, std::int32_t>(this->any());
}
TYPED_TEST(csr_hops, other_types) {
  if constexpr (has_more_types<TypeParam>) {
    all<double, std::int32_t, std::int64_t>(this->any());
    all<loops::half, std::int32_t, std::int32_t>(this->any());
    all<loops::complex<double>, std::int64_t, std::int64_t>(this->any());
  }
}
TYPED_TEST(csr_hops, real_matrices) {
  if constexpr (has_more_types<TypeParam>)
    for (const auto& [name, a] : real_matrices<float, std::int32_t, std::int32_t>())
      multiplies(this->any(), name, a);
}

/// Rows of these sizes, their columns at random, some more than once in a row.
template <class V>
loops::csr<V, std::int32_t, std::int32_t> matrix_of(const std::vector<int>& sizes, int cols) {
  std::mt19937 random(3);
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<V> values;
  for (const int size : sizes) {
    for (int i = 0; i < size; ++i) {
      columns.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(cols)));
      values.push_back(narrow<V>(wide<V>(1 + static_cast<int>(random() % 3))));
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return {static_cast<std::int32_t>(sizes.size()), cols, loops::array<std::int32_t>(offsets),
          loops::array<std::int32_t>(columns), loops::array<V>(values)};
}

TYPED_TEST(csr_hops, rows_that_end_where_blocks_do) {
  const auto exec = this->any();
  for (const std::vector<int>& sizes : {std::vector<int>{1024, 1024, 1024},
                                        {1023, 2, 1023},
                                        {0, 1024, 0, 0, 1025, 0},
                                        {4096},
                                        {1, 4094, 1},
                                        {16, 16, 0, 16},
                                        {128, 1, 127, 1024, 5000, 3},
                                        std::vector<int>(3000, 1)})
    multiplies(exec, "rows of " + std::to_string(sizes.front()) + " and so on",
               matrix_of<float>(sizes, 200));
}

TYPED_TEST(csr_hops, columns_of_many_slabs) {
  const auto exec = this->any();
  multiplies(exec, "many columns", matrix_of<float>(std::vector<int>(900, 20), 1500));
  multiplies(exec, "one column", matrix_of<double>(std::vector<int>(900, 20), 1));
  for (const int cols : {255, 256, 257, 512, 513})
    multiplies(exec, std::to_string(cols) + " columns",
               matrix_of<float>({1000, 2000, 1, 0, 700}, cols));
}

/// Of so many slabs every stretch wants something, that lists have no room for it.
TYPED_TEST(csr_hops, refuse_lists_that_are_too_long) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "slabs are larger there";
  support::expect_error(loops::errc::unsupported, "has room for 2048", [&] {
    multiplies(exec, "too many slabs", matrix_of<float>(std::vector<int>(50, 300), 100000));
  });
}

/// One stretch of 1024 nonzeros whose columns are spread evenly over so many slabs of 512 columns.
loops::csr<float> over_slabs(int slabs) {
  const int cols = 512 * slabs;
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  for (int i = 0; i < 1024; ++i) {
    columns.push_back(static_cast<std::int32_t>(std::int64_t{i} * cols / 1024));
    values.push_back(static_cast<float>(1 + i % 3));
  }
  return {2, cols, loops::array<std::int32_t>(std::vector<std::int32_t>{0, 500, 1024}),
          loops::array<std::int32_t>(columns), loops::array<float>(values)};
}

/// A chunk of 32 entries of each of 64 slabs is all that a list has room for.
TYPED_TEST(csr_hops, take_lists_that_are_just_full) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "slabs are larger there";
  const auto full = over_slabs(64).to(exec.memory());
  EXPECT_EQ(loops::plan_spmv(exec, full.view(), loops::in_hops{}).lists().entries(), 1024);
  multiplies(exec, "64 slabs", over_slabs(64));
  support::expect_error(loops::errc::unsupported, "2080 entries of a list, which has room for 2048",
                        [&] { multiplies(exec, "65 slabs", over_slabs(65)); });
}

/// Nonzeros are sorted by the number of their stretch's column.
TYPED_TEST(csr_hops, refuse_columns_that_cannot_be_numbered) {
  const auto exec = this->any();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t nonzeros = 1 << 20;  // of several stretches on any machine
  const loops::array<std::int64_t> offsets(std::vector<std::int64_t>{0, nonzeros}, exec.memory());
  const loops::array<std::int64_t> columns(std::vector<std::int64_t>(nonzeros), exec.memory());
  const loops::array<float> values(std::vector<float>(nonzeros), exec.memory());
  for (const std::int64_t cols : {most, most / 2}) {
    const loops::csr_view<float, std::int64_t, std::int64_t> a{
        1, cols, nonzeros, offsets.data(), columns.data(), values.data()};
    support::expect_error(loops::errc::overflow, "cannot be numbered",
                          [&] { loops::plan_spmv(exec, a, loops::in_hops{}); });
  }
}

/// Values that do not begin where four of them are read at once.
TYPED_TEST(csr_hops, take_values_that_begin_anywhere) {
  const auto exec = this->any();
  const auto a = matrix_of<float>(std::vector<int>(300, 20), 90);
  std::vector<float> shifted(a.values.begin(), a.values.end());
  shifted.insert(shifted.begin(), 99.0F);
  const loops::array<float> values(shifted, exec.memory());
  const auto there = a.to(exec.memory());
  auto view = there.view();
  const loops::array<float> x(std::vector<float>(90, 1.0F), exec.memory());
  loops::array<float> y(300, exec.memory()), other(300, exec.memory());
  loops::plan_spmv(exec, view, loops::in_hops{})(x, y);
  view.values = values.data() + 1;
  loops::plan_spmv(exec, view, loops::in_hops{})(x, other);
  EXPECT_EQ(y.to_vector(), other.to_vector());
}

TYPED_TEST(csr_hops, refuse_a_result_that_begins_where_x_does) {
  const auto exec = this->any();
  const auto a = matrix_of<float>(std::vector<int>(90, 20), 90).to(exec.memory());
  loops::array<float> v(90, exec.memory());
  const auto plan = loops::plan_spmv(exec, a.view(), loops::in_hops{});
  support::expect_error(loops::errc::invalid_argument, "y begins where x does",
                        [&] { plan(v, v); });
}

TYPED_TEST(csr_hops, list_a_column_once) {
  const auto exec = this->any();
  const auto a = matrix_of<float>({500, 500}, 7).to(exec.memory());
  const auto plan = loops::plan_spmv(exec, a.view(), loops::in_hops{});
  EXPECT_EQ(plan.lists().entries(), 7);
  EXPECT_GT(plan.bytes(), std::size_t{2000});
}

class csr_hops_memory : public support::on_executor<support::with_waves> {};

TEST_F(csr_hops_memory, is_what_the_plan_says) {
  const auto exec = any();
  for (const std::vector<int>& sizes : {std::vector<int>{500, 0, 1500}, {0, 0}}) {
    const auto a = matrix_of<float>(sizes, 700).to(exec.memory());
    support::expect_held(
        exec, [&](const auto& e) { return loops::plan_spmv(e, a.view(), loops::in_hops{}); });
  }
}

TYPED_TEST(csr_hops, offsets_that_are_wrong_are_refused) {
  const auto exec = this->any();
  auto a = matrix_of<float>({5, 5}, 7);
  a.offsets[2] = 9;
  const auto there = a.to(exec.memory());
  support::expect_error(loops::errc::invalid_argument, "offsets",
                        [&] { loops::plan_spmv(exec, there.view(), loops::in_hops{}); });
}

}  // namespace
}  // namespace products
