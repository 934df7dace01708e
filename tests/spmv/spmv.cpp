// SPDX-License-Identifier: Apache-2.0
/// The interface of SpMV: what it accepts, what it refuses, what a plan holds.
#include "algorithms/spmv/spmv.hpp"

#include "loops/algorithm/for_each_atom.hpp"
#include "loops/io/generate.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace {

using loops::errc;
using support::expect_error;
namespace schedule = loops::schedule;

/// 3 x 4: (1 0 2 0; 0 0 0 0; 0 3 0 4), in the memory of an executor.
template <class Exec>
loops::csr<float> small_matrix(const Exec& exec) {
  const std::vector<int> offsets{0, 2, 2, 4};
  const std::vector<int> indices{0, 2, 1, 3};
  const std::vector<float> values{1, 2, 3, 4};
  const auto& m = exec.memory();
  return {3, 4, loops::array<int>(offsets, m), loops::array<int>(indices, m),
          loops::array<float>(values, m)};
}

template <class Exec>
class spmv : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmv, support::executors, support::executor_name);

TYPED_TEST(spmv, takes_vectors_as_they_come) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const std::vector<float> ones{1, 10, 100, 1000};
  const loops::array<float> x(ones, exec.memory());
  loops::array<float> y(3, exec.memory());
  const std::vector<float> wanted{201, 0, 4030};
  const auto plan = loops::plan_spmv(exec, schedule::merge_path{}, a.view());

  const auto expect = [&] {
    EXPECT_EQ(y.to_vector(), wanted);
    y.fill(0xff);
  };
  y.fill(0xff);
  plan(x, y);
  expect();
  plan(x.data(), y.data());
  expect();
  plan(x.span(), y.span());
  expect();
  plan(std::span<const float>(x.data(), 4), std::span<float>(y.data(), 3));
  expect();
  loops::spmv(exec, schedule::thread_mapped{}, a.view(), x, y);
  expect();
  loops::spmv(exec, schedule::nonzero_split{}, a.view(), x.data(), y);
  expect();
  if (exec.memory()->on_host()) {
    std::vector<float> out(3, -1.0F);
    plan(ones, out);
    EXPECT_EQ(out, wanted);
  }
}

/// Row r is vector element r + 1, round and round, and up to four more that count nothing.
template <class Exec>
loops::csr<float> turning_matrix(const Exec& exec, int n) {
  std::vector<int> offsets{0};
  std::vector<int> indices;
  std::vector<float> values;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k <= r % 5; ++k) {
      indices.push_back((r + 1 + k * 7) % n);
      values.push_back(k == 0 ? 1.0F : 0.0F);
    }
    offsets.push_back(static_cast<int>(indices.size()));
  }
  const auto& m = exec.memory();
  return {n, n, loops::array<int>(offsets, m), loops::array<int>(indices, m),
          loops::array<float>(values, m)};
}

TYPED_TEST(spmv, waits_for_the_product_before) {
  const auto exec = this->any();
  const auto check = [&](const auto& how, int n) {
    const auto a = turning_matrix(exec, n);
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<float>(i);
    loops::array<float> x(numbers, exec.memory());
    loops::array<float> y(numbers.size(), exec.memory());
    const auto step = loops::plan_spmv(exec, how, a.view());
    constexpr int steps = 40;
    for (int i = 0; i < steps; i += 2) {
      step(x, y);
      step(y, x);
    }
    const std::vector<float> found = x.to_vector();
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], static_cast<float>((i + steps) % n))
          << how.name() << " of " << n;
  };
  for (const int n :
       exec.memory()->on_host() ? std::vector{300} : std::vector{300, 30000, 900000}) {
    check(schedule::group_mapped{1}, n);
    check(schedule::group_mapped{4}, n);
    check(schedule::merge_path{}, n);
    check(schedule::nonzero_split{}, n);
    check(schedule::automatic{1'000'000'000}, n);
  }
}

/// Doubles numbers, in the executor's memory.
struct twice {
  float* numbers;
  LOOPS_HD void operator()(std::int64_t, std::int64_t a) const { numbers[a] *= 2; }
};

TYPED_TEST(spmv, takes_values_that_whatever_came_before_wrote) {
  const auto exec = this->any();
  const auto check = [&](const auto& how, int n) {
    auto a = turning_matrix(exec, n);
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<float>(i % 97);
    const loops::array<float> x(numbers, exec.memory());
    loops::array<float> y(numbers.size(), exec.memory());
    y.fill(0);
    const auto step = loops::plan_spmv(exec, how, a.view());
    const auto change =
        loops::plan<float>(exec, schedule::group_mapped{1}, loops::uniform(a.nonzeros(), 1));
    constexpr int steps = 8;
    for (int i = 0; i < steps; ++i) {
      step(x, y, 1.0F, 1.0F);
      loops::for_each_atom(change, twice{a.values.data()});
    }
    const std::vector<float> found = y.to_vector();
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)],
                numbers[static_cast<std::size_t>((i + 1) % n)] * ((1 << steps) - 1))
          << how.name() << " of " << n;
  };
  for (const int n : exec.memory()->on_host() ? std::vector{300} : std::vector{300, 30000}) {
    check(schedule::group_mapped{1}, n);
    check(schedule::group_mapped{64}, n);
    check(schedule::merge_path{}, n);
    check(schedule::automatic{1'000'000'000}, n);
  }
}

TYPED_TEST(spmv, scales_and_adds) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const loops::array<float> x(std::vector<float>{1, 10, 100, 1000}, exec.memory());
  loops::array<float> y(std::vector<float>{1, 2, 3}, exec.memory());
  loops::spmv(exec, schedule::merge_path{}, a.view(), x, y, 2.0F, 10.0F);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{412, 20, 8090}));
  loops::spmv(exec, schedule::merge_path{}, a.view(), x, y, 0.0F, 1.0F);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{412, 20, 8090}));
}

TYPED_TEST(spmv, takes_a_matrix_that_owns_its_arrays) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const loops::array<float> x(std::vector<float>{1, 10, 100, 1000}, exec.memory());
  loops::array<float> y(std::vector<float>{1, 2, 3}, exec.memory());
  loops::spmv(exec, schedule::merge_path{}, a, x, y, 2.0F, 10.0F);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{412, 20, 8090}));
  loops::spmv(exec, a, x, y);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{201, 0, 4030}));
}

TYPED_TEST(spmv, refuses_vectors_that_are_short_or_null) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const loops::array<float> x(4, exec.memory());
  const loops::array<float> short_x(3, exec.memory());
  loops::array<float> y(3, exec.memory());
  loops::array<float> short_y(2, exec.memory());
  const float* no_x = nullptr;
  float* no_y = nullptr;
  const auto plan = loops::plan_spmv(exec, schedule::wave_mapped{}, a.view());
  expect_error(errc::invalid_argument, "x has 3 elements, but 4", [&] { plan(short_x, y); });
  expect_error(errc::invalid_argument, "y has 2 elements, but 3", [&] { plan(x, short_y); });
  expect_error(errc::invalid_argument, "x is a null pointer", [&] { plan(no_x, y); });
  expect_error(errc::invalid_argument, "y is a null pointer", [&] { plan(x, no_y); });
  expect_error(errc::invalid_argument, "x has 3 elements, but 4",
               [&] { loops::spmv(exec, schedule::merge_path{}, a.view(), short_x, y); });
  expect_error(errc::invalid_argument, "y has 2 elements, but 3",
               [&] { loops::spmv(exec, schedule::merge_path{}, a.view(), x, short_y); });
}

TYPED_TEST(spmv, refuses_a_result_that_begins_where_x_does) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("banded:rows=40,width=3").to(exec.memory());
  loops::array<float> v(std::vector<float>(40, 2.0F), exec.memory());
  const auto plan = loops::plan_spmv(exec, schedule::merge_path{}, a.view());
  const char* const words = "y begins where x does";
  expect_error(errc::invalid_argument, words, [&] { plan(v, v); });
  expect_error(errc::invalid_argument, words, [&] { plan(v.data(), v, 1.0F, 1.0F); });
  expect_error(errc::invalid_argument, words, [&] { loops::spmv(exec, a.view(), v, v); });
  EXPECT_EQ(v.to_vector(), std::vector<float>(40, 2.0F));
  // Without columns there is no x to read, and without rows no y to write.
  const loops::csr<float> tall{3, 0, loops::array<std::int32_t>(std::vector<std::int32_t>(4, 0)),
                               loops::array<std::int32_t>(0), loops::array<float>(0)};
  const loops::csr<float> flat{0, 3, loops::array<std::int32_t>(std::vector<std::int32_t>(1, 0)),
                               loops::array<std::int32_t>(0), loops::array<float>(0)};
  EXPECT_NO_THROW(loops::spmv(exec, tall.to(exec.memory()).view(), v, v, 1.0F, 2.0F));
  EXPECT_EQ(v.to_vector()[2], 4.0F);
  EXPECT_EQ(v.to_vector()[3], 2.0F);
  EXPECT_NO_THROW(loops::spmv(exec, flat.to(exec.memory()).view(), v, v));
}

TYPED_TEST(spmv, refuses_matrices_without_arrays) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const auto refuse = [&](const auto& view, const char* what) {
    expect_error(errc::invalid_argument, what,
                 [&] { loops::plan_spmv(exec, schedule::merge_path{}, view); });
  };
  auto none = a.view();
  none.offsets = nullptr;
  refuse(none, "the offsets are a null pointer");
  none = a.view();
  none.indices = nullptr;
  refuse(none, "the indices are a null pointer");
  none = a.view();
  none.values = nullptr;
  refuse(none, "the values are a null pointer");
  refuse(loops::coo_view<float>{3, 4, 2, nullptr, nullptr, nullptr}, "the row indices are a null");
  refuse(loops::ell_view<float>{3, 4, 2, 2, a.indices.data(), a.values.data()}, "stride 2");
  refuse(loops::csr_view<float>{-1, 4, 0, nullptr, nullptr, nullptr}, "neither may be negative");
}

TYPED_TEST(spmv, refuses_coordinates_that_are_not_sorted_where_it_can_read_them) {
  const auto exec = this->any();
  if (!exec.memory()->on_host()) GTEST_SKIP() << "the coordinates are on the device";
  const std::vector<int> rows{2, 0, 1}, outside{0, 3, 3}, columns{0, 0, 0};
  const std::vector<float> values{1, 2, 3};
  loops::coo_view<float> a{3, 3, 3, rows.data(), columns.data(), values.data()};
  expect_error(errc::invalid_argument, "coordinates must be sorted by row",
               [&] { loops::plan_spmv(exec, schedule::merge_path{}, a); });
  a.row_indices = outside.data();
  expect_error(errc::invalid_argument, "there are 3 tiles",
               [&] { loops::plan_spmv(exec, schedule::merge_path{}, a); });
}

TYPED_TEST(spmv, takes_every_schedule_by_its_name) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const loops::array<float> x(std::vector<float>{1, 10, 100, 1000}, exec.memory());
  loops::array<float> y(3, exec.memory());
  for (const loops::named_schedule& s : loops::all_schedules()) {
    y.fill(0xff);
    std::visit([&](const auto& one) { loops::spmv(exec, one, a.view(), x, y); }, s.schedule);
    EXPECT_EQ(y.to_vector(), (std::vector<float>{201, 0, 4030})) << s.name;
  }
}

TYPED_TEST(spmv, a_plan_says_what_it_holds) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  EXPECT_EQ(loops::plan_spmv(exec, schedule::wave_mapped{}, a.view()).bytes(), 0U);
  EXPECT_GT(loops::plan_spmv(exec, schedule::lrb{}, a.view()).bytes(), sizeof(loops::bin_table));
  EXPECT_GT(loops::plan_spmv(exec, schedule::merge_path{}, a.view()).bytes(), 0U);
}

TYPED_TEST(spmv, a_plan_can_be_checked_whatever_its_schedule) {
  const auto exec = this->any();
  const auto a = small_matrix(exec);
  const loops::array<float> x(std::vector<float>{1, 10, 100, 1000}, exec.memory());
  loops::array<float> y(3, exec.memory());
  const auto check = [&](const auto& s) {
    auto plan = loops::plan_spmv(exec, s, a.view());
    y.fill(0xff);
    plan(x, y);
    EXPECT_NO_THROW(plan.check());
    EXPECT_EQ(y.to_vector(), (std::vector<float>{201, 0, 4030})) << s.name();
  };
  check(schedule::automatic{});
  check(schedule::merge_path{});
  check(schedule::lrb{});
}

}  // namespace
