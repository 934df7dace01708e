// SPDX-License-Identifier: Apache-2.0
/// A CPU's way through a nonzero: every depth, whole and in part, and nothing of what lies beside.
#include "algorithms/sddmm/dot_alone.hpp"

#include "loops/algorithm/reduce_in_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

/// Three rows of A and of B transposed, `gap` elements apart, which are not numbers.
template <class T, int Columns>
void multiply(std::int64_t depth, std::int64_t gap) {
  SCOPED_TRACE(depth);
  const std::int64_t stride = depth + gap;
  std::vector<T> a(static_cast<std::size_t>(3 * stride), std::numeric_limits<T>::quiet_NaN());
  std::vector<T> b = a;
  const auto element = [&](std::int64_t row, std::int64_t k) {
    return static_cast<std::size_t>(row * stride + k);
  };
  for (std::int64_t r = 0; r < 3; ++r)
    for (std::int64_t k = 0; k < depth; ++k) {
      a[element(r, k)] = T((r * 5 + k) % 9 - 4);
      b[element(r, k)] = T((r + k * 3) % 7 - 3);
    }
  const std::vector<int> row_of = {0, 0, 1, 2, 2, 2};
  const std::vector<int> col_of = {0, 2, 1, 0, 1, 2};
  const auto nonzeros = static_cast<std::int64_t>(row_of.size());
  const std::int64_t packs = (depth + Columns - 1) / Columns;
  const loops::dense_view<const T> x{a.data(), 3, depth, stride, loops::layout::row_major};
  const loops::dense_view<const T> y{b.data(), 3, depth, stride, loops::layout::row_major};
  const loops::sddmm_detail::dot_alone<T, int, Columns> map{
      {row_of.data(), col_of.data(), x, y, packs}, depth, nonzeros};
  static_assert(loops::takes_stretches<std::remove_cvref_t<decltype(map)>>);
  for (std::int64_t n = 0; n < nonzeros; ++n)
    for (std::int64_t first = 0; first < packs; ++first)
      for (std::int64_t last = first + 1; last <= packs; ++last) {
        T exact = 0;
        for (std::int64_t k = first * Columns; k < std::min(depth, last * Columns); ++k)
          exact += a[element(row_of[static_cast<std::size_t>(n)], k)] *
                   b[element(col_of[static_cast<std::size_t>(n)], k)];
        ASSERT_EQ(map.of_stretch(n, n * packs + first, n * packs + last), exact)
            << "nonzero " << n << ", packs " << first << " to " << last;
      }
}

TEST(dot_alone, multiplies_what_there_is) {
  for (std::int64_t depth = 1; depth <= 100; ++depth) {
    multiply<float, 16>(depth, depth % 4 + 1);
    multiply<double, 8>(depth, depth % 3 + 1);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
