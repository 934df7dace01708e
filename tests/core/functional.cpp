// SPDX-License-Identifier: Apache-2.0
/// Combiners combine, and their identities change nothing.
#include "loops/core/functional.hpp"

#include "loops/core/numeric.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

template <class Combine, class T>
void identity_changes_nothing(const Combine& c, std::initializer_list<T> values) {
  const T none = c.template identity<T>();
  for (const T v : values) {
    EXPECT_EQ(c(none, v), v);
    EXPECT_EQ(c(v, none), v);
  }
}

TEST(functional, identities_change_nothing) {
  constexpr int least = std::numeric_limits<int>::min();
  constexpr int most = std::numeric_limits<int>::max();
  for (const int v : {least, -1, 0, 7, most}) {
    identity_changes_nothing(loops::plus{}, {v});
    identity_changes_nothing(loops::maximum{}, {v});
    identity_changes_nothing(loops::minimum{}, {v});
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double v : {-infinite, std::numeric_limits<double>::lowest(), -3.5, 0.0,
                         std::numeric_limits<double>::max(), infinite}) {
    identity_changes_nothing(loops::maximum{}, {v});
    identity_changes_nothing(loops::minimum{}, {v});
    identity_changes_nothing(loops::maximum{}, {static_cast<float>(v)});
    identity_changes_nothing(loops::minimum{}, {static_cast<float>(v)});
  }
}

TEST(functional, arrays_are_maps_and_places) {
  const double values[] = {1.5, 2.5, -3.5};
  const loops::element_of third{values};
  EXPECT_EQ(third(2), -3.5);
  static_assert(decltype(third)::pure::value);
  float out[3] = {7, 7, 7};
  const loops::store_in into{out};
  into(1, third(2));
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[1], -3.5F);
  EXPECT_EQ(out[2], 7);
}

TEST(functional, combine) {
  EXPECT_EQ(loops::plus{}(2, 3), 5);
  EXPECT_EQ(loops::maximum{}(2, 3), 3);
  EXPECT_EQ(loops::maximum{}(3, 2), 3);
  EXPECT_EQ(loops::minimum{}(2, 3), 2);
  EXPECT_EQ(loops::minimum{}(3, 2), 2);
  constexpr auto gcd = [](unsigned a, unsigned b) {
    while (b != 0) {
      const unsigned r = a % b;
      a = b;
      b = r;
    }
    return a;
  };
  const auto c = loops::combine_with(gcd, 0U);
  EXPECT_EQ(c(12U, 18U), 6U);
  identity_changes_nothing(c, {1U, 35U});
}

TEST(functional, own_operations_keep_the_type_of_what_they_combine) {
  const auto largest = loops::combine_with([](auto a, auto b) { return a > b ? a : b; }, 0);
  EXPECT_EQ(largest(0.5, 1.5), 1.5);
  static_assert(std::is_same_v<decltype(largest(0.5F, 1.5F)), float>);
  identity_changes_nothing(largest, {0.5, 1.5});
  const auto sum = loops::combine_with([](auto a, auto b) { return a + b; }, 0);
  EXPECT_EQ(sum(std::int64_t{1} << 40, std::int64_t{5}), (std::int64_t{1} << 40) + 5);
  static_assert(std::is_same_v<decltype(sum.identity<std::int64_t>()), std::int64_t>);
  // What the operation gives is taken as a value again.
  static_assert(std::is_same_v<decltype(sum(std::uint8_t{1}, std::uint8_t{2})), std::uint8_t>);
}

TEST(numeric, sums_of_8_bit_integers_are_kept_in_32_bits) {
  static_assert(std::is_same_v<loops::accumulator_t<std::int8_t>, std::int32_t>);
  static_assert(std::is_same_v<loops::accumulator_t<std::uint8_t>, std::uint32_t>);
  static_assert(std::is_same_v<loops::accumulator_t<std::uint16_t>, std::uint16_t>);
}

TEST(numeric, integers_that_do_not_fit_become_the_nearest_that_do) {
  using loops::saturated;
  static_assert(saturated<std::int8_t>(128) == 127 && saturated<std::int8_t>(-129) == -128);
  static_assert(saturated<std::uint8_t>(-1) == 0 && saturated<std::uint8_t>(256U) == 255);
  static_assert(saturated<std::int32_t>(std::int64_t{1} << 40) == INT32_MAX);
  static_assert(saturated<std::int64_t>(-5) == -5 && saturated<std::uint16_t>(65535) == 65535);
  static_assert(loops::stored_as<std::int8_t>(300) == 127);
  static_assert(loops::stored_as<std::uint8_t>(300U) == 255);
  static_assert(loops::stored_as<std::int32_t>(300) == 300 &&
                loops::stored_as<float>(0.5F) == 0.5F);
  std::int8_t out[] = {0, 0, 0};
  const loops::store_in into{out};
  into(0, 300);
  into(1, -300);
  into(2, std::int8_t{-7});
  EXPECT_EQ(out[0], 127);
  EXPECT_EQ(out[1], -128);
  EXPECT_EQ(out[2], -7);
}

TEST(numeric, sums_of_16_bit_values_are_kept_in_float) {
  static_assert(std::is_same_v<loops::accumulator_t<loops::half>, float>);
  static_assert(std::is_same_v<loops::accumulator_t<loops::bfloat16>, float>);
  static_assert(std::is_same_v<loops::accumulator_t<double>, double>);
  static_assert(std::is_same_v<loops::accumulator_t<loops::complex<float>>, loops::complex<float>>);
  constexpr auto s = loops::row_sums<int, 3>{{1, 2, 3}} + loops::row_sums<int, 3>{{10, 20, 30}};
  static_assert(s.at[0] == 11 && s.at[1] == 22 && s.at[2] == 33);
  constexpr auto none = loops::plus::identity<loops::row_sums<int, 3>>();
  static_assert(none.at[0] == 0 && none.at[2] == 0);
}

}  // namespace
