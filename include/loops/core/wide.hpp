// SPDX-License-Identifier: Apache-2.0
/// Integers of 128 bits, for products of two of 64. No standard has them; all compilers here do,
/// and are told so, for users who compile with -Wpedantic.
#pragma once

#include <cstdint>

namespace loops::detail {

__extension__ using wide_int = __int128;
__extension__ using wide_uint = unsigned __int128;

}  // namespace loops::detail

namespace loops {

/// The high half of a 64 x 64 bit product.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>((static_cast<detail::wide_uint>(a) * b) >> 64);
}

}  // namespace loops
