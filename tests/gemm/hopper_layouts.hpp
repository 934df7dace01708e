// SPDX-License-Identifier: Apache-2.0
/// Products in all layouts under every kind of schedule, by a program of Hopper's.
#pragma once

#include "gemm/products.hpp"

#if LOOPS_CUDA

#include <initializer_list>
#include <string>
#include <vector>

namespace products {

/// Tests of operands of types T and U, results of type TC.
template <class T, class TC, class U = T>
class hopper_layouts : public support::on_executor<loops::gpu_executor> {
 protected:
  void SetUp() override {
    on_executor::SetUp();
    if (!IsSkipped() && any().facts().architecture != "sm_90")
      GTEST_SKIP() << "this GPU is no Hopper";
  }
  /// The product in one layout by the program of that name, twice with the same bits.
  template <layout A, layout B>
  static void check(const sizes& s, std::initializer_list<int> waves, const std::string& engine) {
    expected_product<T, U, TC, A, B, row> product(any(), s);
    for (const int w : waves) {
      SCOPED_TRACE("waves " + std::to_string(w));
      std::vector<TC> bits[2];
      for (auto& got : bits)
        got = product.check(any(), [&](const auto& a, const auto& b, const auto& c) {
          auto plan = loops::plan_gemm(any(), loops::schedule::stream_k{.waves = w}, a, b, c);
          EXPECT_EQ(std::string(plan.engine()), engine);
          plan();
          plan();
          plan.check();
        });
      EXPECT_TRUE(support::same_bits(bits[0], bits[1]));
    }
  }
  static void check_layouts(const sizes& s, const std::string& engine) {
    for_each_layout([&]<layout A, layout B>() { check<A, B>(s, {0, 1, 2, -1}, engine); });
  }

 private:
  template <class F>
  static void for_each_layout(const F& f) {
    f.template operator()<row, col>();
    f.template operator()<row, row>();
    f.template operator()<col, row>();
    f.template operator()<col, col>();
  }
};

}  // namespace products

#endif
