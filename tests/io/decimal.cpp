// SPDX-License-Identifier: Apache-2.0
/// The fast reader of decimals agrees with the standard library, bit for bit, wherever it answers.
#include "../../src/io/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>

namespace {

/// A number of the kinds that files have, and of some that they should not have.
std::string any_number(std::mt19937_64& random) {
  char text[128];
  const auto print = [&](const char* format, auto... values) {
    std::snprintf(text, sizeof text, format, values...);
    return std::string(text);
  };
  std::uniform_real_distribution<double> unit(-1, 1);
  using wide = unsigned long long;
  switch (random() % 6) {
    case 0: {  // any mantissa, exponents on both sides of what is handled
      const std::uint64_t bits = (random() & ~(0x7ffULL << 52)) | ((963 + random() % 120) << 52);
      return print("%.17g", std::bit_cast<double>(bits));
    }
    case 1:
      return print("%.*g", static_cast<int>(random() % 19 + 1), unit(random));
    case 2:
      return print("%.*e", static_cast<int>(random() % 18), 1e10 * unit(random));
    case 3: {  // exactly halfway between two doubles
      const wide odd = (random() >> 11) | (1ULL << 52);
      return random() % 2 ? print("%llu.5", odd)
                          : print("%llu.%s", odd >> 1, random() % 2 ? "25" : "75");
    }
    case 4:
      return print("%llu.%llue%d", static_cast<wide>(random() >> (random() % 64)),
                   static_cast<wide>(random() >> (random() % 64)),
                   static_cast<int>(random() % 60) - 30);
    default: {
      std::string out;
      for (std::size_t k = random() % 24; k != 0; --k) out += "0123456789.eE+-"[random() % 15];
      return out;
    }
  }
}

TEST(fast_decimal, agrees_with_from_chars_wherever_it_answers) {
  std::mt19937_64 random(42);
  int answered = 0;
  constexpr int times = 1'000'000;
  for (int k = 0; k < times; ++k) {
    const std::string number = any_number(random);
    const std::string text = number + "\n77777777";
    double fast = 0;
    const char* const end = loops::detail::fast_decimal(text.data(), fast);
    if (!end) continue;
    ++answered;
    double exact = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), exact);
    ASSERT_EQ(result.ec, std::errc()) << number;
    ASSERT_EQ(end - text.data(), result.ptr - number.data()) << number;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(fast), std::bit_cast<std::uint64_t>(exact)) << number;
  }
  EXPECT_GT(answered, times / 2) << "the fast path is hardly ever taken";
}

TEST(fast_decimal, leaves_the_unusual_to_others) {
  double value = 0;
  for (const char* text : {"", "-", ".", "+1", "e5", "nan", "1e", "1e+", "1e1000", "1e300",
                           "12345678901234567890", "0.00000000000000000001"})
    EXPECT_EQ(loops::detail::fast_decimal((std::string(text) + "\n        ").c_str(), value),
              nullptr)
        << text;
}

TEST(fast_integer, reads_up_to_fifteen_digits) {
  std::int64_t value = 0;
  const auto read = [&](std::string text) {
    const std::size_t size = text.size();
    text += "\n99999999";
    const char* const end = loops::detail::fast_integer(text.c_str(), value);
    return end && end == text.c_str() + size;
  };
  std::int64_t expected = 0;
  for (std::string text; text.size() < 15;) {
    text += static_cast<char>('0' + (text.size() + 1) % 10);
    expected = expected * 10 + static_cast<std::int64_t>(text.size() % 10);
    ASSERT_TRUE(read(text)) << text;
    ASSERT_EQ(value, expected);
  }
  for (const char* text : {"", "-1", "+1", "x", "1234567890123456", "1x"})
    EXPECT_FALSE(read(text)) << text;
}

}  // namespace
