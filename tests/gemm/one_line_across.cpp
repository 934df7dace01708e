// SPDX-License-Identifier: Apache-2.0
/// Products of one row or one column whose other operand lies across k: every length and type,
/// parts of k, batches, and what is left to other programs.
#include "algorithms/gemm/one_line_across.hpp"

#include "algorithms/gemm/gemm.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/float8.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gemm/one_line.hpp"
#include "gemm/products.hpp"

namespace {

using loops::bfloat16;
using loops::layout;
using one_line_products::across;
using one_line_products::check;
using one_line_products::taken;
using products::col;
using products::row;
using products::sizes;

template <class Exec>
class one_line_across : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(one_line_across, support::executors, support::executor_name);

/// The executor as a machine so large that few columns leave most of it idle.
template <class Exec>
Exec large(Exec exec) {
  if constexpr (requires { exec.options().residency; }) {
    auto options = exec.options();
    options.residency = 256;
    return Exec(options);
  } else {
    return exec;
  }
}

TYPED_TEST(one_line_across, takes_a_row_and_a_column_of_any_depth) {
  const auto exec = this->any();
  const auto sums = taken::by_sums;
  for (const std::int64_t k : {1, 3, 15, 16, 17, 61, 64, 65, 1023, 1024, 1025})
    for (const std::int64_t n : {8, 64, 72, 136}) {
      check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, n, k}, sums);
      check<across<>, bfloat16, bfloat16, float, col, col, row>(exec, {n, 1, k}, sums);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(one_line_across, takes_parts_of_k_where_columns_are_few) {
  const auto exec = large(this->any());
  const auto sums = taken::by_sums;
  for (const std::int64_t k : {577, 1024, 1025, 5000})
    for (const std::int64_t n : {8, 136}) {
      check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, n, k}, sums);
      check<across<>, bfloat16, bfloat16, float, col, col, row>(exec, {n, 1, k}, sums);
      if (this->HasFailure()) return;
    }
}

TYPED_TEST(one_line_across, takes_operands_of_any_type) {
  const auto exec = large(this->any());
  const products::scales by{2, -1};
  const auto sums = taken::by_sums;
  check<across<>, loops::half, loops::half, loops::half, row, row, row>(exec, {1, 40, 81}, sums,
                                                                        by);
  check<across<>, float, float, float, row, row, row>(exec, {1, 36, 77}, sums, by);
  check<across<>, double, double, double, col, col, row>(exec, {34, 1, 79}, sums, by);
  check<across<>, loops::tfloat32, loops::tfloat32, float, row, row, row>(exec, {1, 36, 77}, sums);
  check<across<>, std::int8_t, std::int8_t, std::int32_t, row, row, row>(exec, {1, 48, 80}, sums);
  check<across<>, std::int8_t, std::int8_t, std::int8_t, col, col, row>(exec, {48, 1, 4099}, sums);
  check<across<>, loops::float8_e4m3, loops::float8_e4m3, bfloat16, row, row, row>(
      exec, {1, 32, 80}, sums, by);
  check<across<>, loops::float8_e5m2, loops::float8_e4m3, float, col, col, row>(
      exec, {160, 1, 2000}, sums);
}

// Elements of the only line may be apart, and C may lie either way.
TYPED_TEST(one_line_across, reads_the_only_line_of_either_layout) {
  const auto exec = large(this->any());
  const auto sums = taken::by_sums;
  check<across<>, float, float, float, col, row, row>(exec, {1, 20, 65, 1, 4}, sums);
  check<across<>, float, float, float, col, row, row>(exec, {20, 1, 65, 1, 4}, sums);
  check<across<>, float, float, float, row, row, col>(exec, {1, 20, 2065, 1, 4}, sums);
  check<across<>, float, float, float, col, col, col>(exec, {20, 1, 2065, 1, 4}, sums);
}

TYPED_TEST(one_line_across, takes_batches) {
  const auto exec = large(this->any());
  const products::scales by{-1, 2};
  for (const std::int64_t gap : {0, 8})
    for (const std::int64_t k : {48, 3001}) {
      check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 72, k, 5, gap},
                                                                taken::by_sums, by);
      check<across<>, bfloat16, bfloat16, bfloat16, col, col, row>(exec, {72, 1, k, 3, gap},
                                                                   taken::by_sums, by);
    }
}

TYPED_TEST(one_line_across, takes_rows_that_begin_anywhere) {
  const auto exec = large(this->any());
  for (const std::int64_t k : {1, 17, 1025})
    for (const std::int64_t n : {1, 31, 257}) {
      check<across<false>, bfloat16, bfloat16, float, row, row, row>(exec, {1, n, k},
                                                                     taken::by_sums, {2, -1});
      check<across<false>, bfloat16, bfloat16, bfloat16, col, col, row>(exec, {n, 1, k, 1, 3, 1},
                                                                        taken::by_sums);
      if (this->HasFailure()) return;
    }
  check<across<false>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 40, 701, 3, 3},
                                                                 taken::by_sums, {-1, 2});
  check<across<false>, double, double, double, col, col, row>(exec, {67, 1, 79}, taken::by_sums);
  check<across<false>, std::int8_t, std::int8_t, std::int8_t, row, row, row>(exec, {1, 513, 1099},
                                                                             taken::by_sums);
}

TYPED_TEST(one_line_across, is_what_automatic_takes) {
  const auto exec = this->any();
  const bool lanes = !std::is_same_v<TypeParam, loops::host_executor>;
  products::expected_product<bfloat16, bfloat16, float, row, row, row> product(exec, {1, 16, 47});
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    const auto plan = loops::plan_gemm(exec, loops::schedule::automatic{}, a, b, c);
    EXPECT_EQ(std::string(plan.engine()) == "sums over columns", lanes);
    if (lanes) {
      EXPECT_EQ(plan.schedule().waves, 0);
      EXPECT_EQ(plan.parts(), 1);
    }
    plan();
  });
}

TYPED_TEST(one_line_across, leaves_other_products_to_others) {
  const auto exec = this->any();
  const auto others = taken::otherwise;
  check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {2, 16, 48}, others);
  check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 12, 48}, others);
  check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 16, 48, 1, 4}, others);
  check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {1, 16, 48, 1, 0, 1}, others);
  check<across<>, bfloat16, bfloat16, float, row, row, row>(exec, {16, 1, 48}, others);
  check<across<>, bfloat16, bfloat16, float, col, col, row>(exec, {1, 16, 48}, others);
}

// Sums that are kept for a second kernel are as many as there are parts.
TYPED_TEST(one_line_across, multiplies_others_of_the_same_kind_only) {
  const auto exec = large(this->any());
  if constexpr (TypeParam::template block<loops::shape<128, 12>>::threads > 1) {
    constexpr std::int64_t k = 40000;
    const loops::array<float> a(std::vector<float>(k + 1, 1.0F), exec.memory());
    const loops::array<float> b(std::vector<float>(8 * k + 1, 2.0F), exec.memory());
    loops::array<float> c(8, exec.memory());
    const auto problem = [&](int shift) {
      return loops::make_gemm_problem(loops::matrix<const float, row>(a.data(), 1, k),
                                      loops::matrix<const float, row>(b.data() + shift, k, 8),
                                      loops::matrix<float, row>(c.data(), 1, 8),
                                      loops::gemm_detail::chain());
    };
    using problem_type = decltype(problem(0));
    using sums = loops::gemm_detail::sums_across<TypeParam, problem_type>;
    auto plan = loops::gemm_detail::one_line_plan<TypeParam, problem_type, sums>(exec, problem(0));
    plan.start(problem(0));
    plan.check();
    EXPECT_EQ(c.to_vector(), std::vector<float>(8, 80000.0F));
    EXPECT_GT(plan.parts(), 1);
    EXPECT_GE(plan.bytes(), static_cast<std::size_t>(plan.parts()) * 8 * sizeof(float));
    EXPECT_EQ(plan.workers(), plan.parts());
    EXPECT_LE(plan.resident(), plan.workers());
    support::expect_error(loops::errc::unsupported, "not aligned to",
                          [&] { plan.start(problem(1)); });
  }
}

TEST(parts_of_columns, own_every_element_once) {
  // 13 in 7 parts of 2: the last one has nothing left but 1; 8 in 7 parts of 2: three have none.
  for (const std::int32_t parts : {1, 2, 7})
    for (const std::int64_t k : {7, 8, 13, 14, 700}) {
      const std::int64_t length = (k + parts - 1) / parts;
      const loops::gemm_detail::parts_of_columns of(3, 2, k, parts, length);
      ASSERT_EQ(of.tiles(), 3 * 2 * parts);
      EXPECT_EQ(of.offset(0), 0);
      EXPECT_EQ(of.offset(of.tiles()), of.atoms());
      EXPECT_EQ(of.atoms(), 6 * k);
      for (std::int64_t t = 0; t < of.tiles(); ++t) {
        const auto place = of.at(t);
        EXPECT_EQ(place.product, t / (3 * parts));
        EXPECT_EQ(place.group, t / parts % 3);
        EXPECT_EQ(place.part, t % parts);
        EXPECT_EQ(place.first_atom, t / parts * k);
        const std::int64_t left = k - place.part * length;
        EXPECT_EQ(of.offset(t + 1) - of.offset(t), std::clamp(left, std::int64_t{0}, length));
      }
    }
}

}  // namespace
