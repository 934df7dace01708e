// SPDX-License-Identifier: Apache-2.0
/// SpMV with the transposed matrix: exact, repeatable, and refused where vectors do not fit.
#include "algorithms/spmv_transposed/spmv_transposed.hpp"

#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"
#include "support/counting.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "spmv/products.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec>
class spmv_transposed : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmv_transposed, support::executors, support::executor_name);

TYPED_TEST(spmv_transposed, every_matrix) {
  const auto exec = this->any();
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    SCOPED_TRACE(name);
    std::vector<double> exact(static_cast<std::size_t>(a.cols));
    std::vector<float> x_values;
    for (std::int64_t r = 0; r < a.rows; ++r) {
      const double x = products::small<float>(r);
      x_values.push_back(static_cast<float>(x));
      for (auto k = a.offsets[static_cast<std::size_t>(r)];
           k < a.offsets[static_cast<std::size_t>(r) + 1]; ++k)
        exact[static_cast<std::size_t>(a.indices[static_cast<std::size_t>(k)])] +=
            double(a.values[static_cast<std::size_t>(k)]) * x;
    }
    std::vector<float> wanted(exact.begin(), exact.end());
    std::vector<float> combined;
    for (std::size_t c = 0; c < exact.size(); ++c)
      combined.push_back(static_cast<float>(2 * exact[c] - 3 * double(c % 5)));
    const auto device = a.to(exec.memory());
    const loops::array<float> x(x_values, exec.memory());
    loops::array<float> y(exact.size(), exec.memory());
    const auto plan = loops::plan_spmv_transposed(exec, schedule::merge_path{}, device.view());
    y.fill(0xff);
    plan(x, y);
    products::expect_equal(y.to_vector(), wanted, "A^T x");
    const auto first = y.to_vector();
    plan(x, y);
    EXPECT_TRUE(support::same_bits(first, y.to_vector())) << "the second run has other bits";
    const auto in_passes =
        loops::plan_spmv_transposed(exec, schedule::merge_path{}, device.view(), loops::passes{3});
    y.fill(0xff);
    in_passes(x, y);
    products::expect_equal(y.to_vector(), wanted, "A^T x in three passes");
    const auto hopping = loops::plan_spmv_transposed(exec, device.view(), loops::in_hops{});
    y.fill(0xff);
    hopping(x, y);
    products::expect_equal(y.to_vector(), wanted, "A^T x in hops");
    const auto hopped = y.to_vector();
    hopping(x, y);
    EXPECT_TRUE(support::same_bits(hopped, y.to_vector())) << "the second run has other bits";
    std::vector<float> before;
    for (std::size_t c = 0; c < exact.size(); ++c) before.push_back(static_cast<float>(c % 5));
    loops::array<float> z(before, exec.memory());
    loops::spmv_transposed(exec, schedule::group_mapped{4}, device.view(), x, z, 2.0F, -3.0F);
    products::expect_equal(z.to_vector(), combined, "2 A^T x - 3 y");
    exec.memory()->upload(z.data(), before.data(), before.size() * sizeof(float));
    in_passes(x, z, 2.0F, -3.0F);
    products::expect_equal(z.to_vector(), combined, "2 A^T x - 3 y in three passes");
    exec.memory()->upload(z.data(), before.data(), before.size() * sizeof(float));
    hopping(x, z, 2.0F, -3.0F);
    products::expect_equal(z.to_vector(), combined, "2 A^T x - 3 y in hops");
    if (this->HasFailure()) return;
  }
}

/// The transpose by columns is the matrix by rows.
TYPED_TEST(spmv_transposed, takes_what_owns_the_arrays_and_columns) {
  const auto exec = this->any();
  auto rows = loops::generate<float>("random:rows=30,cols=20,per_row=4");
  for (std::size_t k = 0; k < rows.values.size(); ++k) rows.values[k] = float(int(k % 7) - 3);
  const auto a = rows.to(exec.memory());
  const auto v = a.view();
  const loops::csc_view<float> turned{v.cols, v.rows, v.nonzeros, v.offsets, v.indices, v.values};
  const loops::array<float> x(std::vector<float>(30, 1), exec.memory());
  const loops::array<float> x20(std::vector<float>(20, 1), exec.memory());
  loops::array<float> y(20, exec.memory());
  loops::array<float> wanted(20, exec.memory());
  loops::spmv_transposed(exec, schedule::merge_path{}, a.view(), x, wanted, 2.0F);
  loops::spmv_transposed(exec, schedule::merge_path{}, a, x, y, 2.0F);
  products::expect_equal(y.to_vector(), wanted.to_vector(), "an owner");
  loops::spmv_transposed(exec, a, x, y, 1.0F);
  loops::spmv_transposed(exec, a.view(), x, y, 1.0F, 1.0F);
  products::expect_equal(y.to_vector(), wanted.to_vector(), "twice, without a schedule");
  loops::array<float> z(30, exec.memory());
  loops::array<float> product(30, exec.memory());
  loops::spmv(exec, schedule::merge_path{}, a, x20, product);
  loops::spmv_transposed(exec, schedule::merge_path{}, turned, x20, z);
  products::expect_equal(z.to_vector(), product.to_vector(), "by columns");
  z.fill(0xff);
  loops::plan_spmv_transposed(exec, schedule::merge_path{}, turned)(x20, z);
  products::expect_equal(z.to_vector(), product.to_vector(), "by columns, planned");
}

TYPED_TEST(spmv_transposed, a_copy_sees_values_when_refreshed) {
  const auto exec = this->any();
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    SCOPED_TRACE(name);
    const auto device = a.to(exec.memory());
    std::vector<float> ones(static_cast<std::size_t>(a.rows), 1.0F);
    const loops::array<float> x(ones, exec.memory());
    loops::array<float> y(static_cast<std::size_t>(a.cols), exec.memory());
    auto plan = loops::plan_spmv_transposed_copy(exec, schedule::merge_path{}, device.view());
    const auto sums = [&m = a](float scale) {
      std::vector<float> wanted(static_cast<std::size_t>(m.cols));
      for (std::size_t k = 0; k < m.values.size(); ++k)
        wanted[static_cast<std::size_t>(m.indices[k])] += scale * m.values[k];
      return wanted;
    };
    y.fill(0xff);
    plan(x, y);
    products::expect_equal(y.to_vector(), sums(1), "before values change");
    std::vector<float> other = a.values.to_vector();
    for (float& v : other) v *= -2;
    if (!other.empty())
      exec.memory()->upload(const_cast<float*>(device.values.data()), other.data(),
                            other.size() * sizeof(float));
    plan(x, y);
    products::expect_equal(y.to_vector(), sums(1), "before the copy is refreshed");
    plan.refresh();
    plan(x, y, 3.0F);
    EXPECT_NO_THROW(plan.check());
    products::expect_equal(y.to_vector(), sums(-6), "after the copy is refreshed");
    EXPECT_GE(plan.bytes(), a.values.size() * (sizeof(float) + 2 * sizeof(std::int32_t)));
    if (this->HasFailure()) return;
  }
}

class transposed_copy_memory : public support::on_executor<support::with_waves> {};

TEST_F(transposed_copy_memory, is_what_the_plan_says) {
  const auto exec = any();
  const auto a = loops::generate<float>("banded:rows=900,width=5").to(exec.memory());
  support::expect_held(exec, [&](const auto& e) {
    return loops::plan_spmv_transposed_copy(e, schedule::merge_path{}, a.view());
  });
}

TYPED_TEST(spmv_transposed, chooses_its_schedule) {
  const auto exec = this->any();
  auto a = loops::generate<float>("random:rows=300,cols=200,per_row=9");
  std::vector<float> wanted(200);
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values.data()[k] = float(int(k % 7) - 3);
  for (std::size_t k = 0; k < a.values.size(); ++k)
    wanted[static_cast<std::size_t>(a.indices.data()[k])] += a.values.data()[k];
  const auto device = a.to(exec.memory());
  const loops::array<float> x(std::vector<float>(300, 1.0F), exec.memory());
  loops::array<float> y(200, exec.memory());
  const auto check = [&](const auto& plan) {
    y.fill(0xff);
    plan(x, y);
    products::expect_equal(y.to_vector(), wanted, "A^T x");
    EXPECT_FALSE(plan.plan().reason().empty());
    EXPECT_EQ(plan.passes(), (std::is_same_v<TypeParam, loops::host_executor> ? 0 : 1))
        << "for values that any cache holds; in shares on a CPU";
  };
  check(loops::plan_spmv_transposed(exec, schedule::automatic{}, device.view()));
  check(loops::plan_spmv_transposed(exec, schedule::measured{}, device.view()));
}

/// Where the executor tells of a cache: a GPU.
TYPED_TEST(spmv_transposed, carries_products_of_rows_that_read_all_over) {
  const auto exec = this->any();
  if (loops::cache_bytes(exec) == 0) GTEST_SKIP() << "one pass is what a CPU takes";
  auto a = loops::generate<float>("random:rows=300k,cols=300k,per_row=10");
  std::vector<float> wanted(300'000);
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values.data()[k] = float(int(k % 7) - 3);
  for (std::size_t k = 0; k < a.values.size(); ++k)
    wanted[static_cast<std::size_t>(a.indices.data()[k])] += a.values.data()[k];
  const auto device = a.to(exec.memory());
  const loops::array<float> x(std::vector<float>(300'000, 1.0F), exec.memory());
  loops::array<float> y(300'000, exec.memory());
  auto plan = loops::plan_spmv_transposed(exec, schedule::automatic{}, device.view());
  EXPECT_EQ(plan.passes(), 0);
  EXPECT_GE(plan.bytes(), a.values.size() * (4 + sizeof(float)));
  y.fill(0xff);
  plan(x, y);
  EXPECT_NO_THROW(plan.check());
  products::expect_equal(y.to_vector(), wanted, "A^T x");
}

TYPED_TEST(spmv_transposed, refuses_vectors_that_are_short) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=7,per_row=2").to(exec.memory());
  const loops::array<float> three(3, exec.memory());
  const loops::array<float> two(2, exec.memory());
  loops::array<float> seven(7, exec.memory());
  loops::array<float> six(6, exec.memory());
  const auto plan = loops::plan_spmv_transposed(exec, schedule::merge_path{}, a.view());
  support::expect_error(loops::errc::invalid_argument, "x has 2 elements, but 3",
                        [&] { plan(two, seven); });
  support::expect_error(loops::errc::invalid_argument, "y has 6 elements, but 7",
                        [&] { plan(three, six); });
}

TYPED_TEST(spmv_transposed, refuses_a_result_that_begins_where_x_does) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("banded:rows=40,width=3").to(exec.memory());
  loops::array<float> v(40, exec.memory());
  const auto refused = [&](const auto& plan) {
    support::expect_error(loops::errc::invalid_argument, "y begins where x does",
                          [&] { plan(v, v); });
  };
  refused(loops::plan_spmv_transposed(exec, schedule::merge_path{}, a.view()));
  refused(loops::plan_spmv_transposed(exec, a.view(), loops::in_hops{}));
  refused(loops::plan_spmv_transposed_copy(exec, schedule::merge_path{}, a.view()));
}

TYPED_TEST(spmv_transposed, refuses_matrices_without_arrays) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=7,per_row=2").to(exec.memory());
  auto none = a.view();
  none.values = nullptr;
  support::expect_error(loops::errc::invalid_argument, "the values are a null pointer",
                        [&] { loops::plan_spmv_transposed(exec, schedule::merge_path{}, none); });
  support::expect_error(loops::errc::invalid_argument, "the values are a null pointer", [&] {
    loops::plan_spmv_transposed_copy(exec, schedule::merge_path{}, none);
  });
  support::expect_error(loops::errc::invalid_argument, "the values are a null pointer", [&] {
    loops::plan_spmv_transposed(exec, schedule::merge_path{}, none, loops::passes{2});
  });
}

TYPED_TEST(spmv_transposed, refuses_matrices_that_do_not_know_how_many_nonzeros_they_have) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=7,per_row=2").to(exec.memory());
  auto bad = a.view();
  bad.nonzeros = 4;
  const char* const words = "does a matrix not know how many nonzeros it has?";
  support::expect_error(loops::errc::invalid_argument, words,
                        [&] { loops::plan_spmv_transposed(exec, schedule::merge_path{}, bad); });
  support::expect_error(loops::errc::invalid_argument, words, [&] {
    loops::plan_spmv_transposed_copy(exec, schedule::merge_path{}, bad);
  });
}

}  // namespace
