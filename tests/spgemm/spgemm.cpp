// SPDX-License-Identifier: Apache-2.0
/// SpGEMM against dense products: shapes, types, other values, and refusals.
#include "algorithms/spgemm/spgemm.hpp"

#include "loops/format/convert.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/merge_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "spgemm/oracle.hpp"
#include "spmv/products.hpp"

namespace {

namespace schedule = loops::schedule;
using matrix = loops::csr<float>;

template <class V, class I, class O>
loops::csr<V, I, O> transposed_copy(const loops::csr<V, I, O>& a) {
  const auto t = loops::to_csc(a);
  return {t.cols, t.rows, t.offsets.to(loops::default_host_memory()),
          t.indices.to(loops::default_host_memory()), t.values.to(loops::default_host_memory())};
}

template <class Exec>
class spgemm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spgemm, support::executors, support::executor_name);

template <class V, class I, class O, class Exec>
void every_matrix_with_its_transpose(const Exec& exec) {
  for (const auto& [name, a] : products::matrices<V, I, O>()) {
    SCOPED_TRACE(name);
    const auto t = transposed_copy(a);
    oracle::check(exec, schedule::merge_path{}, a, t);
    if (a.cols <= 1000) oracle::check(exec, schedule::merge_path{}, t, a);
    if (testing::Test::HasFailure()) return;
  }
}

TYPED_TEST(spgemm, every_matrix_with_its_transpose) {
  every_matrix_with_its_transpose<float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(spgemm, wide_offsets) {
  every_matrix_with_its_transpose<double, std::int32_t, std::int64_t>(this->any());
}

TYPED_TEST(spgemm, wide_indices) {
  every_matrix_with_its_transpose<float, std::int64_t, std::int64_t>(this->any());
}

TYPED_TEST(spgemm, the_schedule_that_chooses) {
  const auto a = loops::generate<float>("power_law:rows=300,nonzeros=2500");
  const auto exec = this->any();
  auto b = oracle::matrix_of({}, 0);
  b = a.to(loops::default_host_memory());
  for (std::size_t k = 0; k < b.values.size(); ++k) b.values[k] = static_cast<float>(k % 5) - 2;
  oracle::check(exec, schedule::automatic{}, b, b);
  const auto there = b.to(exec.memory());
  const auto named = loops::spgemm(exec, schedule::automatic{1}, there, there);
  const auto c = loops::spgemm(exec, there, there);
  EXPECT_EQ(c.offsets.to_vector(), named.offsets.to_vector());
  EXPECT_EQ(c.indices.to_vector(), named.indices.to_vector());
  EXPECT_EQ(c.values.to_vector(), named.values.to_vector());
}

TYPED_TEST(spgemm, halves_are_summed_in_float) {
  // 2048 ones and one more: a sum in 11 bits would stand still.
  std::vector<std::vector<std::int64_t>> row(1);
  std::vector<std::vector<std::int64_t>> column;
  for (std::int64_t i = 0; i < 2052; ++i) {
    row[0].push_back(i);
    column.push_back({0});
  }
  auto a = oracle::matrix_of<loops::half>(row, 2052);
  auto b = oracle::matrix_of<loops::half>(column, 1);
  for (std::size_t i = 0; i < 2052; ++i) a.values[i] = b.values[i] = loops::half(1.0F);
  const auto exec = this->any();
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  const auto c = loops::spgemm(exec, schedule::merge_path{}, there_a.view(), there_b.view());
  EXPECT_EQ(static_cast<float>(c.values.to_vector().front()), 2052.0F);
}

TYPED_TEST(spgemm, integers_of_8_bits_stay_in_their_range) {
  auto a = oracle::matrix_of<std::int8_t>({{0, 1}, {0}, {1}}, 2);
  auto b = oracle::matrix_of<std::int8_t>({{0}, {0}}, 1);
  const std::int8_t of_a[] = {100, 1, -2, 3};
  const std::int8_t of_b[] = {100, 40};
  std::copy(std::begin(of_a), std::end(of_a), a.values.data());
  std::copy(std::begin(of_b), std::end(of_b), b.values.data());
  const auto exec = this->any();
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, there_a.view(), there_b.view());
  for (const bool kept : {false, true}) {
    if (kept) plan.keep_products();
    auto c = plan.pattern();
    plan(there_a.values.data(), there_b.values.data(), c.values.data());
    exec.synchronize();
    EXPECT_EQ(c.values.to_vector(), (std::vector<std::int8_t>{127, -128, 120})) << kept;
  }
}

TYPED_TEST(spgemm, duplicates_add_up) {
  const matrix a{2, 2, loops::array<int>(std::vector<int>{0, 3, 4}),
                 loops::array<int>(std::vector<int>{1, 1, 0, 0}),
                 loops::array<float>(std::vector<float>{1, 2, 3, 4})};
  oracle::check(this->any(), schedule::merge_path{}, a, a);
  oracle::check(this->any(), schedule::group_mapped{8}, a, a);
}

// Lanes side by side may add to one entry where it is not known that a row of B repeats a column.
TYPED_TEST(spgemm, knows_rows_that_repeat_a_column) {
  const auto exec = this->any();
  const auto is_distinct = [&](const std::vector<std::vector<std::int64_t>>& rows) {
    const auto b = oracle::matrix_of(rows, 3).to(exec.memory());
    const loops::spgemm_detail::product_pattern c(exec, schedule::merge_path{}, b.view(), b.view());
    return c.distinct();
  };
  // Who takes rows alone does not ask.
  EXPECT_EQ(is_distinct({{0, 2}, {2}, {0, 1, 2}}),
            (!std::is_same_v<TypeParam, loops::host_executor>));
  EXPECT_FALSE(is_distinct({{0, 2}, {2}, {0, 2, 2}}));
  EXPECT_FALSE(is_distinct({{2, 0}, {2}, {0, 1, 2}}));
}

TYPED_TEST(spgemm, entries_that_cancel_stay) {
  const matrix a{1, 2, loops::array<int>(std::vector<int>{0, 2}),
                 loops::array<int>(std::vector<int>{0, 1}),
                 loops::array<float>(std::vector<float>{1, -1})};
  const matrix b{2, 3, loops::array<int>(std::vector<int>{0, 2, 4}),
                 loops::array<int>(std::vector<int>{0, 2, 2, 1}),
                 loops::array<float>(std::vector<float>{5, 7, 7, 2})};
  const auto exec = this->any();
  oracle::check(exec, schedule::merge_path{}, a, b);
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  const auto c = loops::spgemm(exec, schedule::merge_path{}, there_a, there_b);
  EXPECT_EQ(c.indices.to_vector(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(c.values.to_vector(), (std::vector<float>{5, -2, 0}));
}

TYPED_TEST(spgemm, one_dense_row_and_one_dense_column) {
  const auto row = loops::generate<float>("dense_row:rows=300,cols=300");
  const auto column = loops::generate<float>("dense_column:rows=300,cols=300");
  const auto small = [](const matrix& a) {
    auto b = a.to(loops::default_host_memory());
    for (std::size_t k = 0; k < b.values.size(); ++k) b.values[k] = static_cast<float>(k % 3) + 1;
    return b;
  };
  for (const auto* a : {&row, &column})
    for (const auto* b : {&row, &column})
      oracle::check(this->any(), schedule::merge_path{}, small(*a), small(*b));
}

TYPED_TEST(spgemm, other_values_under_the_same_plan) {
  const auto exec = this->any();
  auto a = loops::generate<float>("random:rows=60,cols=60,per_row=4");
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = static_cast<float>(k % 5) - 2;
  const auto there = a.to(exec.memory());
  const auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, there.view(), there.view());
  auto c = plan.pattern();
  plan(there.values.data(), there.values.data(), c.values.data());
  const auto once = c.values.to_vector();
  std::vector<float> doubled = a.values.to_vector();
  for (float& v : doubled) v *= 2;
  const loops::array<float> twice(doubled, exec.memory());
  plan(twice.data(), there.values.data(), c.values.data());
  const auto got = c.values.to_vector();
  for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], 2 * once[k]);
}

TYPED_TEST(spgemm, a_plan_keeps_nothing_per_product) {
  const auto exec = this->any();
  // 40 rows of 40 products each in 10 columns, and in 40.
  std::vector<std::vector<std::int64_t>> four(10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto a = oracle::matrix_of(four, 10).to(exec.memory());
  const auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, a.view(), a.view());
  EXPECT_EQ(plan.entries(), 100);
  EXPECT_LT(plan.bytes(), std::size_t{4 * 1000});
}

/// A pattern of one entry, with products that nobody should go through.
struct many_products {
  std::int64_t count;
  [[nodiscard]] std::int64_t products() const { return count; }
  [[nodiscard]] static std::int64_t entries() { return 1; }
  template <class Op>
  void walk(const Op&) const {
    ADD_FAILURE() << "products are counted in slots of 32 bits";
  }
};

TYPED_TEST(spgemm, keeps_no_more_products_than_a_slot_can_count) {
  const auto exec = this->any();
  using list_of_products =
      loops::spgemm_detail::product_list<TypeParam, schedule::merge_path, float, std::int64_t>;
  for (const std::int64_t count : {std::int64_t{1} << 31, std::int64_t{1} << 32})
    support::expect_error(loops::errc::overflow, "too many products to keep", [&] {
      list_of_products(exec, schedule::merge_path{}, many_products{count});
    });
  const auto a = oracle::matrix_of({{0, 2, 2}, {}, {0, 1, 2}}, 3).to(exec.memory());
  const loops::spgemm_detail::product_pattern c(exec, schedule::merge_path{}, a.view(), a.view());
  EXPECT_EQ(c.products(), 15);
}

/// So many rows of so many nonzeros, and a matrix of few columns to multiply them with.
std::pair<matrix, matrix> few_long_rows(int rows, int length, int cols) {
  std::vector<std::vector<std::int64_t>> a(static_cast<std::size_t>(rows));
  std::vector<std::vector<std::int64_t>> b(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) {
    for (int r = 0; r < rows; ++r)
      if ((i + r) % 7 != 0 && r != 1) a[static_cast<std::size_t>(r)].push_back(i);
    for (int c = i % 2; c < cols; c += 2) b[static_cast<std::size_t>(i)].push_back(c);
  }
  return {oracle::matrix_of(a, length), oracle::matrix_of(b, cols)};
}

// The second row is empty, and some parts of others are where rows are shorter than their parts.
TYPED_TEST(spgemm, rows_in_parts) {
  const auto exec = this->any();
  const auto [a, b] = few_long_rows(4, 90, 5);
  const auto there_a = a.to(exec.memory());
  const auto there_b = b.to(exec.memory());
  auto whole = loops::spgemm_plan(exec, schedule::merge_path{}, there_a.view(), there_b.view(), 1);
  const auto wanted = std::move(whole).result(there_a.values.data(), there_b.values.data());
  for (const int parts : {2, 3, 64, 200}) {
    SCOPED_TRACE(parts);
    loops::spgemm_plan plan(exec, schedule::merge_path{}, there_a.view(), there_b.view(), parts);
    EXPECT_EQ(plan.entries(), static_cast<std::int64_t>(wanted.values.size()));
    EXPECT_GT(plan.bytes(), std::size_t{0});
    auto c = plan.pattern();
    for (int kept = 0; kept < 2; ++kept) {
      c.values.fill(0xff);
      plan(there_a.values.data(), there_b.values.data(), c.values.data());
      EXPECT_NO_THROW(plan.check());
      EXPECT_EQ(c.values.to_vector(), wanted.values.to_vector());
      plan.keep_products();
    }
    c = std::move(plan).result(there_a.values.data(), there_b.values.data());
    EXPECT_EQ(c.offsets.to_vector(), wanted.offsets.to_vector());
    EXPECT_EQ(c.indices.to_vector(), wanted.indices.to_vector());
    EXPECT_EQ(c.values.to_vector(), wanted.values.to_vector());
  }
  support::expect_error(loops::errc::invalid_argument, "so few parts", [&] {
    loops::spgemm_plan(exec, schedule::merge_path{}, there_a.view(), there_b.view(), -1);
  });
}

TYPED_TEST(spgemm, refuses_parts_that_cannot_be_counted) {
  const auto exec = this->any();
  const auto a = oracle::matrix_of({{0}, {1}, {0, 1}}, 2).to(exec.memory());
  const auto b = oracle::matrix_of({{0}, {1}}, 2).to(exec.memory());
  for (const std::int64_t parts : {INT32_MAX / std::int64_t{3} + 1, INT64_MAX / 2})
    support::expect_error(loops::errc::overflow, "ask for fewer", [&] {
      loops::spgemm_plan(exec, schedule::merge_path{}, a.view(), b.view(), parts);
    });
  using loops::spgemm_detail::most_parts;
  const auto most = [](auto view, int rows) {
    view.rows = static_cast<decltype(view.rows)>(rows);
    return most_parts(view);
  };
  EXPECT_EQ(most(loops::csr_view<float>{}, 3), INT32_MAX / 3);
  EXPECT_EQ(most(loops::csr_view<float, std::int16_t, std::int64_t>{}, 7), INT16_MAX / 7);
  EXPECT_EQ(most(loops::csr_view<float, std::int64_t, std::int32_t>{}, 1), INT32_MAX);
}

TYPED_TEST(spgemm, no_rows_in_parts) {
  const auto exec = this->any();
  const auto b = oracle::matrix_of({{0}, {1}}, 2).to(exec.memory());
  const loops::csr_view<float> none{0, 2, 0, nullptr, nullptr, nullptr};
  const loops::spgemm_plan plan(exec, schedule::merge_path{}, none, b.view(), 4);
  EXPECT_EQ(plan.entries(), 0);
  EXPECT_EQ(plan.pattern().offsets.to_vector(), std::vector<int>{0});
}

TYPED_TEST(spgemm, few_long_rows_are_cut_where_that_pays) {
  const auto [a, b] = few_long_rows(2, 6000, 4);
  oracle::check(this->any(), schedule::merge_path{}, a, b);
  using loops::spgemm_detail::parts_that_pay;
  EXPECT_EQ(parts_that_pay(a.view(), b.view(), 1000), 10);  // 5143 products, 512 each
  EXPECT_EQ(parts_that_pay(a.view(), b.view(), 5), 5);
  EXPECT_EQ(parts_that_pay(a.view(), b.view(), 3), 1);
  const auto [c, d] = few_long_rows(2, 600, 400);
  EXPECT_GT(parts_that_pay(c.view(), d.view(), 1000), 1);
  const auto wide = loops::generate<float>("random:rows=20,cols=20,per_row=20");
  EXPECT_EQ(parts_that_pay(wide.view(), wide.view(), 1000), 1);
}

TYPED_TEST(spgemm, refuses_shapes_that_do_not_meet) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=5,per_row=2").to(exec.memory());
  support::expect_error(loops::errc::invalid_argument, "A has 5 columns, but B has 3 rows",
                        [&] { loops::spgemm(exec, schedule::merge_path{}, a.view(), a.view()); });
}

TYPED_TEST(spgemm, refuses_a_pattern_without_arrays) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=5,cols=5,per_row=2").to(exec.memory());
  auto none = a.view();
  none.indices = nullptr;
  for (const bool first : {true, false})
    support::expect_error(loops::errc::invalid_argument, "the indices are a null pointer", [&] {
      loops::plan_spgemm(exec, schedule::merge_path{}, first ? none : a.view(),
                         first ? a.view() : none);
    });
}

TYPED_TEST(spgemm, refuses_matrices_without_values) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=5,cols=5,per_row=2").to(exec.memory());
  auto bare = a.view();
  bare.values = nullptr;
  const auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, bare, bare);
  auto c = plan.pattern();
  const float* const here = a.values.data();
  float* const there = c.values.data();
  const auto refused = [](const auto& product) {
    support::expect_error(loops::errc::invalid_argument, "are a null pointer", product);
  };
  refused([&] { loops::spgemm(exec, schedule::merge_path{}, bare, a.view()); });
  refused([&] { loops::spgemm(exec, schedule::merge_path{}, a.view(), bare); });
  refused([&] { plan(nullptr, here, there); });
  refused([&] { plan(here, nullptr, there); });
  refused([&] { plan(here, here, nullptr); });
  const auto empty = oracle::matrix_of({{}, {}}, 2).to(exec.memory());
  auto none = empty.view();
  none.values = nullptr;
  EXPECT_EQ(loops::spgemm(exec, schedule::merge_path{}, none, none).values.size(), 0U);
  EXPECT_NO_THROW(
      loops::plan_spgemm(exec, schedule::merge_path{}, none, none)(nullptr, nullptr, nullptr));
}

TYPED_TEST(spgemm, refuses_matrices_that_do_not_know_how_many_nonzeros_they_have) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "the offsets are on the device";
  const auto a = loops::generate<float>("random:rows=5,cols=5,per_row=2");
  for (const std::int32_t wrong : {0, 3, 12})
    for (const bool first : {true, false})
      support::expect_error(loops::errc::invalid_argument, "does a matrix not know", [&] {
        auto bad = a.view();
        bad.nonzeros = wrong;
        loops::plan_spgemm(exec, schedule::merge_path{}, first ? bad : a.view(),
                           first ? a.view() : bad);
      });
}

TYPED_TEST(spgemm, refuses_columns_outside_of_a_matrix) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "the columns are on the device";
  const auto good = loops::generate<float>("random:rows=5,cols=5,per_row=2");
  for (const std::int32_t wrong : {-1, 5, 1 << 30})
    for (const bool first : {true, false}) {
      auto bad = good.to(loops::default_host_memory());
      bad.indices[3] = wrong;
      support::expect_error(loops::errc::invalid_argument,
                            first ? "A: row 1 has column" : "B: row 1 has column", [&] {
                              loops::plan_spgemm(exec, schedule::merge_path{},
                                                 (first ? bad : good).view(),
                                                 (first ? good : bad).view());
                            });
    }
}

TYPED_TEST(spgemm, refuses_values_that_begin_where_others_do) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=5,cols=5,per_row=5").to(exec.memory());
  loops::array<float> other(a.values.size(), exec.memory());
  const auto plan = loops::plan_spgemm(exec, schedule::merge_path{}, a.view(), a.view());
  support::expect_error(loops::errc::invalid_argument, "C begins where A does",
                        [&] { plan(other.data(), a.values.data(), other.data()); });
  support::expect_error(loops::errc::invalid_argument, "C begins where B does",
                        [&] { plan(a.values.data(), other.data(), other.data()); });
}

}  // namespace
