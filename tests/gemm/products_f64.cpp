// SPDX-License-Identifier: Apache-2.0
/// Products of f64 operands in all layouts.
#include <cmath>
#include <limits>
#include <vector>

#include "gemm/products.hpp"

namespace {

template <class Exec>
class products_f64 : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(products_f64, support::executors, support::executor_name);

TYPED_TEST(products_f64, in_all_layouts) {
  products::check_type<double, double, double>(this->any());
}

/// Half a step above 1, of a type with so many bits after the point.
template <class Out>
void check_rounded_once(int bits) {
  using loops::gemm_detail::as_element;
  const double half_step = std::ldexp(1.0, -bits - 1);
  const double little = 0x1p-45;
  for (const double sign : {1.0, -1.0}) {
    const auto near = [&](double v) { return sign * float(as_element<Out>(sign * v)); };
    EXPECT_EQ(near(1 + half_step), 1);
    EXPECT_EQ(near(1 + half_step + little), 1 + 2 * half_step);
    EXPECT_EQ(near(1 + half_step - little), 1);
    EXPECT_EQ(near(1 + 3 * half_step), 1 + 4 * half_step);
    EXPECT_EQ(near(1 + 3 * half_step - little), 1 + 2 * half_step);
    EXPECT_EQ(near(0x1p-200), 0);
    EXPECT_EQ(near(1e300), float(Out(std::numeric_limits<float>::max())));
    EXPECT_EQ(near(std::numeric_limits<double>::infinity()),
              float(Out(std::numeric_limits<float>::infinity())));
  }
  EXPECT_TRUE(std::isnan(float(as_element<Out>(std::numeric_limits<double>::quiet_NaN()))));
}

TEST(elements_of_c, of_doubles_are_rounded_once) {
  check_rounded_once<loops::half>(10);
  check_rounded_once<loops::bfloat16>(7);
  check_rounded_once<loops::float8_e4m3>(3);
  check_rounded_once<loops::float8_e5m2>(2);
  EXPECT_EQ(float(loops::gemm_detail::as_element<loops::half>(0x1p-25 + 0x1p-60)), 0x1p-24F);
}

TYPED_TEST(products_f64, onto_a_c_of_doubles_lose_nothing_of_it) {
  const auto exec = this->any();
  const loops::array<float> zero(std::vector<float>{0}, exec.memory());
  loops::array<double> c(std::vector<double>{1e9 + 1}, exec.memory());
  const loops::matrix<const float> a(zero.data(), 1, 1);
  loops::gemm(exec, a, a, loops::matrix<double>(c.data(), 1, 1), loops::epilogue::beta{1.0});
  exec.synchronize();
  EXPECT_EQ(c.to_vector().front(), 1e9 + 1);
}

}  // namespace
