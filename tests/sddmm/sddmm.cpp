// SPDX-License-Identifier: Apache-2.0
/// SDDMM: exact at every nonzero, in every layout and depth, and refusals.
#include "algorithms/sddmm/sddmm.hpp"

#include "loops/schedule/automatic.hpp"
#include "loops/schedule/merge_path.hpp"
#include "support/counting.hpp"

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

double of_a(std::int64_t r, std::int64_t c) {
  return static_cast<double>((r * 3 + c * 5 + r * c / 3) % 7 - 3);
}
double of_b(std::int64_t r, std::int64_t c) {
  return static_cast<double>((r + c * 2 + r * c / 5) % 5 - 2);
}

/// A dense matrix with elements f(r, c) in the memory of an executor.
template <class V, class Exec, class F>
std::pair<loops::array<V>, dense_view<V>> make(const Exec& exec, std::int64_t rows,
                                               std::int64_t cols, layout order, const F& f) {
  std::vector<V> host(static_cast<std::size_t>(rows * cols), V(0.0F));
  dense_view<V> view = order == layout::row_major ? loops::by_rows(host.data(), rows, cols)
                                                  : loops::by_columns(host.data(), rows, cols);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) view(r, c) = V(static_cast<float>(f(r, c)));
  loops::array<V> device(host, exec.memory());
  view.data = device.data();
  return {std::move(device), view};
}

template <class V, class Exec, class Schedule, class A>
void check(const Exec& exec, const Schedule& schedule, const A& host, std::int64_t depth,
           layout a_order, layout b_order) {
  SCOPED_TRACE("depth " + std::to_string(depth));
  const auto pattern = host.to(exec.memory());
  const auto [a_data, a] = make<V>(exec, host.rows, depth, a_order, of_a);
  const auto [b_data, b] = make<V>(exec, depth, host.cols, b_order, of_b);
  std::vector<float> exact;
  for (std::int64_t r = 0; r < host.rows; ++r)
    for (auto n = host.offsets[static_cast<std::size_t>(r)];
         n < host.offsets[static_cast<std::size_t>(r) + 1]; ++n) {
      double sum = 0;
      for (std::int64_t k = 0; k < depth; ++k)
        sum += of_a(r, k) * of_b(k, host.indices[static_cast<std::size_t>(n)]);
      exact.push_back(static_cast<float>(sum));
    }
  loops::array<V> out(exact.size(), exec.memory());
  out.fill(0xff);
  auto plan = loops::plan_sddmm(exec, schedule, pattern.view(), a, b);
  plan(a, b, out);
  EXPECT_NO_THROW(plan.check());
  const std::vector<V> first = out.to_vector();
  for (std::size_t n = 0; n < exact.size(); ++n)
    ASSERT_EQ(static_cast<float>(first[n]), exact[n]) << "nonzero " << n;
  plan(a, b, out, 2, -1);  // 2 s - s
  EXPECT_TRUE(support::same_bits(first, out.to_vector())) << "2 A B - A B is not A B";
}

template <class Exec>
class sddmm : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(sddmm, support::executors, support::executor_name);

TYPED_TEST(sddmm, every_matrix) {
  for (const auto& [name, a] : products::matrices<float, std::int32_t, std::int32_t>()) {
    SCOPED_TRACE(name);
    check<float>(this->any(), schedule::group_mapped{8}, a, 32, layout::row_major,
                 layout::column_major);
    check<float>(this->any(), schedule::merge_path{}, a, 7, layout::row_major,
                 layout::column_major);
    check<float>(this->any(), schedule::automatic{}, a, 40, layout::row_major,
                 layout::column_major);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(sddmm, every_depth_and_layout) {
  const auto all = products::matrices<float, std::int32_t, std::int32_t>();
  const auto& a = all[4].second;  // random
  for (const std::int64_t depth : {0, 1, 3, 4, 16, 33, 64})
    for (const layout x : {layout::row_major, layout::column_major})
      for (const layout y : {layout::row_major, layout::column_major}) {
        check<float>(this->any(), schedule::group_mapped{4}, a, depth, x, y);
        if (this->HasFailure()) return;
      }
}

// One lane per nonzero and more, up to all of a wave; and what no wave has room for.
TYPED_TEST(sddmm, stretches_of_every_depth) {
  const auto all = products::matrices<float, std::int32_t, std::int32_t>();
  const auto doubles = products::matrices<double, std::int32_t, std::int32_t>();
  const auto& a = all[4].second;  // random
  for (const std::int64_t depth :
       {0, 1, 5, 16, 17, 33, 64, 65, 96, 97, 129, 130, 193, 385, 511, 513, 1030}) {
    check<float>(this->any(), schedule::automatic{}, a, depth, layout::row_major,
                 layout::column_major);
    check<float>(this->any(), schedule::merge_path{}, a, depth, layout::row_major,
                 layout::column_major);  // of many packs, some nonzeros are cut
    check<double>(this->any(), schedule::automatic{}, doubles[4].second, depth,
                  layout::column_major, layout::row_major);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(sddmm, halves_are_summed_as_floats) {
  const auto all = products::matrices<loops::half, std::int32_t, std::int32_t>();
  check<loops::half>(this->any(), schedule::group_mapped{2}, all[4].second, 24, layout::row_major,
                     layout::column_major);
  check<loops::half>(this->any(), schedule::automatic{}, all[4].second, 24, layout::row_major,
                     layout::column_major);
}

class sddmm_memory : public support::on_executor<support::with_waves> {};

/// Rows that bundles hold, and those that they do not, of matrices as they are and copied.
TEST_F(sddmm_memory, is_what_the_plan_says) {
  const auto exec = any();
  const auto pattern = loops::generate<float>("banded:rows=40,width=5").to(exec.memory());
  for (const layout order : {layout::row_major, layout::column_major})
    for (const std::int64_t depth : {0, 8, 600}) {
      const auto [a_data, a] = make<float>(exec, pattern.rows, depth, order, of_a);
      const auto [b_data, b] = make<float>(exec, depth, pattern.cols, order, of_b);
      const dense_view<const float> left = a;
      const dense_view<const float> right = b;
      support::expect_held(exec, [&](const auto& e) {
        return loops::plan_sddmm(e, schedule::merge_path{}, pattern.view(), left, right);
      });
    }
}

TYPED_TEST(sddmm, the_one_call_form_and_refusals) {
  const auto exec = this->any();
  const auto pattern = loops::generate<float>("banded:rows=20,width=3").to(exec.memory());
  const auto a_held = make<float>(exec, 20, 8, layout::row_major, of_a);
  const auto b_held = make<float>(exec, 8, 20, layout::column_major, of_b);
  const auto c_held = make<float>(exec, 9, 20, layout::column_major, of_b);
  const auto& a = a_held.second;
  const auto& b = b_held.second;
  const auto& c = c_held.second;
  loops::array<float> out(static_cast<std::size_t>(pattern.nonzeros()), exec.memory());
  loops::array<float> few(3, exec.memory());
  loops::sddmm(exec, pattern, a, b, out);
  double sum = 0;
  for (std::int64_t k = 0; k < 8; ++k) sum += of_a(0, k) * of_b(k, 0);
  EXPECT_EQ(out.to_vector()[0], static_cast<float>(sum));
  const auto plan = loops::plan_sddmm(exec, schedule::group_mapped{2}, pattern.view(), a, b);
  expect_error(errc::invalid_argument, "B is 9 x 20, but 8 x 20", [&] { plan(a, c, out); });
  expect_error(errc::invalid_argument, "A is 19 x 8, but 20 x 8", [&] {
    plan(dense_view<const float>{a.data, 19, 8, a.stride, a.order}, b, out);
  });
  expect_error(errc::invalid_argument, "out has 3 elements", [&] { plan(a, b, few); });
  const auto in_place = [&](const dense_view<const float>& operand, const char* words) {
    expect_error(errc::invalid_argument, words,
                 [&] { plan(a, b, const_cast<float*>(operand.data)); });
  };
  in_place(a, "out begins where A does");
  in_place(b, "out begins where B does");
  auto without = pattern.view();
  without.values = nullptr;
  EXPECT_NO_THROW(loops::sddmm(exec, without, a, b, out));
  without.indices = nullptr;
  expect_error(errc::invalid_argument, "the indices are a null pointer",
               [&] { loops::sddmm(exec, without, a, b, out); });
}

}  // namespace
