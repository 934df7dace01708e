// SPDX-License-Identifier: Apache-2.0
/// The middle of measured numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loops {

/// The number in the middle, the larger of two; 0 of none. Linear time.
[[nodiscard]] inline double median(std::vector<double> of) {
  if (of.empty()) return 0;
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

}  // namespace loops
