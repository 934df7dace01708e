// SPDX-License-Identifier: Apache-2.0
/// What is written reads back bit for bit, plain and gzipped, for every type of value.
#include "loops/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

template <class V, class I, class O>
struct types {
  using value = V;
  using index = I;
  using offset = O;
};

/// A finite value with random bits: every exponent, subnormals, both zeros.
template <class Value>
Value any_bits(std::mt19937_64& generator) {
  if constexpr (requires(Value v) { v.im; }) {
    using part = decltype(Value{}.re);
    const part re = any_bits<part>(generator);
    return Value{re, any_bits<part>(generator)};
  } else {
    for (;;) {
      const std::uint64_t bits = generator();
      Value v;
      std::memcpy(static_cast<void*>(&v), &bits, sizeof v);
      if (std::isfinite(static_cast<double>(v))) return v;
    }
  }
}

template <class Types>
class matrix_market : public testing::Test {};
using every_type = testing::Types<types<float, std::int32_t, std::int32_t>,
                                  types<double, std::int32_t, std::int64_t>,
                                  types<loops::half, std::int32_t, std::int32_t>,
                                  types<loops::bfloat16, std::int64_t, std::int64_t>,
                                  types<loops::complex<float>, std::int32_t, std::int32_t>,
                                  types<loops::complex<double>, std::int64_t, std::int64_t>>;
TYPED_TEST_SUITE(matrix_market, every_type);

TYPED_TEST(matrix_market, reads_back_what_it_wrote_bit_for_bit) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  using offset = typename TypeParam::offset;
  std::mt19937_64 generator(11);
  std::vector<offset> offsets{0};
  std::vector<index> indices;
  std::vector<value> values;
  constexpr index rows = 3000;
  constexpr index cols = 977;
  for (index r = 0; r < rows; ++r) {
    if (generator() % 5 != 0)
      for (index c = static_cast<index>(generator() % 100); c < cols;
           c = static_cast<index>(c + index(generator() % 120))) {  // now and then a duplicate
        indices.push_back(c);
        values.push_back(any_bits<value>(generator));
      }
    offsets.push_back(static_cast<offset>(indices.size()));
  }
  if constexpr (std::is_floating_point_v<value>) {
    values[0] = -value(0);
    values[1] = std::numeric_limits<value>::max();
    values[2] = std::numeric_limits<value>::denorm_min();
    values[3] = std::numeric_limits<value>::min();
    // The one float whose shortest text, read as a double, is rounded to another float.
    values[4] = value(0x1.5c87fap-84);
    values[5] = -values[4];
  }
  const loops::csr_view<value, index, offset> a{
      rows,           cols,           static_cast<offset>(indices.size()),
      offsets.data(), indices.data(), values.data()};
  for (const char* name : {"loops_round_trip.mtx", "loops_round_trip.mtx.gz"}) {
    const auto path =
        (std::filesystem::path(testing::TempDir()) / (std::to_string(getpid()) + name)).string();
    loops::write_matrix_market(path, a);
    const auto b = loops::read_matrix_market<value, index, offset>(path);
    std::filesystem::remove(path);
    EXPECT_EQ(b.rows, rows);
    EXPECT_EQ(b.cols, cols);
    EXPECT_EQ(b.offsets.to_vector(), offsets);
    EXPECT_EQ(b.indices.to_vector(), indices);
    ASSERT_EQ(b.values.size(), values.size());
    EXPECT_EQ(std::memcmp(b.values.data(), values.data(), values.size() * sizeof(value)), 0);
  }
}

TEST(matrix_market_array, reads_back_what_it_wrote) {
  const std::vector<double> values{1, 2, 3, 0, -0.0, 1e-300};
  const auto path = (std::filesystem::path(testing::TempDir()) /
                     (std::to_string(getpid()) + "loops_array.mtx.gz"))
                        .string();
  loops::write_matrix_market_array<double>(path, 2, 3, values);
  const auto a = loops::read_matrix_market<double>(path);
  std::filesystem::remove(path);
  EXPECT_EQ(a.offsets.to_vector(), (std::vector<int>{0, 3, 6}));
  EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(a.values.to_vector(), values);
}

}  // namespace
