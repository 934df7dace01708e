// SPDX-License-Identifier: Apache-2.0
/// Every tile that Hopper has for doubles and floats, as a line of the menu: with tails, in
/// batches, of operands that units bring or lanes, under schedules that share steps, with the same
/// bits every time.
#include "gemm/hopper_layouts.hpp"

#if LOOPS_CUDA

#include "algorithms/gemm/hopper_waves_engine.hpp"
#include "algorithms/gemm/split_plan.hpp"

#include <tuple>

namespace {

using products::col;
using products::layout;
using products::row;
using products::sizes;

template <class T>
class hopper_waves_lines : public products::hopper_layouts<T, T> {
 protected:
  /// By every line that takes operands so aligned, of which Hopper's program has `least` or more.
  template <layout A, layout B>
  static void check_lines(const sizes& s, int least) {
    const auto exec = products::hopper_layouts<T, T>::any();
    products::expected_product<T, T, T, A, B, row> product(exec, s);
    int by_hopper = 0;
    int lines = 1;
    for (int line = 0; line < lines; ++line)
      for (const int waves : {0, -1, 2}) {
        SCOPED_TRACE("line " + std::to_string(line) + ", waves " + std::to_string(waves));
        const auto multiply = [&](const auto& a, const auto& b, const auto& c) {
          using problem = std::decay_t<decltype(loops::make_gemm_problem(
              a, b, c, loops::gemm_detail::chain()))>;
          lines = int(loops::gemm_engines<loops::gpu_executor, problem>::menu(exec).size());
          auto plan = loops::plan_gemm(exec, loops::select::gemm_candidate{line, waves}, a, b, c);
          if (waves == 0) by_hopper += std::string(plan.engine()).substr(0, 7) == "hopper,";
          plan();
          plan();
          plan.check();
        };
        try {
          const std::vector<T> first = product.check(exec, multiply);
          EXPECT_TRUE(support::same_bits(first, product.check(exec, multiply)));
        } catch (const loops::error& e) {
          EXPECT_EQ(e.code(), loops::errc::unsupported) << e.what();
        }
      }
    EXPECT_GE(by_hopper, 2 * least);
  }
  template <layout A, layout B>
  static void check_all() {
    for (const sizes& s : {sizes{328, 456, 200}, sizes{52, 20, 1036, 1, 4}, sizes{100, 300, 4},
                           sizes{40, 24, 68, 150}})
      check_lines<A, B>(s, 11);
    // What units cannot address, tiles with enough copying lanes take.
    for (const sizes& s :
         {sizes{131, 77, 333}, sizes{64, 81, 32, 40}, sizes{200, 264, 2060, 1, 0, 1}})
      check_lines<A, B>(s, 3);
  }
  /// Parts of k by every tile for them that takes operands so aligned: `least` or more.
  template <layout A, layout B>
  static void check_parts(const sizes& s, int parts, int least) {
    const auto exec = products::hopper_layouts<T, T>::any();
    products::expected_product<T, T, T, A, B, row> product(exec, s, {0.5F, 2});
    using tiles = typename loops::hopper::waves_engines<T>::parts;
    int taken = 0;
    for (int place = 0; place < int(std::tuple_size_v<tiles>); ++place) {
      SCOPED_TRACE("tile " + std::to_string(place) + ", " + std::to_string(parts) + " parts");
      product.check(exec, [&](const auto& a, const auto& b, const auto& c) {
        const auto p = loops::make_gemm_problem(
            a, b, c,
            loops::gemm_detail::chain(loops::epilogue::alpha{0.5F}, loops::epilogue::beta{2}));
        using problem = std::remove_const_t<decltype(p)>;
        ASSERT_TRUE(loops::gemm_detail::can_split(p, parts));
        const auto of_parts = loops::gemm_detail::split_along_k(p, parts, static_cast<T*>(nullptr));
        const auto takes = [&]<class... Engines>(std::type_identity<std::tuple<Engines...>>) {
          const bool each[] = {Engines::takes(exec, of_parts)...};
          return each[place];
        };
        const bool is_taken = takes(std::type_identity<tiles>());
        taken += is_taken;
        loops::gemm_detail::split_plan<loops::gpu_executor, problem> plan(
            exec, p, {}, {is_taken ? place : -1, -1, 0, parts});
        if (is_taken) EXPECT_EQ(std::string(plan.engine()).substr(0, 7), "hopper,");
        plan.start();
        plan.check();
      });
    }
    EXPECT_GE(taken, least);
  }
  template <layout A, layout B>
  static void check_all_parts() {
    constexpr int line = 128 / int(sizeof(T));
    for (const int k : {5 * line, 5 * line - 4, 4 * line + 4, 50 * line - 4})
      check_parts<A, B>({152, 88, k}, 5, 3);
    check_parts<A, B>({300, 36, 90 * line + 8, 1, 4, 8}, 23, 3);
    for (const int k : {5 * line, 5 * line - 1, 4 * line + 1, 50 * line - 3})
      check_parts<A, B>({131, 77, k}, 5, 1);
  }
};

using types = testing::Types<double, float>;
TYPED_TEST_SUITE(hopper_waves_lines, types);

TYPED_TEST(hopper_waves_lines, multiply_operands_along_k) {
  this->template check_all<row, col>();
}
TYPED_TEST(hopper_waves_lines, multiply_turned_operands) {
  this->template check_all<col, row>();
}

TYPED_TEST(hopper_waves_lines, multiply_parts_of_k) {
  this->template check_all_parts<row, col>();
  this->template check_all_parts<row, row>();
  this->template check_all_parts<col, col>();
  this->template check_all_parts<col, row>();
}

/// Two tiles of one size are told apart by their stages, and the portable program's are no lines of
/// their own.
TYPED_TEST(hopper_waves_lines, are_as_many_as_tiles) {
  using loops::matrix;
  using problem = decltype(loops::make_gemm_problem(
      matrix<const TypeParam, row>(), matrix<const TypeParam, col>(), matrix<TypeParam, row>(),
      loops::gemm_detail::chain()));
  using engines = loops::hopper::waves_engines<TypeParam>;
  constexpr auto tiles =
      std::tuple_size_v<typename engines::type> + std::tuple_size_v<typename engines::more>;
  using list = loops::gemm_engines<loops::gpu_executor, problem>;
  EXPECT_EQ(list::menu(this->any()).size(), tiles);
}

}  // namespace

#endif
