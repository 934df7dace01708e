// SPDX-License-Identifier: Apache-2.0
/// Prints how fast text is read on one core; a figure to look at, since machines differ.
#include "loops/io/matrix_market_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>

namespace {

/// 400,000 numbers with 17 digits, ten to a column, in rows that `row_of(column, k)` chooses.
std::string text_of(auto row_of) {
  constexpr int size = 40000;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::string text = "%%MatrixMarket matrix coordinate real general\n40000 40000 400000\n";
  char line[80];
  for (int c = 0; c < size; ++c)
    for (int k = 0; k < 10; ++k) {
      std::snprintf(line, sizeof line, "%d %d %.16e\n", row_of(c, k) + 1, c + 1, unit(random));
      text += line;
    }
  return text;
}

void time_reading(const char* name, const std::string& text) {
  double best = 1e30;
  for (int times = 0; times < 5; ++times) {
    const std::clock_t start = std::clock();
    const auto a = loops::parse_matrix_market<double>(text, name);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    ASSERT_EQ(a.nonzeros(), 400000);
  }
  const double rate = static_cast<double>(text.size()) / 1e6 / best;
  std::printf("%s: %.1f MB of text into CSR at %.0f MB/s of one core\n", name,
              static_cast<double>(text.size()) / 1e6, rate);
  testing::Test::RecordProperty("megabytes_per_second", static_cast<int>(rate));
}

TEST(matrix_market_speed, banded) {
  time_reading("banded", text_of([](int c, int k) { return (c + k) % 40000; }));
}

TEST(matrix_market_speed, scattered) {
  std::mt19937 random(5);
  time_reading("scattered", text_of([&](int, int) { return static_cast<int>(random() % 40000); }));
}

}  // namespace
