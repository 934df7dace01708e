// SPDX-License-Identifier: Apache-2.0
/// Decimal numbers as files mostly have them, read exactly and faster than `std::from_chars`.
#pragma once

#include "loops/core/wide.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace loops::detail {

/// How many of the eight characters at `p` are digits before the first that is none, and their
/// value. Requires: eight readable characters.
inline int eight_digits(const char* p, std::uint64_t& value) {
  static_assert(std::endian::native == std::endian::little, "the first character is the low byte");
  std::uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  bytes ^= 0x3030303030303030U;  // a digit is now 0 … 9, anything else is more
  const std::uint64_t others = ((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
  const int count = std::countr_zero(others) / 8;  // 64 / 8 when all are digits
  if (count == 0) return 0;
  bytes <<= 64 - 8 * count;  // right-align: the digits in front become zeros
  bytes = bytes * 10 + (bytes >> 8);
  value = (((bytes & 0x000000ff000000ffU) * 0x000f424000000064U) +
           (((bytes >> 16) & 0x000000ff000000ffU) * 0x0000271000000001U)) >>
          32;
  return count;
}

/// Reads a whole number of at most 15 digits at `p`: where it ends, or `nullptr`.
/// Requires: as `fast_decimal`.
inline const char* fast_integer(const char* p, std::int64_t& value) {
  std::uint64_t v = 0;
  int n = eight_digits(p, v);
  if (n == 0) return nullptr;
  p += n;
  if (n == 8) {
    std::uint64_t part = 0;
    n = eight_digits(p, part);
    if (n == 8) return nullptr;
    for (int k = 0; k < n; ++k) v *= 10;
    v += n == 0 ? 0 : part;
    p += n;
  }
  value = static_cast<std::int64_t>(v);
  return p;
}

/// 10^0 … 10^22, all that are exact.
inline constexpr std::array<double, 23> exact_powers_of_ten = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// A divisor with its top bit set, and what dividing by it costs beforehand: then a division is two
/// multiplications (Möller, Granlund: Improved division by invariant integers, 2011).
struct known_divisor {
  std::uint64_t value = 0;
  std::uint64_t reciprocal = 0;  ///< (2^128 - 1) / value - 2^64
  int shift = 0;                 ///< by which it was moved up
};

/// 5^0 … 5^27, all that fit 64 bits.
inline constexpr auto powers_of_five = [] {
  std::array<known_divisor, 28> out{};
  std::uint64_t power = 1;
  for (known_divisor& d : out) {
    d.shift = std::countl_zero(power);
    d.value = power << d.shift;
    d.reciprocal = static_cast<std::uint64_t>(~wide_uint{0} / d.value);
    power *= 5;
  }
  return out;
}();

/// high * 2^64 + low over d, and whether there is no rest. Requires: high < d.value.
inline std::uint64_t divide(std::uint64_t high, std::uint64_t low, const known_divisor& d,
                            bool& even) {
  const wide_uint guess =
      static_cast<wide_uint>(d.reciprocal) * high + (static_cast<wide_uint>(high) << 64 | low);
  std::uint64_t quotient = static_cast<std::uint64_t>(guess >> 64) + 1;
  std::uint64_t rest = low - quotient * d.value;
  if (rest > static_cast<std::uint64_t>(guess)) {
    --quotient;
    rest += d.value;
  }
  if (rest >= d.value) {
    ++quotient;
    rest -= d.value;
  }
  even = rest == 0;
  return quotient;
}

/// `digits` / 10^`places`, correctly rounded. Requires: `digits` > 0, 0 <= `places` <= 27.
inline double exact_quotient(std::uint64_t digits, int places) {
  const known_divisor& divisor = powers_of_five[static_cast<std::size_t>(places)];
  // Both with their top bit set, the quotient of 127 by 64 bits has 63 or 64 bits.
  const int up = std::countl_zero(digits);
  const std::uint64_t dividend = digits << up;
  bool even = false;
  const std::uint64_t quotient = divide(dividend >> 1, dividend << 63, divisor, even);
  // 53 bits of it, to nearest even; what was shifted out and the remainder decide.
  const int surplus = 64 - std::countl_zero(quotient) - 53;
  const std::uint64_t half = std::uint64_t(1) << (surplus - 1);
  const std::uint64_t rest = quotient & (2 * half - 1);
  std::uint64_t mantissa = quotient >> surplus;
  mantissa += rest > half || (rest == half && (!even || (mantissa & 1)));
  const int exponent = surplus - 63 + divisor.shift - up - places;  // value = mantissa * 2^exponent
  // Adding, not or-ing: a mantissa rounded up to 2^53 carries into the exponent, as it should.
  return std::bit_cast<double>((static_cast<std::uint64_t>(exponent + 1074) << 52) + mantissa);
}

/// Reads a number at `p`, correctly rounded: where it ends, or `nullptr` if it has more than 19
/// digits, an exponent far from zero or anything else unusual, about which `std::from_chars` is to
/// be asked. Requires: a '\n' after the number and
/// `decimal_slack` readable characters after that.
inline const char* fast_decimal(const char* p, double& value) {
  const bool negative = *p == '-';
  p += negative;
  std::uint64_t digits = 0;
  std::uint64_t part = 0;
  int count = 0;
  constexpr std::array<std::uint64_t, 9> scale = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};
  const auto run = [&] {
    int length = 0;
    for (int k = 0; k < 3; ++k) {
      const int n = eight_digits(p, part);
      if (n == 0) break;
      digits = digits * scale[static_cast<std::size_t>(n)] + part;
      p += n;
      length += n;
      if (n < 8) break;
    }
    return length;
  };
  count = run();
  int exponent = 0;
  if (*p == '.') {
    ++p;
    const int places = run();
    count += places;
    exponent = -places;
  }
  if (count == 0 || count > 19) return nullptr;
  if (*p == 'e' || *p == 'E') {
    ++p;
    const bool below = *p == '-';
    p += below || *p == '+';
    const int n = eight_digits(p, part);
    if (n == 0 || n > 3) return nullptr;
    p += n;
    exponent += below ? -static_cast<int>(part) : static_cast<int>(part);
  }
  double magnitude;
  if (digits < std::uint64_t(1) << 53 && exponent >= -22 && exponent <= 22) {
    // Both operands are exact, so the one operation rounds once.
    magnitude = static_cast<double>(digits);
    const double power =
        exact_powers_of_ten[static_cast<std::size_t>(exponent < 0 ? -exponent : exponent)];
    magnitude = exponent < 0 ? magnitude / power : magnitude * power;
  } else if (digits != 0 && exponent < 0 && exponent >= -27) {
    magnitude = exact_quotient(digits, -exponent);
  } else {
    return nullptr;
  }
  value = negative ? -magnitude : magnitude;
  return p;
}

/// How many characters past a line the functions above may look at.
inline constexpr std::size_t decimal_slack = 8;

}  // namespace loops::detail
