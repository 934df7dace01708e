// SPDX-License-Identifier: Apache-2.0
/// Hopper's program for doubles in all layouts, under every kind of schedule, with all tails.
#include "gemm/products.hpp"

#if LOOPS_CUDA

#include <string>

namespace {

using loops::layout;
using products::col;
using products::row;
using products::sizes;

class hopper_doubles : public support::on_executor<loops::gpu_executor> {
 protected:
  void SetUp() override {
    on_executor::SetUp();
    if (!IsSkipped() && any().facts().architecture != "sm_90")
      GTEST_SKIP() << "this GPU is no Hopper";
  }
  /// The product in one layout, twice with the same bits, by Hopper's program.
  template <layout A, layout B>
  static void check(const sizes& s, int waves) {
    SCOPED_TRACE("waves " + std::to_string(waves));
    std::vector<double> bits[2];
    for (auto& got : bits)
      got = products::check_product<double, double, double, A, B, row>(
          any(), s, [&](const auto& a, const auto& b, const auto& c) {
            auto plan = loops::plan_gemm(any(), loops::schedule::stream_k{.waves = waves}, a, b, c);
            EXPECT_EQ(std::string(plan.engine()), "hopper, doubles");
            plan();
            plan();
            plan.check();
          });
    EXPECT_TRUE(support::same_bits(bits[0], bits[1]));
  }
  static void check_layouts(const sizes& s) {
    for (const int waves : {0, 1, 2, -1}) {
      check<row, col>(s, waves);
      check<row, row>(s, waves);
      check<col, row>(s, waves);
      check<col, col>(s, waves);
    }
  }
};

TEST_F(hopper_doubles, multiplies_in_all_layouts) {
  check_layouts({256, 384, 96});
  check_layouts({328, 456, 200});
}

TEST_F(hopper_doubles, has_tails_and_single_rows) {
  check_layouts({2, 2, 2});
  check_layouts({130, 262, 38});
  check_layouts({2, 520, 1030});
}

TEST_F(hopper_doubles, takes_batches_and_rows_with_gaps) {
  check_layouts({66, 130, 50, 3, 4, 0});
  check_layouts({66, 130, 50, 2, 2, 2});
}

TEST_F(hopper_doubles, shares_the_steps_of_few_tiles) {
  check_layouts({200, 264, 2060});
}

TEST_F(hopper_doubles, leaves_unaligned_operands_to_others) {
  const sizes s{70, 45, 151};
  products::check_product<double, double, double, row, col, row>(
      any(), s, [&](const auto& a, const auto& b, const auto& c) {
        auto plan = loops::plan_gemm(any(), loops::schedule::stream_k{}, a, b, c);
        EXPECT_EQ(std::string(plan.engine()), "portable");
        plan();
        plan.check();
      });
}

}  // namespace

#endif
