// SPDX-License-Identifier: Apache-2.0
/// Products of one row or one column as reductions: every layout and type, batches, and what is
/// left to other programs.
#include "algorithms/gemm/one_line.hpp"

#include "algorithms/gemm/gemm.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gemm/one_line.hpp"
#include "gemm/products.hpp"

namespace {

using loops::bfloat16;
using loops::layout;
using one_line_products::along;
using one_line_products::check;
using one_line_products::taken;
using products::col;
using products::row;
using products::sizes;

template <class Exec>
class one_line : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(one_line, support::executors, support::executor_name);

TYPED_TEST(one_line, takes_a_row_and_a_column_of_any_length) {
  const auto exec = this->any();
  const auto lines = taken::by_sums;
  for (const std::int64_t k : {8, 16, 24, 40, 256, 264, 1024, 1032, 2048, 4096})
    for (const std::int64_t n : {1, 2, 7, 130}) {
      check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {1, n, k}, lines);
      check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {n, 1, k}, lines);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(one_line, takes_few_long_lines_in_pieces) {
  const auto exec = this->any();
  check<along<>, float, float, float, row, col, row>(exec, {1, 1, 100000}, taken::by_sums);
  check<along<>, float, float, float, row, col, row>(exec, {1, 3, 33332}, taken::by_sums);
  check<along<>, double, double, double, row, col, row>(exec, {5, 1, 20002}, taken::by_sums);
}

TYPED_TEST(one_line, takes_operands_of_any_type) {
  const auto exec = this->any();
  const products::scales by{2, -1};
  const auto lines = taken::by_sums;
  check<along<>, loops::half, loops::half, loops::half, row, col, row>(exec, {1, 33, 80}, lines,
                                                                       by);
  check<along<>, float, float, float, row, col, row>(exec, {1, 33, 76}, lines, by);
  check<along<>, double, double, double, row, col, row>(exec, {33, 1, 78}, lines, by);
  check<along<>, loops::tfloat32, loops::tfloat32, float, row, col, row>(exec, {1, 33, 76}, lines);
  check<along<>, std::int8_t, std::int8_t, std::int32_t, row, col, row>(exec, {1, 33, 80}, lines);
  check<along<>, std::int8_t, std::int8_t, std::int8_t, row, col, row>(exec, {33, 1, 4096}, lines);
  check<along<>, loops::float8_e4m3, loops::float8_e4m3, bfloat16, row, col, row>(exec, {1, 33, 80},
                                                                                  lines, by);
  check<along<>, loops::float8_e5m2, loops::float8_e4m3, float, row, col, row>(exec, {33, 1, 80},
                                                                               lines);
  check<along<>, loops::float8_e5m2, loops::float8_e4m3, float, row, col, row>(exec, {1, 33, 80},
                                                                               lines);
}

// The only line lies along k whichever way its matrix does, unless there are gaps.
TYPED_TEST(one_line, reads_the_only_line_of_either_layout) {
  const auto exec = this->any();
  const auto lines = taken::by_sums;
  check<along<>, float, float, float, col, col, row>(exec, {1, 20, 64}, lines);
  check<along<>, float, float, float, row, row, row>(exec, {20, 1, 64}, lines);
  check<along<>, float, float, float, col, col, col>(exec, {1, 20, 64}, lines);
  check<along<>, float, float, float, row, row, col>(exec, {20, 1, 64}, lines);
  check<along<>, float, float, float, col, col, row>(exec, {1, 20, 64, 1, 4}, taken::otherwise);
  check<along<>, float, float, float, row, row, row>(exec, {20, 1, 64, 1, 4}, taken::otherwise);
}

TYPED_TEST(one_line, takes_lines_that_begin_anywhere) {
  const auto exec = this->any();
  for (const std::int64_t k : {1, 7, 8, 9, 15, 17, 44, 255, 257, 1023, 4097})
    for (const std::int64_t n : {1, 7, 130}) {
      check<along<false>, bfloat16, bfloat16, float, row, col, row>(exec, {1, n, k}, taken::by_sums,
                                                                    {2, -1});
      check<along<false>, bfloat16, bfloat16, float, row, col, row>(exec, {n, 1, k, 1, 3, 1},
                                                                    taken::by_sums);
      if (this->HasFailure()) return;
    }
  check<along<false>, bfloat16, bfloat16, float, row, col, row>(exec, {1, 9, 47, 5, 3},
                                                                taken::by_sums, {-1, 2});
  check<along<false>, double, double, double, row, col, row>(exec, {5, 1, 20001}, taken::by_sums);
  check<along<false>, loops::tfloat32, loops::tfloat32, float, row, col, row>(exec, {1, 33, 75},
                                                                              taken::by_sums);
  check<along<false>, std::int8_t, std::int8_t, std::int8_t, row, col, row>(exec, {33, 1, 4093},
                                                                            taken::by_sums);
  check<along<false>, loops::float8_e5m2, loops::float8_e4m3, float, row, col, row>(
      exec, {1, 3, 333}, taken::by_sums);
}

TYPED_TEST(one_line, takes_few_lines_of_floats_and_doubles) {
  const auto exec = this->any();
  const auto few = [&]<int Few, class T>(std::integral_constant<int, Few>, T, const sizes& s,
                                         taken how) {
    check<along<true, Few>, T, T, T, row, col, row>(exec, s, how, {2, -1});
  };
  constexpr std::integral_constant<int, 2> two;
  constexpr std::integral_constant<int, 4> four;
  constexpr std::integral_constant<int, 8> eight;
  for (const std::int64_t k : {4, 40, 1024}) {
    few(two, float{}, {2, 9, k}, taken::by_sums);
    few(two, double{}, {130, 2, k}, taken::by_sums);
    few(four, float{}, {33, 3, k}, taken::by_sums);
    few(four, double{}, {4, 9, k, 3, 4}, taken::by_sums);
    few(eight, float{}, {5, 33, k}, taken::by_sums);
    few(eight, float{}, {9, 8, k, 3, 4}, taken::by_sums);
  }
  few(four, float{}, {2, 9, 40}, taken::otherwise);
  few(four, float{}, {5, 9, 40}, taken::otherwise);
  few(four, float{}, {3, 9, 42}, taken::otherwise);
  few(two, double{}, {2, 9, 40, 1, 1}, taken::otherwise);
}

TYPED_TEST(one_line, is_what_automatic_takes) {
  const auto exec = this->any();
  const bool lanes = !std::is_same_v<TypeParam, loops::host_executor>;
  products::expected_product<bfloat16, bfloat16, float, row, col, row> product(exec, {1, 9, 48});
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    const auto plan = loops::plan_gemm(exec, loops::schedule::automatic{}, a, b, c);
    EXPECT_EQ(std::string(plan.engine()) == "sums over lines", lanes);
    if (lanes) {
      EXPECT_EQ(plan.schedule().waves, 0);
    }
    plan();
  });
  bool by_units = false;  // bring the tiles of a GPU that has some
  const auto sums_over = [&](const sizes& of) {
    products::expected_product<float, float, float, row, col, row> few(exec, of);
    bool over = false;
    few.check(exec, [&](const auto& a, const auto& b, const auto& c) {
      const auto p = loops::make_gemm_problem(a, b, c, loops::gemm_detail::chain());
      using engines = loops::gemm_engines<TypeParam, std::remove_const_t<decltype(p)>>;
      by_units = engines::tiles_by_units(exec, p);
      const auto plan = loops::plan_gemm(exec, loops::schedule::automatic{}, a, b, c);
      over = std::string(plan.engine()) == "sums over lines";
      plan();
    });
    return over;
  };
  for (const std::int64_t rows : {2, 4}) EXPECT_EQ(sums_over({rows, 9, 48}), lanes) << rows;
  for (const std::int64_t rows : {5, 8}) {
    EXPECT_EQ(sums_over({rows, 9, 48}), lanes && !by_units) << rows;
    // Of a batch of products that are hardly larger a tile would be padding.
    EXPECT_EQ(sums_over({rows, 9, 48, 3}), lanes) << rows;
    EXPECT_EQ(sums_over({16, rows, 48, 3}), lanes) << rows;
    EXPECT_EQ(sums_over({17, rows, 48, 3}), lanes && !by_units) << rows;
  }
  EXPECT_FALSE(sums_over({10, 9, 48}));
  EXPECT_FALSE(sums_over({10, 9, 48, 3}));
  // Who names a schedule gets it.
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    const auto plan = loops::plan_gemm(exec, loops::schedule::stream_k{}, a, b, c);
    EXPECT_NE(std::string(plan.engine()), "sums over lines");
    plan();
  });
}

TYPED_TEST(one_line, takes_batches) {
  const auto exec = this->any();
  const products::scales by{-1, 2};
  for (const std::int64_t gap : {0, 8}) {
    check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {1, 9, 48, 5, gap},
                                                             taken::by_sums, by);
    check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {9, 1, 48, 5, gap},
                                                             taken::by_sums, by);
    check<along<>, bfloat16, bfloat16, float, row, col, col>(exec, {9, 1, 1024, 3, gap},
                                                             taken::by_sums, by);
  }
}

TYPED_TEST(one_line, leaves_other_products_to_others) {
  const auto exec = this->any();
  const auto others = taken::otherwise;
  check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {2, 9, 48}, others);
  check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {1, 9, 44}, others);
  check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {1, 9, 48, 1, 4}, others);
  check<along<>, bfloat16, bfloat16, float, row, col, row>(exec, {1, 9, 48, 1, 0, 1}, others);
  check<along<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 9, 48}, others);
  check<along<>, bfloat16, bfloat16, float, col, col, row>(exec, {9, 1, 48}, others);
}

TYPED_TEST(one_line, multiplies_others_of_the_same_kind_only) {
  const auto exec = this->any();
  if constexpr (TypeParam::template block<loops::shape<128, 12>>::threads > 1) {
    const loops::array<float> a(std::vector<float>(41, 1.0F), exec.memory());
    const loops::array<float> b(std::vector<float>(401, 2.0F), exec.memory());
    loops::array<float> c(10, exec.memory());
    const auto problem = [&](int shift) {
      return loops::make_gemm_problem(loops::matrix<const float, row>(a.data() + shift, 1, 40),
                                      loops::matrix<const float, col>(b.data() + shift, 40, 10),
                                      loops::matrix<float, row>(c.data(), 1, 10),
                                      loops::gemm_detail::chain());
    };
    using problem_type = decltype(problem(0));
    auto plan =
        loops::gemm_detail::one_line_plan<TypeParam, problem_type,
                                          loops::gemm_detail::sums_along<TypeParam, problem_type>>(
            exec, problem(0));
    plan.start(problem(0));
    plan.check();
    EXPECT_EQ(c.to_vector(), std::vector<float>(10, 80.0F));
    EXPECT_EQ(plan.tiles().tiles(), 10);
    EXPECT_EQ(plan.parts(), 1);
    EXPECT_GE(plan.resident(), 1);
    EXPECT_LE(plan.resident(), plan.workers());
    support::expect_error(loops::errc::unsupported, "not aligned to",
                          [&] { plan.start(problem(1)); });
  }
}

}  // namespace
