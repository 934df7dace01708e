// SPDX-License-Identifier: Apache-2.0
/// Division by multiplication is exact at every border.
#include "loops/core/fast_division.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace {

TEST(fast_division, is_exact) {
  std::mt19937 random(1);
  const auto check = [](std::int32_t n, std::int32_t d) {
    ASSERT_EQ(loops::fast_divisor(d).quotient(n), n / d) << n << " / " << d;
  };
  for (std::int32_t d = 1; d < 300; ++d)
    for (const std::int32_t near : {0, d, 1 << 20, INT32_MAX - 2 * d})
      for (std::int32_t n = near; n <= near + d; ++n) check(n, d);
  for (int i = 0; i < 200000; ++i) {
    const auto d = static_cast<std::int32_t>(random() >> (1 + random() % 31)) | 1;
    const auto n = static_cast<std::int32_t>(random() >> 1);
    check(n, d);
    check(n / d * d, d);
    if (n / d > 0) check(n / d * d - 1, d);
  }
  check(INT32_MAX, 1);
  check(INT32_MAX, INT32_MAX);
  check(INT32_MAX - 1, INT32_MAX);
}

}  // namespace
