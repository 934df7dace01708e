// SPDX-License-Identifier: Apache-2.0
/// Complex numbers agree with the standard library's and may stand in their place.
#include "loops/core/complex.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <type_traits>

namespace {

using loops::complex;
static_assert(sizeof(complex<float>) == sizeof(std::complex<float>));
static_assert(sizeof(complex<double>) == sizeof(std::complex<double>));
static_assert(std::is_trivially_copyable_v<complex<double>>);

TEST(complex, computes_as_the_standard_one) {
  const double parts[] = {-3, -1, 0, 0.5, 4};
  for (const double a : parts)
    for (const double b : parts)
      for (const double c : parts)
        for (const double d : parts) {
          const complex<double> x{a, b};
          const complex<double> y{c, d};
          const std::complex<double> sx{a, b};
          const std::complex<double> sy{c, d};
          const auto same = [](complex<double> z, std::complex<double> s) {
            return z.re == s.real() && z.im == s.imag();
          };
          EXPECT_TRUE(same(x + y, sx + sy));
          EXPECT_TRUE(same(x - y, sx - sy));
          EXPECT_TRUE(same(-x, -sx));
          EXPECT_TRUE(same(x * y, sx * sy)) << a << b << c << d;
          EXPECT_TRUE(same(conj(x), std::conj(sx)));
          EXPECT_EQ(x == y, sx == sy);
          complex<double> z = x;
          z += y;
          EXPECT_TRUE(z == x + y);
          z = x;
          z *= y;
          EXPECT_TRUE(z == x * y);
        }
}

TEST(complex, a_real_number_is_one) {
  constexpr complex<float> one(1.0F);
  static_assert(one.re == 1 && one.im == 0);
  constexpr complex<float> zero{};
  static_assert(zero == complex<float>(0));
  const auto bits = std::bit_cast<std::complex<float>>(complex<float>{1, 2});
  EXPECT_EQ(bits, (std::complex<float>{1, 2}));
}

}  // namespace
