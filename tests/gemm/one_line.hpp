// SPDX-License-Identifier: Apache-2.0
/// Products of one row or one column, checked: that they are added up by one kind of sums, or not.
#pragma once

#include "algorithms/gemm/gemm.hpp"
#include "algorithms/gemm/one_line.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "gemm/products.hpp"

namespace one_line_products {

using loops::layout;

/// Kinds of sums: types of their own, and so other functions for the linker than those of others.
template <bool Packed = true, int Few = 1>
struct along {
  template <class Exec, class Problem>
  using sums = loops::gemm_detail::sums_along<Exec, Problem, Packed, Few>;
};
template <bool Packed = true>
struct across {
  template <class Exec, class Problem>
  using sums = loops::gemm_detail::sums_across<Exec, Problem, Packed>;
};

enum class taken { by_sums, otherwise };

/// alpha A B + beta C by `Kind::sums<Exec, Problem>`, or that this does not take it, and then by
/// tiles.
template <class Kind, class TA, class TB, class TC, layout LA, layout LB, layout LC, class Exec>
void check(const Exec& exec, const products::sizes& s, taken how, const products::scales& by = {}) {
  SCOPED_TRACE(testing::Message() << s.m << " x " << s.n << " x " << s.k << ", " << s.batch);
  products::expected_product<TA, TB, TC, LA, LB, LC> product(exec, s, by);
  product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
    const auto p =
        loops::make_gemm_problem(a, b, c,
                                 loops::gemm_detail::chain(loops::epilogue::alpha{by.alpha},
                                                           loops::epilogue::beta{by.beta}));
    using problem_type = std::remove_const_t<decltype(p)>;
    using sums = typename Kind::template sums<Exec, problem_type>;
    if constexpr (sums::possible) {
      EXPECT_EQ(sums::takes(p), how == taken::by_sums);
      if (sums::takes(p)) {
        loops::gemm_detail::one_line_plan<Exec, problem_type, sums> plan(exec, p);
        plan.start();
        return plan.check();
      }
    } else {
      EXPECT_TRUE(how == taken::otherwise || (std::is_same_v<Exec, loops::host_executor>));
    }
    loops::plan_gemm(exec, loops::schedule::stream_k{}, a, b, c, loops::epilogue::alpha{by.alpha},
                     loops::epilogue::beta{by.beta})();
  });
}

}  // namespace one_line_products
