// SPDX-License-Identifier: Apache-2.0
/// Thousands of damaged files, the same ones on every run: none may crash the reader or give a
/// matrix that is not valid.
#include "loops/io/matrix_market_reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gzip.hpp"

namespace {

/// One good file of every kind.
std::vector<std::string> good_files() {
  const std::string start = "%%MatrixMarket matrix ";
  return {
      start + "coordinate real general\n% comment\n4 5 4\n1 1 1.5\n4 5 -2e-3\n2 2 1\n3 1 7\n",
      start + "coordinate integer symmetric\r\n3 3 3\r\n1 1 7\r\n3 1 -4\r\n3 2 +9\r\n",
      start + "coordinate pattern general\n\n3 3 3\n1 1\n\n2 2\n3 3",
      start + "coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
      start + "coordinate real skew-symmetric\n3 3 2\n2 1 4\n3 1 -5.25\n",
      start + "coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 -4\n",
      start + "coordinate complex general\n2 2 2\n1 2 1e5 0.25\n2 1 3 -4\n",
      start + "array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
      start + "array integer symmetric\n2 2\n1\n2\n3\n",
      start + "array complex skew-symmetric\n3 3\n1 2\n3 4\n5 6\n",
  };
}

const std::vector<std::string>& words() {
  static const std::vector<std::string> list = {"0",
                                                "-1",
                                                "+",
                                                "-",
                                                ".",
                                                "e",
                                                "1e999",
                                                "-1e-999",
                                                "nan",
                                                "inf",
                                                "99999999999999999999",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "2147483648",
                                                "4294967297",
                                                "1000000000000",
                                                " ",
                                                "\t",
                                                "\n",
                                                "\r",
                                                "\r\n",
                                                "%",
                                                "\n\n",
                                                std::string(1, '\0'),
                                                "\xff",
                                                "real",
                                                "complex",
                                                "integer",
                                                "pattern",
                                                "general",
                                                "symmetric",
                                                "skew-symmetric",
                                                "hermitian",
                                                "array",
                                                "coordinate",
                                                "1 1 1\n",
                                                "%%MatrixMarket",
                                                std::string(300, '7'),
                                                std::string(40, '0')};
  return list;
}

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n ? random() % n : 0; };
  for (auto times = 1 + below(2); times != 0; --times) {
    const std::size_t place = below(text.size() + 1);
    switch (random() % 8) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << below(8)));
        break;
      case 1:
        if (place < text.size()) text[place] = static_cast<char>(random());
        break;
      case 2:
        text.erase(place, 1 + below(8));
        break;
      case 3:
        text.insert(place, words()[below(words().size())]);
        break;
      case 4:
        text.resize(place);
        break;
      case 5:
        text.insert(place, text.substr(below(text.size() + 1), below(20)));
        break;
      case 6:
        text.replace(place, below(6), words()[below(words().size())]);
        break;
      default:
        if (place < text.size()) text[place] = "0123456789+-.eE %\n"[below(18)];
    }
  }
  return text;
}

struct tally {
  int matrices = 0;
  int errors = 0;
};

template <class Value, class Index, class Offset>
void read(const std::string& bytes, tally& count) {
  loops::matrix_market::limits limits;
  limits.rows_always = 1 << 16;
  try {
    const auto a = loops::parse_matrix_market<Value, Index, Offset>(bytes, "mutant", limits);
    loops::validate(a.view());
    ++count.matrices;
  } catch (const loops::error& e) {
    ASSERT_TRUE(e.code() == loops::errc::parse || e.code() == loops::errc::overflow) << e.what();
    if (e.code() == loops::errc::parse) {
      ASSERT_EQ(e.message().substr(0, 7), "mutant:") << e.what();
    }
    ++count.errors;
  }
}

tally read_mutants(int times, bool packed, bool damage_packed) {
  std::mt19937 random(packed ? 2 : 1);
  tally count;
  const auto files = good_files();
  for (int k = 0; k < times; ++k) {
    std::string bytes = files[static_cast<std::size_t>(k) % files.size()];
    if (!damage_packed) bytes = mutated(std::move(bytes), random);
    if (packed) bytes = gzip(bytes, static_cast<int>(random() % 10));
    if (damage_packed) bytes = mutated(std::move(bytes), random);
    SCOPED_TRACE(k);
    read<double, std::int64_t, std::int64_t>(bytes, count);
    read<loops::complex<float>, std::int32_t, std::int64_t>(bytes, count);
    read<loops::half, std::int32_t, std::int32_t>(bytes, count);
    if (testing::Test::HasFatalFailure()) break;
  }
  return count;
}

TEST(matrix_market_mutation, plain_text) {
  const tally count = read_mutants(20000, false, false);
  EXPECT_GT(count.matrices, 1000) << "the mutants are too wild to test anything";
  EXPECT_GT(count.errors, 1000) << "the mutants are too tame to test anything";
}

TEST(matrix_market_mutation, text_in_gzip) {
  const tally count = read_mutants(4000, true, false);
  EXPECT_GT(count.matrices, 200);
  EXPECT_GT(count.errors, 200);
}

TEST(matrix_market_mutation, damaged_gzip) {
  const tally count = read_mutants(8000, true, true);
  EXPECT_GT(count.errors, 4000);
}

TEST(matrix_market_mutation, every_prefix_and_every_missing_byte) {
  for (const std::string& good : good_files()) {
    tally whole;
    read<loops::complex<double>, int, int>(good, whole);
    ASSERT_EQ(whole.matrices, 1) << good;
    tally count;
    for (std::size_t k = 0; k < good.size(); ++k) {
      read<loops::complex<double>, int, int>(good.substr(0, k), count);
      std::string gap = good;
      gap.erase(k, 1);
      read<loops::complex<double>, int, int>(gap, count);
    }
  }
}

}  // namespace
