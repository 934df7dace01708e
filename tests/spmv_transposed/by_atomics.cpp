// SPDX-License-Identifier: Apache-2.0
/// Transposed SpMV by atomics: exact where sums are, under every schedule, and refused like others.
#include "algorithms/spmv_transposed/by_atomics.hpp"

#include "algorithms/spmv_transposed/spmv_transposed.hpp"
#include "loops/schedule/automatic.hpp"
#include "support/counting.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "spmv/products.hpp"

namespace {

namespace schedule = loops::schedule;

template <class Exec>
class spmv_transposed_by_atomics : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spmv_transposed_by_atomics, support::executors, support::executor_name);

/// Odd multiples of 1/64: sums of a few thousand products are exact in any order, and none of them
/// is zero by chance where it should not be.
template <class V>
V exact(std::int64_t i) {
  return static_cast<V>(2 * ((i * 31 + i / 7) % 32) - 31) / V(64);
}

/// A matrix, its x, and what comes out.
template <class V, class I, class O>
struct sample {
  loops::csr<V, I, O> a;
  std::vector<V> x;
  std::vector<double> product;
};

template <class V, class I, class O>
sample<V, I, O> sample_of(loops::csr<V, I, O> a) {
  sample<V, I, O> s{std::move(a), {}, {}};
  s.product.assign(static_cast<std::size_t>(s.a.cols), 0.0);
  for (std::size_t k = 0; k < s.a.values.size(); ++k)
    s.a.values[k] = exact<V>(static_cast<std::int64_t>(k));
  for (std::int64_t r = 0; r < s.a.rows; ++r) {
    s.x.push_back(exact<V>(r + 5));
    for (auto k = static_cast<std::size_t>(s.a.offsets[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(s.a.offsets[static_cast<std::size_t>(r) + 1]); ++k)
      s.product[static_cast<std::size_t>(s.a.indices[k])] +=
          double(s.a.values[k]) * double(s.x.back());
  }
  return s;
}

template <class V>
V before(std::size_t column) {
  return exact<V>(static_cast<std::int64_t>(column) + 17);
}

/// alpha times the product, and beta times what was there.
template <class V>
std::vector<V> combined(const std::vector<double>& product, double alpha, double beta) {
  std::vector<V> all;
  for (std::size_t c = 0; c < product.size(); ++c)
    all.push_back(static_cast<V>(alpha * product[c] + beta * double(before<V>(c))));
  return all;
}

/// Twice into NaNs, which must not be read, and twice into what was there.
template <class Exec, class Schedule, class V, class I, class O>
void check(const Exec& exec, const Schedule& how, const sample<V, I, O>& s) {
  const auto there = s.a.to(exec.memory());
  const loops::array<V> x(s.x, exec.memory());
  loops::array<V> y(s.product.size(), exec.memory());
  auto plan = loops::plan_spmv_transposed(exec, how, there.view(), loops::by_atomics{});
  for (int i = 0; i < 2; ++i) {
    y.fill(0xff);
    plan(x, y);
    products::expect_equal(y.to_vector(), combined<V>(s.product, 1, 0), "A^T x");
  }
  std::vector<V> old;
  for (std::size_t c = 0; c < s.product.size(); ++c) old.push_back(before<V>(c));
  loops::array<V> z(old, exec.memory());
  plan(x, z, V(2), V(-4));
  products::expect_equal(z.to_vector(), combined<V>(s.product, 2, -4), "2 A^T x - 4 y");
  exec.memory()->upload(z.data(), old.data(), old.size() * sizeof(V));
  plan(x, z, V(-2), V(1));
  products::expect_equal(z.to_vector(), combined<V>(s.product, -2, 1), "y - 2 A^T x");
  exec.memory()->upload(z.data(), old.data(), old.size() * sizeof(V));
  loops::spmv_transposed(exec, how, there, loops::by_atomics{}, x, z, V(4), V(0.5));
  products::expect_equal(z.to_vector(), combined<V>(s.product, 4, 0.5), "4 A^T x + y / 2, once");
  plan.check();
}

template <class V, class I, class O, class Exec>
void check_all(const Exec& exec) {
  auto all = products::matrices<V, I, O>();
  // Slices that begin and end inside of long rows, on lines and beside them.
  for (const char* spec : {"dense_row:rows=9,cols=7001", "dense_column:rows=5003,cols=3",
                           "short_wide:rows=2,cols=4000,per_row=2999"})
    all.emplace_back(spec, loops::generate<V, I, O>(spec));
  for (const auto& [name, a] : all) {
    SCOPED_TRACE(name + ", " + std::to_string(sizeof(V)) + "-byte values");
    const auto s = sample_of(a.to(loops::default_host_memory()));
    for (const support::named_point& p :
         products::is_emulated<Exec> ? products::some_points() : support::all_points()) {
      SCOPED_TRACE(p.name);
      std::visit([&](const auto& how) { check(exec, how, s); }, p.schedule);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TYPED_TEST(spmv_transposed_by_atomics, every_schedule) {
  check_all<float, std::int32_t, std::int32_t>(this->any());
}

TYPED_TEST(spmv_transposed_by_atomics, wide_values_and_offsets) {
  check_all<double, std::int32_t, std::int64_t>(this->any());
}

TYPED_TEST(spmv_transposed_by_atomics, automatic_chooses_as_for_rows) {
  const auto exec = this->any();
  for (const char* spec : {"random:rows=300,cols=200,per_row=9", "dense_row:rows=900,per_row=3"}) {
    SCOPED_TRACE(spec);
    const auto s = sample_of(loops::generate<float>(spec));
    check(exec, schedule::automatic{}, s);
    const auto there = s.a.to(exec.memory());
    const auto chosen =
        loops::plan_spmv_transposed(exec, schedule::automatic{}, there.view(), loops::by_atomics{});
    const auto sums = loops::plan<float>(exec, schedule::automatic{}, rows_of(there.view()));
    EXPECT_EQ(chosen.plan().reason(), sums.reason());
  }
}

TYPED_TEST(spmv_transposed_by_atomics, keeps_no_index) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3000,cols=2000,per_row=20").to(exec.memory());
  const auto plan =
      loops::plan_spmv_transposed(exec, schedule::group_mapped{4}, a.view(), loops::by_atomics{});
  EXPECT_EQ(plan.bytes(), 0U);
  support::expect_held(exec, [&](const auto& e) {
    return loops::plan_spmv_transposed(e, schedule::merge_path{}, a.view(), loops::by_atomics{});
  });
}

TYPED_TEST(spmv_transposed_by_atomics, sees_values_and_columns_that_change) {
  const auto exec = this->any();
  auto a = loops::generate<float>("random:rows=90,cols=70,per_row=5");
  const auto there = a.to(exec.memory());
  const auto plan =
      loops::plan_spmv_transposed(exec, schedule::merge_path{}, there.view(), loops::by_atomics{});
  for (std::size_t k = 0; k < a.indices.size(); ++k) a.indices[k] = 69 - a.indices[k];
  const auto s = sample_of(std::move(a));
  exec.memory()->upload(const_cast<float*>(there.values.data()), s.a.values.data(),
                        s.a.values.size() * sizeof(float));
  exec.memory()->upload(const_cast<std::int32_t*>(there.indices.data()), s.a.indices.data(),
                        s.a.indices.size() * sizeof(std::int32_t));
  const loops::array<float> x(s.x, exec.memory());
  loops::array<float> y(s.product.size(), exec.memory());
  plan(x, y);
  products::expect_equal(y.to_vector(), combined<float>(s.product, 1, 0), "A^T x");
}

TYPED_TEST(spmv_transposed_by_atomics, refuses_what_does_not_fit) {
  const auto exec = this->any();
  const auto a = loops::generate<float>("random:rows=3,cols=7,per_row=2").to(exec.memory());
  const loops::array<float> three(3, exec.memory());
  const loops::array<float> two(2, exec.memory());
  loops::array<float> seven(7, exec.memory());
  loops::array<float> six(6, exec.memory());
  const auto plan =
      loops::plan_spmv_transposed(exec, schedule::merge_path{}, a.view(), loops::by_atomics{});
  support::expect_error(loops::errc::invalid_argument, "x has 2 elements, but 3",
                        [&] { plan(two, seven); });
  support::expect_error(loops::errc::invalid_argument, "y has 6 elements, but 7",
                        [&] { plan(three, six); });
  support::expect_error(loops::errc::invalid_argument, "y begins where x does",
                        [&] { plan(seven, seven); });
  const auto refused = [&](const auto& view, const char* words) {
    support::expect_error(loops::errc::invalid_argument, words, [&] {
      loops::plan_spmv_transposed(exec, schedule::automatic{}, view, loops::by_atomics{});
    });
  };
  auto wrong = a.view();
  wrong.values = nullptr;
  refused(wrong, "the values are a null pointer");
  wrong = a.view();
  wrong.indices = nullptr;
  refused(wrong, "the indices are a null pointer");
  wrong = a.view();
  wrong.offsets = nullptr;
  refused(wrong, "the offsets are a null pointer");
  wrong = a.view();
  wrong.cols = -7;
  refused(wrong, "neither may be negative");
}

}  // namespace
