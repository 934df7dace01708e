// SPDX-License-Identifier: Apache-2.0
/// Nothing inserted is forgotten, and no more is claimed than was asked for.
#include "loops/select/bloom.hpp"

#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>

namespace {

using loops::select::bloom_filter;
using loops::select::key_of;
using loops::select::mix;

TEST(bloom, holds_what_was_inserted) {
  for (const double rate : {0.5, 0.1, 0.01, 1e-4}) {
    bloom_filter f(1000, rate);
    for (std::uint64_t i = 0; i < 1000; ++i) f.insert(key_of(i, 7 * i));
    for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_TRUE(f.may_hold(key_of(i, 7 * i)));
    EXPECT_EQ(f.inserted(), 1000U);
  }
}

TEST(bloom, claims_no_more_than_its_rate) {
  for (const double rate : {0.1, 0.01, 0.001}) {
    bloom_filter f(2000, rate);
    for (std::uint64_t i = 0; i < 2000; ++i) f.insert(i);  // keys need not be spread
    int claimed = 0;
    constexpr int asked = 200000;
    for (std::uint64_t i = 0; i < asked; ++i) claimed += f.may_hold(i + 2000);
    const double measured = double(claimed) / asked;
    EXPECT_LT(measured, 1.5 * rate);
    EXPECT_GT(measured, 0.3 * rate);
    EXPECT_NEAR(f.false_positive_rate(), measured, 0.3 * rate + 2e-5);
    EXPECT_LT(double(f.bits()), 1.4427 * 2000 * -std::log2(rate) + 65);
  }
}

TEST(bloom, an_empty_filter_holds_nothing) {
  const bloom_filter f;
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(f.may_hold(mix(i)));
  EXPECT_EQ(f.false_positive_rate(), 0);
}

TEST(bloom, looks_once_at_least_and_never_twice_at_a_place) {
  EXPECT_EQ(bloom_filter(10, 0.9).hashes(), 1);
  for (std::uint64_t key = 0; key < 100; ++key)
    EXPECT_EQ(loops::select::bloom_key(key).step % 2, 1U) << key;
}

TEST(bloom, refuses_what_is_no_rate) {
  for (const double rate : {0.0, 1.0, -0.5, 2.0})
    support::expect_error(loops::errc::invalid_argument, "between 0 and 1",
                          [&] { bloom_filter(10, rate); });
  support::expect_error(loops::errc::invalid_argument, "at least one word",
                        [] { bloom_filter({}, 1, 0); });
  support::expect_error(loops::errc::invalid_argument, "1 to 32 hash functions",
                        [] { bloom_filter({0}, 33, 0); });
}

TEST(bloom, refuses_more_keys_than_there_can_be_bits_for) {
  for (const std::size_t keys : {std::size_t(1) << 62, SIZE_MAX})
    for (const double rate : {0.01, 1e-300})
      support::expect_error(loops::errc::overflow, "take fewer keys",
                            [&] { bloom_filter(keys, rate); });
}

TEST(bloom, keys_depend_on_order_and_on_every_number) {
  std::set<std::uint64_t> keys;
  for (int m = 0; m < 20; ++m)
    for (int n = 0; n < 20; ++n)
      for (int k = 0; k < 20; ++k) keys.insert(key_of(m, n, k));
  EXPECT_EQ(keys.size(), 8000U);
}

}  // namespace
