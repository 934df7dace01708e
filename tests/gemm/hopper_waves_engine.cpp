// SPDX-License-Identifier: Apache-2.0
/// Every tile that Hopper has for doubles and floats, as a line of the menu: with tails, in
/// batches, under schedules that share steps, with the same bits every time.
#include "algorithms/gemm/hopper_waves_engine.hpp"

#include "gemm/hopper_layouts.hpp"

#if LOOPS_CUDA

#include <set>
#include <tuple>

namespace {

using products::col;
using products::layout;
using products::row;
using products::sizes;

template <class T>
class hopper_waves_lines : public products::hopper_layouts<T, T> {
 protected:
  template <layout A, layout B>
  static void check_lines() {
    const auto exec = products::hopper_layouts<T, T>::any();
    for (const sizes& s : {sizes{328, 456, 200}, sizes{52, 20, 1036, 1, 4}, sizes{100, 300, 4},
                           sizes{40, 24, 68, 150}}) {
      products::expected_product<T, T, T, A, B, row> product(exec, s);
      std::size_t lines = 1;
      for (std::size_t line = 0; line < lines; ++line)
        for (const int waves : {0, -1, 2}) {
          SCOPED_TRACE("line " + std::to_string(line) + ", waves " + std::to_string(waves));
          std::vector<T> bits[2];
          for (auto& got : bits)
            got = product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
              const auto p = loops::make_gemm_problem(a, b, c, loops::gemm_detail::chain());
              using engines = loops::gemm_engines<loops::gpu_executor, std::decay_t<decltype(p)>>;
              lines = engines::menu(exec).size();
              auto plan = loops::plan_gemm(
                  exec, loops::select::gemm_candidate{static_cast<int>(line), waves}, a, b, c);
              EXPECT_EQ(std::string(plan.engine()).substr(0, 7), "hopper,");
              plan();
              plan();
              plan.check();
            });
          EXPECT_TRUE(support::same_bits(bits[0], bits[1]));
        }
      EXPECT_GE(lines, 11U);
    }
  }
};

using types = testing::Types<double, float>;
TYPED_TEST_SUITE(hopper_waves_lines, types);

TYPED_TEST(hopper_waves_lines, multiply_operands_along_k) {
  this->template check_lines<row, col>();
}
TYPED_TEST(hopper_waves_lines, multiply_turned_operands) {
  this->template check_lines<col, row>();
}

/// Two lines of one tile are told apart by their stages.
TYPED_TEST(hopper_waves_lines, are_all_different) {
  using problem =
      loops::gemm_problem<TypeParam, row, TypeParam, col, decltype(loops::gemm_detail::chain())>;
  std::set<std::tuple<int, int, int>> seen;
  const auto menu = loops::gemm_engines<loops::gpu_executor, problem>::menu(this->any());
  for (const loops::select::gemm_costs& c : menu)
    seen.insert({c.tiling.rows, c.tiling.columns, c.tiling.stages});
  EXPECT_EQ(seen.size(), menu.size());
}

}  // namespace

#endif
