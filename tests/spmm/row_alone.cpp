// SPDX-License-Identifier: Apache-2.0
/// A CPU's way along a row of A: every number of columns, and nothing of what lies beside B.
#include "algorithms/spmm/row_alone.hpp"

#include "loops/algorithm/reduce_in_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t b_rows = 6;
const std::vector<int> columns_of_a = {3, 0, 5, 5, 1, 2, 4};

template <class T>
T at(std::int64_t row, std::int64_t column) {
  return T((row * 7 + column * 3) % 11 - 5);
}

/// Every share of every stretch, for rows of B that are `cols` wide and lie `gap` elements apart.
template <class T, int Columns>
void go_along(std::int64_t cols, std::int64_t gap) {
  SCOPED_TRACE(std::to_string(cols) + " columns in shares of " + std::to_string(Columns));
  const std::int64_t stride = cols + gap;
  std::vector<T> b(static_cast<std::size_t>(b_rows * stride), std::numeric_limits<T>::quiet_NaN());
  for (std::int64_t r = 0; r < b_rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c)
      b[static_cast<std::size_t>(r * stride + c)] = at<T>(r, c);
  const std::vector<T> values = {1, -2, 3, 4, -5, 6, 7};
  const auto nonzeros = static_cast<std::int64_t>(values.size());
  loops::csr_view<T> of_a{};
  of_a.cols = static_cast<int>(b_rows);
  of_a.nonzeros = static_cast<int>(nonzeros);
  of_a.indices = columns_of_a.data();
  of_a.values = values.data();
  const loops::spmm_detail::row_alone<T, int, Columns> map(
      of_a, {b.data(), b_rows, cols, stride, loops::layout::row_major});
  for (int share = 0; share * Columns < cols; ++share) {
    const auto walk = map.walker(share);
    static_assert(loops::takes_stretches<decltype(walk)>);
    for (std::int64_t first = 0; first < nonzeros; ++first)
      for (std::int64_t last = first + 1; last <= nonzeros; ++last) {
        const auto sums = walk.of_stretch(0, first, last);
        for (int i = 0; i < Columns; ++i) {
          T exact = 0;
          const std::int64_t c = std::int64_t{share} * Columns + i;
          if (c < cols)
            for (std::int64_t a = first; a < last; ++a)
              exact += values[static_cast<std::size_t>(a)] *
                       at<T>(columns_of_a[static_cast<std::size_t>(a)], c);
          ASSERT_EQ(sums.at[i], exact) << "column " << c << ", " << first << " to " << last;
        }
      }
  }
}

// What lies between rows is not a number, and would be seen in sums that nobody asked for.
TEST(row_alone, adds_up_every_number_of_columns_and_no_other) {
  for (std::int64_t cols = 1; cols <= 140; ++cols) {
    go_along<float, 128>(cols, cols % 3 + 1);
    go_along<double, 64>(cols, cols % 2 + 1);
    go_along<float, 32>(cols, 1);
    go_along<float, 8>(cols, 5);
    go_along<double, 4>(cols, 3);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
