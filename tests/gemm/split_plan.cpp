// SPDX-License-Identifier: Apache-2.0
/// Products in parts of k, added by a second launch, are the products.
#include "algorithms/gemm/split_plan.hpp"

#include "algorithms/gemm/gemm.hpp"
#include "loops/core/float16.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gemm/products.hpp"

namespace {

using loops::bfloat16;
using loops::layout;
using loops::matrix;
using products::col;
using products::row;
using products::sizes;

template <class Exec>
class split_plan : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(split_plan, support::executors, support::executor_name);

/// alpha A B + beta C in so many parts of k, as it was planned and as if of others.
template <class T, class TC, layout LA, layout LB, class Exec>
void check_parts(const Exec& exec, const sizes& s, int parts, const products::scales& by = {}) {
  products::expected_product<T, T, TC, LA, LB, row> product(exec, s, by);
  std::vector<TC> first;
  for (const bool of_others : {false, true}) {
    const auto got = product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
      const auto p =
          loops::make_gemm_problem(a, b, c,
                                   loops::gemm_detail::chain(loops::epilogue::alpha{by.alpha},
                                                             loops::epilogue::beta{by.beta}));
      ASSERT_TRUE(loops::gemm_detail::can_split(p, parts));
      auto planned = p;
      const auto elements = std::max(p.a.outer() * p.a.leading, p.b.outer() * p.b.leading);
      loops::array<T> others(static_cast<std::size_t>(elements), exec.memory());
      others.fill(0);
      if (of_others) planned.a.data = planned.b.data = others.data();
      loops::gemm_detail::split_plan<Exec, std::remove_const_t<decltype(p)>> plan(
          exec, planned, {}, {-1, -1, 0, parts});
      EXPECT_EQ(plan.parts(), parts);
      EXPECT_GE(plan.bytes(), static_cast<std::size_t>(parts * s.m * s.n) * 4);
      if (of_others)
        plan.start(p);
      else
        plan.start();
      plan.check();
    });
    if (of_others) {
      EXPECT_TRUE(std::equal(got.begin(), got.end(), first.begin(), [](TC x, TC y) {
        return std::memcmp(&x, &y, sizeof x) == 0;
      })) << "twice the same product, and other bits";
    }
    first = got;
  }
}

TYPED_TEST(split_plan, gives_the_product_of_any_layout) {
  const auto exec = this->any();
  check_parts<bfloat16, float, row, col>(exec, {70, 45, 128}, 2);
  check_parts<bfloat16, float, row, row>(exec, {70, 45, 192}, 3);
  check_parts<bfloat16, float, col, col>(exec, {65, 33, 500}, 4);
  check_parts<bfloat16, float, col, row>(exec, {33, 64, 257}, 5);
  check_parts<double, double, row, col>(exec, {33, 35, 96}, 6);
  check_parts<std::int8_t, std::int32_t, row, col>(exec, {70, 45, 1100}, 9);
}

TYPED_TEST(split_plan, ends_the_last_part_where_k_ends) {
  const auto exec = this->any();
  for (const std::int64_t k : {65, 72, 120, 127, 128})
    for (const std::int64_t gap : {0, 8}) {
      check_parts<bfloat16, float, row, col>(exec, {20, 40, k, 1, gap, gap}, 2);
      check_parts<bfloat16, float, col, row>(exec, {20, 40, k, 1, gap, gap}, 2);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(split_plan, adds_more_parts_than_are_asked_for_together) {
  for (const int parts : {4, 5, 8, 9, 16, 17})
    check_parts<bfloat16, float, row, col>(this->any(), {20, 50, 64 * parts - 8}, parts);
}

TYPED_TEST(split_plan, ends_as_the_epilogue_says) {
  check_parts<bfloat16, bfloat16, row, col>(this->any(), {70, 45, 144}, 3, {0.5F, 2});
  check_parts<bfloat16, bfloat16, row, col>(this->any(), {1, 1, 80, 1, 16, 8}, 2, {2, 1});
  check_parts<bfloat16, bfloat16, row, col>(this->any(), {5, 7, 144, 1, 1, 1}, 3, {2, 1});
}

auto problem_of(std::int64_t k, std::int64_t batch = 1) {
  auto* const operands = reinterpret_cast<const bfloat16*>(std::uintptr_t{4096});
  auto* const result = reinterpret_cast<float*>(std::uintptr_t{1} << 40);
  return loops::make_gemm_problem(matrix<const bfloat16, row>(operands, 4, k, k, batch, 4 * k),
                                  matrix<const bfloat16, col>(operands, k, 4, k, batch, 4 * k),
                                  matrix<float, row>(result, 4, 4, 4, batch, 16),
                                  loops::gemm_detail::chain());
}

TEST(split_product, takes_as_many_parts_as_k_has_lines) {
  using loops::gemm_detail::can_split;
  EXPECT_TRUE(can_split(problem_of(129), 3));
  EXPECT_FALSE(can_split(problem_of(128), 3));
  EXPECT_FALSE(can_split(problem_of(64 * 9), 8)) << "five of two lines each";
  EXPECT_TRUE(can_split(problem_of(64 * 9), 5));
  EXPECT_FALSE(can_split(problem_of(128), 1)) << "a single part";
  EXPECT_FALSE(can_split(problem_of(128, 2), 2)) << "a batch already";
  EXPECT_FALSE(can_split(problem_of(0), 2)) << "of nothing";
}

TEST(split_product, is_a_batch_over_the_same_operands) {
  std::vector<bfloat16> a(6 * 100), b(100 * 5);
  std::vector<float> c(6 * 5), room(2 * 6 * 8);
  const auto p = loops::make_gemm_problem(
      matrix<const bfloat16, row>(a.data(), 6, 100), matrix<const bfloat16, row>(b.data(), 100, 5),
      matrix<float, row>(c.data(), 6, 5), loops::gemm_detail::chain());
  ASSERT_EQ(loops::gemm_detail::row_of_sums(p), 8);
  const auto parts = loops::gemm_detail::split_along_k(p, 2, room.data());
  EXPECT_EQ(parts.k(), 64);
  EXPECT_EQ(parts.k_of(0), 64);
  EXPECT_EQ(parts.k_of(1), 36);
  EXPECT_EQ(p.k_of(0), 100);
  EXPECT_EQ(parts.batch(), 2);
  EXPECT_EQ(parts.a.of_batch(1).data, a.data() + 64);
  EXPECT_EQ(parts.b.of_batch(1).data, b.data() + 64 * 5);
  EXPECT_EQ(parts.epilogue.c().of_batch(1).data, room.data() + 6 * 8);
}

#if LOOPS_CUDA
// 512 x 512 x 8192 has sixteen tiles for 132 processors.
TEST(split_plan_on_hopper, is_what_automatic_makes_of_few_tiles_and_many_steps) {
  const loops::gpu_executor exec;
  using problem = loops::gemm_problem<bfloat16, row, bfloat16, col, loops::gemm_epilogue<bfloat16>>;
  using engines = loops::gemm_engines<loops::gpu_executor, problem>;
  if (!loops::hopper::has_units(exec)) GTEST_SKIP() << "no GPU of sm_90";
  const auto parts_of = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    const loops::array<bfloat16> values(static_cast<std::size_t>(std::max({m * k, n * k, m * n})),
                                        exec.memory());
    const problem p{matrix<const bfloat16, row>(values.data(), m, k),
                    matrix<const bfloat16, col>(values.data(), k, n),
                    {matrix<bfloat16, row>(const_cast<bfloat16*>(values.data()), m, n),
                     loops::gemm_detail::chain()}};
    return engines::template choose<loops::gemm_breadth::few>(exec, p).parts;
  };
  EXPECT_GT(parts_of(512, 512, 8192), 1);
  EXPECT_GT(parts_of(512, 512, 8152), 1);
  EXPECT_EQ(parts_of(4096, 4096, 4096), 1);
  for (const std::int64_t k : {8192, 8152, 8191})
    products::check<bfloat16, bfloat16, bfloat16, row, col, row>(exec, loops::schedule::automatic{},
                                                                 {256, 200, k});
}
#endif

}  // namespace
