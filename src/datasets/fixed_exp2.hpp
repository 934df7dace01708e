// SPDX-License-Identifier: Apache-2.0
/// Powers and logarithms in integers, for random numbers from a power law.
#pragma once

#include "loops/core/wide.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace loops::datasets {

/// Fixed-point powers of two, in integers: a library's `pow` may differ in its last bit between
/// platforms, and one bit is enough to give a row another length.
class fixed_exp2 {
  using wide = loops::detail::wide_uint;

 public:
  static constexpr int fraction = 16;  ///< bits behind the point of an exponent
  static constexpr int one = 62;       ///< bits behind the point of a factor

  fixed_exp2() {
    std::uint64_t previous = std::uint64_t{2} << one;
    for (auto& factor : factors_)
      factor = previous = square_root(static_cast<wide>(previous) << one);
  }

  /// 2^(exponent / 2^16) with 20 bits behind the point, at most 2^60.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t exponent) const {
    const auto whole = exponent >> fraction;
    if (whole >= 40) return std::uint64_t{1} << 60;
    std::uint64_t product = std::uint64_t{1} << one;
    for (int i = 0; i < fraction; ++i)
      if (exponent >> (fraction - 1 - i) & 1)
        product = static_cast<std::uint64_t>(
            static_cast<wide>(product) * factors_[static_cast<std::size_t>(i)] >> one);
    return product >> (one - 20 - static_cast<int>(whole));
  }

  /// -log2((bits + 1) / 2^64) with 16 bits behind the point.
  [[nodiscard]] static std::uint64_t minus_log2(std::uint64_t bits) {
    if (bits == ~std::uint64_t{0}) return 0;
    ++bits;
    int top = 63;
    while (!(bits >> top)) --top;
    std::uint64_t x = bits << (63 - top);  // [1, 2) with 63 bits behind the point
    std::uint64_t log = static_cast<std::uint64_t>(top);
    for (int i = 0; i < fraction; ++i) {
      const wide square = static_cast<wide>(x) * x;
      const bool carry = square >> 127 != 0;
      x = static_cast<std::uint64_t>(square >> (carry ? 64 : 63));
      log = log << 1 | static_cast<std::uint64_t>(carry);
    }
    return (std::uint64_t{64} << fraction) - log;
  }

 private:
  static std::uint64_t square_root(wide x) {
    std::uint64_t root = 0;
    for (int bit = 63; bit >= 0; --bit) {
      const std::uint64_t next = root | std::uint64_t{1} << bit;
      if (static_cast<wide>(next) * next <= x) root = next;
    }
    return root;
  }
  std::array<std::uint64_t, fraction> factors_{};
};

}  // namespace loops::datasets
