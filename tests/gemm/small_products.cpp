// SPDX-License-Identifier: Apache-2.0
/// Batches of small products, a wave each: types, layouts, edges, and what is left to larger tiles.
#include "algorithms/gemm/gemm.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/measured.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "gemm/products.hpp"

namespace {

using loops::bfloat16;
using loops::layout;
using products::col;
using products::row;
using products::sizes;

template <class Exec>
class small_products : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(small_products, support::executors, support::executor_name);

/// More products than keep a machine busy once.
template <class Exec>
std::int64_t many(const Exec& exec) {
  if constexpr (requires { exec.facts().processors; }) {
    return 2 * exec.facts().processors + 1;
  } else {
    return 3;
  }
}

/// alpha A B + beta C as `automatic` computes it.
template <class TA, class TB, class TC, layout LA, layout LB, layout LC, class Exec>
void check_product(const Exec& exec, const sizes& s, const products::scales& by = {2, -1}) {
  SCOPED_TRACE(testing::Message() << s.m << " x " << s.n << " x " << s.k << ", " << s.batch);
  products::expected_product<TA, TB, TC, LA, LB, LC> product(exec, s, by);
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    loops::plan_gemm(exec, loops::schedule::automatic{}, a, b, c, loops::epilogue::alpha{by.alpha},
                     loops::epilogue::beta{by.beta})();
  });
}

/// Of the engines that are compiled for a problem, the one off the menu that takes it, as
/// `automatic` does, and `measured` tries first; -1: none.
template <class TA, class TB, layout LA, layout LB, class Exec>
int small_engine_for(const Exec& exec, const sizes& s) {
  products::expected_product<TA, TB, float, LA, LB, row> product(exec, s);
  int found = -1;
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    const auto p = loops::make_gemm_problem(a, b, c, loops::gemm_detail::chain());
    using problem = std::remove_const_t<decltype(p)>;
    using engines = loops::gemm_engines<Exec, problem>;
    constexpr auto few = loops::gemm_breadth::few;
    found = loops::gemm_detail::off_menu(typename engines::template list<few>{}, exec, p);
    const auto plan = loops::plan_gemm(exec, loops::schedule::automatic{}, a, b, c);
    EXPECT_EQ(found >= 0, std::string(plan.engine()) == "portable, small products");
    const auto tried = engines::template choose_several<few>(exec, p, 4);
    EXPECT_EQ(found >= 0, tried.front().engine == found);
    EXPECT_GT(tried.size(), 1U);
    plan();
  });
  return found;
}

TYPED_TEST(small_products, are_those_of_any_size_and_place) {
  const auto exec = this->any();
  for (const std::int64_t n : {1, 8, 15, 16, 17, 31, 32})
    for (const std::int64_t k : {1, 8, 16, 33, 64}) {
      check_product<bfloat16, bfloat16, float, row, col, row>(exec, {16, n, k, many(exec)});
      check_product<bfloat16, bfloat16, bfloat16, row, row, row>(exec, {n, 9, k, many(exec), 3, 1});
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(small_products, are_those_of_any_type_and_layout) {
  const auto exec = this->any();
  check_product<loops::half, loops::half, loops::half, col, row, row>(exec,
                                                                      {16, 16, 24, many(exec)});
  check_product<float, float, float, row, row, row>(exec, {20, 12, 19, many(exec)});
  check_product<double, double, double, row, col, row>(exec, {16, 16, 40, many(exec)});
  check_product<loops::tfloat32, loops::tfloat32, float, row, row, row>(exec,
                                                                        {16, 16, 16, many(exec)});
  check_product<std::int8_t, std::int8_t, std::int32_t, row, col, row>(exec,
                                                                       {16, 16, 64, many(exec)});
  check_product<loops::float8_e4m3, loops::float8_e4m3, bfloat16, row, col, row>(
      exec, {16, 24, 64, many(exec)});
}

TYPED_TEST(small_products, have_an_engine_that_no_menu_has) {
  const auto exec = this->any();
  const bool waves = !std::is_same_v<TypeParam, loops::host_executor>;
  const auto place = [&](const sizes& s) {
    return small_engine_for<bfloat16, bfloat16, row, col>(exec, s);
  };
  EXPECT_EQ(place({16, 16, 16, many(exec)}) >= 0, waves);
  EXPECT_EQ(place({15, 3, 17, many(exec), 1}) >= 0, waves);
  EXPECT_EQ(place({32, 32, 32, many(exec)}) >= 0, waves);
  EXPECT_EQ(place({33, 32, 32, many(exec)}), -1);
  EXPECT_EQ(place({32, 33, 32, many(exec)}), -1);
  EXPECT_EQ(place({16, 16, 16, 1}), -1) << "one product leaves the machine idle";
  if (waves) {
    EXPECT_NE(place({16, 16, 16, many(exec)}), place({15, 3, 17, many(exec), 1}))
        << "whole operands, and any";
  }
}

TYPED_TEST(small_products, are_tried_among_others) {
  const auto exec = this->any();
  products::expected_product<bfloat16, bfloat16, float, row, col, row> product(
      exec, {16, 16, 32, many(exec)});
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    loops::plan_gemm(exec, loops::schedule::measured{}, a, b, c)();
  });
}

}  // namespace
