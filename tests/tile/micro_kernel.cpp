// SPDX-License-Identifier: Apache-2.0
/// The host's corner of a product: every count of rows and columns, and nothing beyond the panel.
#include "loops/backend/host/micro_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

template <class T>
class micro_kernel : public testing::Test {};
using types = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(micro_kernel, types);

/// Small whole numbers, whose products and sums are exact.
template <class T>
T number(std::int64_t i) {
  return static_cast<T>(i * 37 % 19 - 9);
}

TYPED_TEST(micro_kernel, adds_the_corner_that_is_asked_for) {
  using T = TypeParam;
  constexpr int rows = loops::host::panel_rows;
  constexpr int columns = loops::host::panel_cols<T>;
  constexpr int leading = columns + 16;
  struct alignas(64) room {
    T b[13 * columns];
    T c[(rows + 1) * leading];
  };
  for (const int k : {0, 1, 13}) {
    std::vector<T> a(static_cast<std::size_t>(k) * rows);
    const auto there = std::make_unique<room>();
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = number<T>(static_cast<std::int64_t>(i));
    for (int i = 0; i < 13 * columns; ++i) there->b[i] = number<T>(i + 5);
    for (int m = 1; m <= rows; ++m)
      for (int n = 1; n <= columns; ++n) {
        for (int i = 0; i < (rows + 1) * leading; ++i) there->c[i] = static_cast<T>(1000 + i);
        loops::host::multiply_panels(a.data(), there->b, there->c, leading, k, m, n);
        for (int i = 0; i <= rows; ++i)
          for (int j = 0; j < leading; ++j) {
            const T before = static_cast<T>(1000 + i * leading + j);
            T sum = before;
            if (i < rows && j < columns)
              for (int s = 0; s < k; ++s)
                sum += a[static_cast<std::size_t>(s * rows + i)] * there->b[s * columns + j];
            const T found = there->c[i * leading + j];
            // Beyond the corner that was asked for, the panel's own may be there or not.
            if (i < m && j < n) {
              ASSERT_EQ(found, sum) << m << " x " << n << " of " << k << " at " << i << ", " << j;
            } else {
              ASSERT_TRUE(found == sum || found == before)
                  << m << " x " << n << " of " << k << " at " << i << ", " << j;
            }
          }
      }
  }
}

}  // namespace
