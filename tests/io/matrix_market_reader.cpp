// SPDX-License-Identifier: Apache-2.0
/// Every kind of legal file gives the right matrix; every malformed one an error with its line.
#include "loops/io/matrix_market_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gzip.hpp"

namespace {

using loops::parse_matrix_market;
namespace mm = loops::matrix_market;

template <class Csr>
auto dense(const Csr& a) {
  loops::validate(a.view());
  std::map<std::pair<std::int64_t, std::int64_t>, std::complex<double>> out;
  for (std::size_t r = 0; r < std::size_t(a.rows); ++r)
    for (auto k = std::size_t(a.offsets[r]); k < std::size_t(a.offsets[r + 1]); ++k) {
      if constexpr (requires { a.values[k].im; })
        out[{std::int64_t(r) + 1, a.indices[k] + 1}] +=
            std::complex<double>(double(a.values[k].re), double(a.values[k].im));
      else
        out[{std::int64_t(r) + 1, a.indices[k] + 1}] += double(float(a.values[k]));
    }
  return out;
}

using elements = std::map<std::pair<std::int64_t, std::int64_t>, std::complex<double>>;

std::string banner(const std::string& rest) {
  return "%%MatrixMarket matrix " + rest + "\n";
}

TEST(matrix_market_reader, coordinate_real_general_sorted_by_row_and_column) {
  const auto a = parse_matrix_market<double>(banner("coordinate real general") +
                                             "% made by hand\n%\n\n3 4 4\n"
                                             "3 4 1e2\n1 3 -2.5\n3 1 +.5\n1 1 1.\n");
  EXPECT_EQ(a.rows, 3);
  EXPECT_EQ(a.cols, 4);
  EXPECT_EQ(a.offsets.to_vector(), (std::vector<int>{0, 2, 2, 4}));
  EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{0, 2, 0, 3}));
  EXPECT_EQ(a.values.to_vector(), (std::vector<double>{1, -2.5, .5, 100}));
}

TEST(matrix_market_reader, unsigned_types_take_what_a_file_can_say) {
  const std::string text = banner("coordinate real general") + "2 3 2\n1 3 4\n2 1 5\n";
  const auto taken = [](const auto& a) {
    EXPECT_EQ(a.rows, 2U);
    EXPECT_EQ(a.offsets[2], 2U);
    EXPECT_EQ(a.indices[0], 2U);
    loops::validate(a.view());
  };
  taken(parse_matrix_market<float, std::uint64_t>(text));
  taken(parse_matrix_market<float, std::uint32_t, std::uint64_t>(text));
  taken(parse_matrix_market<double, std::uint8_t, std::size_t>(text));
}

TEST(matrix_market_reader, every_symmetry_is_expanded) {
  EXPECT_EQ(dense(parse_matrix_market<float>(banner("coordinate integer symmetric") +
                                             "3 3 3\n1 1 1\n3 1 -2\n3 2 3\n")),
            (elements{{{1, 1}, 1}, {{3, 1}, -2}, {{1, 3}, -2}, {{3, 2}, 3}, {{2, 3}, 3}}));
  EXPECT_EQ(dense(parse_matrix_market<float>(banner("coordinate pattern symmetric") +
                                             "2 2 2\n2 1\n2 2\n")),
            (elements{{{2, 1}, 1}, {{1, 2}, 1}, {{2, 2}, 1}}));
  EXPECT_EQ(dense(parse_matrix_market<double>(banner("coordinate real skew-symmetric") +
                                              "3 3 2\n2 1 4\n3 1 -5\n")),
            (elements{{{2, 1}, 4}, {{1, 2}, -4}, {{3, 1}, -5}, {{1, 3}, 5}}));
  using z = loops::complex<double>;
  EXPECT_EQ(dense(parse_matrix_market<z>(banner("coordinate complex symmetric") +
                                         "2 2 2\n1 1 1 2\n2 1 3 4\n")),
            (elements{{{1, 1}, {1, 2}}, {{2, 1}, {3, 4}}, {{1, 2}, {3, 4}}}));
  EXPECT_EQ(dense(parse_matrix_market<z>(banner("coordinate complex Hermitian") +
                                         "2 2 2\n1 1 1 0\n2 1 3 4\n")),
            (elements{{{1, 1}, 1}, {{2, 1}, {3, 4}}, {{1, 2}, {3, -4}}}));
  EXPECT_EQ(dense(parse_matrix_market<loops::complex<float>>(
                banner("coordinate complex skew-symmetric") + "2 2 1\n2 1 3 4\n")),
            (elements{{{2, 1}, {3, 4}}, {{1, 2}, {-3, -4}}}));
}

TEST(matrix_market_reader, arrays_go_down_the_columns) {
  EXPECT_EQ(
      dense(parse_matrix_market<double>(banner("array real general") + "2 3\n1\n2\n3\n4\n5\n6\n")),
      (elements{{{1, 1}, 1}, {{2, 1}, 2}, {{1, 2}, 3}, {{2, 2}, 4}, {{1, 3}, 5}, {{2, 3}, 6}}));
  EXPECT_EQ(
      dense(parse_matrix_market<double>(banner("array integer symmetric") + "2 2\n1\n2\n3\n")),
      (elements{{{1, 1}, 1}, {{2, 1}, 2}, {{1, 2}, 2}, {{2, 2}, 3}}));
  EXPECT_EQ(
      dense(parse_matrix_market<double>(banner("array real skew-symmetric") + "3 3\n1\n2\n3\n")),
      (elements{{{2, 1}, 1}, {{1, 2}, -1}, {{3, 1}, 2}, {{1, 3}, -2}, {{3, 2}, 3}, {{2, 3}, -3}}));
  EXPECT_EQ(dense(parse_matrix_market<loops::complex<double>>(banner("array complex hermitian") +
                                                              "2 2\n1 0\n2 3\n4 0\n")),
            (elements{{{1, 1}, 1}, {{2, 1}, {2, 3}}, {{1, 2}, {2, -3}}, {{2, 2}, 4}}));
}

TEST(matrix_market_reader, real_files_can_be_read_as_complex) {
  const auto a = parse_matrix_market<loops::complex<float>>(banner("coordinate real symmetric") +
                                                            "2 2 1\n2 1 3\n");
  EXPECT_EQ(dense(a), (elements{{{2, 1}, 3}, {{1, 2}, 3}}));
  EXPECT_FALSE(std::signbit(a.values[0].im));
  const auto skew = parse_matrix_market<loops::complex<float>>(
      banner("coordinate real skew-symmetric") + "2 2 1\n2 1 3\n");
  EXPECT_EQ(skew.values[0].re, -3);
  EXPECT_FALSE(std::signbit(skew.values[0].im)) << "there is no imaginary part to negate";
}

TEST(matrix_market_reader, duplicates_stay_in_the_order_of_the_file) {
  const auto a = parse_matrix_market<float>(banner("coordinate real general") +
                                            "1 2 4\n1 2 1\n1 1 2\n1 2 3\n1 1 4\n");
  EXPECT_EQ(a.indices.to_vector(), (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(a.values.to_vector(), (std::vector<float>{2, 4, 1, 3}));
}

TEST(matrix_market_reader, sizes_of_nothing) {
  for (const char* sizes : {"0 0 0", "0 5 0", "5 0 0", "5 5 0"})
    EXPECT_EQ(parse_matrix_market<float>(banner("coordinate real general") + sizes).nonzeros(), 0);
  for (const char* sizes : {"0 0", "0 5", "5 0"})
    EXPECT_EQ(parse_matrix_market<float>(banner("array real general") + sizes).nonzeros(), 0);
  EXPECT_EQ(parse_matrix_market<float>(banner("array real skew-symmetric") + "1 1").nonzeros(), 0);
}

TEST(matrix_market_reader, tolerates_what_is_legal) {
  const elements expected{{{1, 2}, 7}};
  const char* const same[] = {
      "%%MatrixMarket matrix coordinate real general\r\n% crlf\r\n\r\n1 2 1\r\n1 2 7\r\n",
      "%%MatrixMarket MATRIX Coordinate REAL General\n1 2 1\n1 2 7",
      "%%MatrixMarket\tmatrix  coordinate\treal general \n \t1\t2 1 \n\n\n  1\t2  7.0e0 \t\n\n \n",
      "%%MatrixMarket matrix coordinate integer general\n+1 002 1\n+1 0000000000000000000002 +7\n",
      "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 0.0000070E6\n",
      "%%MatrixMarket matrix coordinate real general\r\n1 2 1\r\n\r\n\t+1\t+2\t+7\r\n\r\n",
  };
  for (const char* text : same)
    EXPECT_EQ(dense(parse_matrix_market<double>(text)), expected) << text;
}

TEST(matrix_market_reader, numbers_are_rounded_like_the_compiler_rounds_them) {
  const auto one = [](const std::string& number) {
    return parse_matrix_market<double>(banner("array real general") + "1 1\n" + number).values[0];
  };
  EXPECT_EQ(one("0.1"), 0.1);
  EXPECT_EQ(one("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(one("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(one("1e-400"), 0);
  EXPECT_EQ(one("0.0e99999"), 0);
  EXPECT_EQ(one("0e99999999999999999999"), 0);
  EXPECT_EQ(one("0.01e-9223372036854775808"), 0);
  EXPECT_TRUE(std::signbit(one("-1e-99999999999999999999")));
  EXPECT_TRUE(std::signbit(one("-0")));
  EXPECT_EQ(one("0." + std::string(400, '0') + "1e401"), 1);
  EXPECT_EQ(one("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(one("1" + std::string(400, '0') + "e-400"), 1);
  EXPECT_EQ(one(std::string(400, '0') + "1e-350"), 0);
  EXPECT_EQ(one("9007199254740993"), 9007199254740992.0);
}

TEST(matrix_market_reader, narrow_values_are_rounded_once) {
  // Just above halfway between two halves: rounding to float first would land on halfway.
  const std::string text = banner("array real general") + "1 1\n1.0004882812500003\n";
  EXPECT_EQ(parse_matrix_market<loops::half>(text).values[0].bits, 0x3c01);
  // The nearest float lies above, and is odd; the next one below is halfway.
  EXPECT_EQ(
      parse_matrix_market<loops::half>(banner("array real general") + "1 1\n1.000488370656967\n")
          .values[0]
          .bits,
      0x3c01);
  EXPECT_EQ(parse_matrix_market<loops::bfloat16>(banner("array real general") +
                                                 "1 1\n-1.0039062500000003\n")
                .values[0]
                .bits,
            0xbf81);
  EXPECT_EQ(float(parse_matrix_market<loops::half>(banner("array real general") + "1 1\n65519.99\n")
                      .values[0]),
            65504.0F);
}

/// A whole file from one without its first words: '~' stands for "%%MatrixMarket matrix
/// coordinate", '^' for array.
std::string whole(std::string text) {
  if (!text.empty() && text[0] == '\x1f') return text;
  const auto put = [&](char mark, const char* words) {
    if (const auto place = text.find(mark); place != std::string::npos)
      text.replace(place, 1, words);
  };
  put('~', "%%MatrixMarket matrix coordinate");
  put('^', "%%MatrixMarket matrix array");
  return text;
}

struct bad {
  const char* text;
  std::int64_t line;
  const char* part;
};

/// The error that reading `text` gives; none is a failure.
template <class Value, class Index = int, class Offset = Index>
void expect_error(const std::string& text, loops::errc code, const std::string& start,
                  const std::string& part) {
  try {
    static_cast<void>(parse_matrix_market<Value, Index, Offset>(whole(text), "bad.mtx"));
    ADD_FAILURE() << "no error for:\n" << text;
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), code) << text;
    EXPECT_EQ(e.message().substr(0, start.size()), start) << e.message() << "\n" << text;
    EXPECT_NE(e.message().find(part), std::string::npos) << e.message() << "\n" << text;
  }
}

TEST(matrix_market_reader, malformed_files_are_errors_with_their_line) {
  const bad files[] = {
      {"", 1, "the file is empty"},
      {"\n", 1, "found ''"},
      {"%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "starts with '%%MatrixMarket"},
      {" ~ real general\n1 1 0\n", 1, "starts with '%%MatrixMarket"},
      {"\xef\xbb\xbf~ real general\n1 1 0\n", 1, "byte order mark"},
      {"\x7f"
       "ELF\x02\x01",
       1, "unpack it first"},
      {"%%MatrixMarket vector coordinate real general\n1 1 0\n", 1, "only 'matrix'"},
      {"%%MatrixMarket\n", 1, "object is ''"},
      {"%%MatrixMarket matrix sparse real general\n1 1 0\n", 1, "'coordinate' or 'array'"},
      {"~ double general\n1 1 0\n", 1, "field is 'double'"},
      {"~ real\n1 1 0\n", 1, "symmetry is ''"},
      {"~ real lower\n1 1 0\n", 1, "symmetry is 'lower'"},
      {"~ real general please\n1 1 0\n", 1, "five words"},
      {"~ pattern skew-symmetric\n1 1 0\n", 1, "no signs"},
      {"~ real hermitian\n1 1 0\n", 1, "'symmetric'"},
      {"^ pattern general\n1 1\n", 1, "cannot be 'pattern'"},
      {"~ complex general\n1 1 1\n1 1 1 0\n", 1, "complex<float>"},
      {"~ real general\n", 2, "before its size line"},
      {"~ real general\n% a\n\n", 4, "before its size line"},
      {"~ real general\n1 1\n1 1 1\n", 2, "the number of entries is missing"},
      {"~ real general\n1 1 1 1\n1 1 1\n", 2, "three numbers"},
      {"^ real general\n1 1 1\n1\n", 2, "two numbers"},
      {"~ real general\n1.0 1 1\n1 1 1\n", 2, "whole number"},
      {"~ real general\n1 x 1\n1 1 1\n", 2, "'x'"},
      {"~ real general\n-1 1 1\n1 1 1\n", 2, "negative"},
      {"~ real general\n1 1 -1\n1 1 1\n", 2, "negative"},
      {"~ real general\n99999999999999999999 1 1\n1 1 1\n", 2, "64 bits"},
      {"~ real symmetric\n2 3 1\n1 1 1\n", 2, "square"},
      {"~ real general\n1 1 1000000000000\n1 1 1\n", 2, "too short"},
      {"^ real general\n1000000 1000000\n1\n", 2, "too short"},
      {"^ real general\n4000000000000 4000000000000\n1\n", 2, "cannot be addressed"},
      {"~ real general\n2000000000 1 1\n1 1 1\n", 2, "limits::rows_per_entry"},
      {"~ real general\n2 2 2\n1 1 1.00000\n", 3, "after 1 of 2 entries"},
      {"~ real general\n2 2 2\n1 1 1.00000\n\n\n\n", 6, "after 1 of 2 entries"},
      {"~ real general\n2 2 1\n1 1 1\n\n2 2 2\n", 5, "found '2 2 2' after the last of 1"},
      {"~ real general\n2 2 0\n1 1 1\n", 3, "after the last of 0"},
      {"~ real general\n2 2 1\n% no\n1 1 1\n", 3, "a comment among the entries"},
      {"~ real general\n2 2 1\n0 1 1\n", 3, "the row is 0; it must be in [1, 2]"},
      {"~ real general\n2 2 1\n1 0 1\n", 3, "the column is 0"},
      {"~ real general\n2 2 1\n3 1 1\n", 3, "the row is 3"},
      {"~ real general\n2 2 1\n1 3 1\n", 3, "the column is 3"},
      {"~ real general\n2 2 1\n-1 1 1\n", 3, "the row is -1"},
      {"~ real general\n2 2 1\n99999999999999999999 1 1\n", 3, "64 bits"},
      {"~ real general\n2 2 1\n18446744073709551617 1 1\n", 3, "64 bits"},
      {"~ real general\n2 2 1\n1.5 1 1\n", 3, "whole number"},
      {"~ real general\n2 2 1\n1 +-1 1\n", 3, "whole number"},
      {"~ real general\n2 2 1\n1 1   \n", 3, "the value is missing"},
      {"~ real general\n2 2 1\n1        \n", 3, "the column is missing"},
      {"~ real general\n2 2 1\n1 1 one\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 nan\n", 3, "'nan'"},
      {"~ real general\n2 2 1\n1 1 -inf\n", 3, "'-inf'"},
      {"~ real general\n2 2 1\n1 1 -\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 +\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 .\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 1e\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 1d0\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 0x1\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 +-1\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 1,5\n", 3, "finite decimal"},
      {"~ real general\n2 2 1\n1 1 1e999\n", 3, "a double cannot hold"},
      {"~ real general\n2 2 1\n1 1 -1e99999999999999999999\n", 3, "a double cannot hold"},
      {"~ real general\n2 2 1\n1 1 1e9223372036854775807\n", 3, "a double cannot hold"},
      {"~ real general\n2 2 1\n1 1 10e+9223372036854775806\n", 3, "a double cannot hold"},
      {"~ real general\n2 2 1\n1 1 1 1\n", 3, "own line"},
      {"~ real general\n2 2 1\n1 1 1\r\r\n", 3, "finite decimal"},
      {"~ integer general\n2 2 1\n1 1 1.5\n", 3, "whole number"},
      {"~ integer general\n2 2 1\n1 1 9223372036854775808\n", 3, "64 bits"},
      {"~ pattern general\n2 2 1\n1 1 1\n", 3, "own line"},
      {"~ real symmetric\n2 2 2\n2 1 1\n1 2 1\n", 4, "above the diagonal"},
      {"~ real skew-symmetric\n2 2 1\n1 1 1\n", 3, "skew-symmetric matrix is zero"},
      {"^ real general\n1 2\n1\n2 3\n", 4, "own line"},
      {"^ real general\n1 1\n1\n2\n", 4, "after the last of 1"},
      {"^ real general\n2 1\n1\n\n", 4, "after 1 of 2"},
  };
  for (const bad& file : files)
    expect_error<double>(file.text, loops::errc::parse,
                         "bad.mtx:" + std::to_string(file.line) + ": ", file.part);
  const std::string zero("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\0\n", 58);
  expect_error<double>(zero, loops::errc::parse, "bad.mtx:3: ", "'1?'");
  expect_error<double>(std::string(5000, '%'), loops::errc::parse, "bad.mtx:1: ", "starts with");
  expect_error<double>(std::string("~ real general\n") + std::string(1 << 20, '1'),
                       loops::errc::parse, "bad.mtx:2: ", "longer than");
}

TEST(matrix_market_reader, a_long_number_that_is_too_large_is_an_error) {
  expect_error<double>("^ real general\n1 1\n0." + std::string(400, '1') + "e310\n",
                       loops::errc::parse, "bad.mtx:3: ", "a double cannot hold");
}

TEST(matrix_market_reader, complex_files_have_errors_of_their_own) {
  using z = loops::complex<double>;
  const bad files[] = {
      {"~ complex hermitian\n2 2 1\n1 1 1 1\n", 3, "Hermitian matrix is real"},
      {"~ complex general\n2 2 1\n1 1 1   \n", 3, "imaginary part is missing"},
      {"~ complex general\n2 2 1\n1 1 1 i\n", 3, "imaginary part is 'i'"},
      {"~ complex general\n2 2 1\n1 1 1 2 3\n", 3, "own line"},
      {"~ complex skew-symmetric\n2 2 1\n1 1 0 1\n", 3, "skew-symmetric matrix is zero"},
  };
  for (const bad& file : files)
    expect_error<z>(file.text, loops::errc::parse, "bad.mtx:" + std::to_string(file.line) + ": ",
                    file.part);
}

TEST(matrix_market_reader, values_that_narrow_to_infinity_are_errors_with_their_line) {
  const std::string before = whole("~ real general\n2 2 2\n1 1 1\n2 2 ");
  expect_error<float>(before + "3.5e38\n", loops::errc::parse, "bad.mtx:4: ", "too large");
  expect_error<float>(before + "-3.4028235678e38\n", loops::errc::parse,
                      "bad.mtx:4: ", "too large");
  expect_error<loops::half>(before + "65520\n", loops::errc::parse, "bad.mtx:4: ", "too large");
  expect_error<loops::bfloat16>(before + "3.4e38\n", loops::errc::parse,
                                "bad.mtx:4: ", "too large");
  expect_error<loops::complex<float>>("~ complex general\n2 2 1\n1 1 0 1e39\n", loops::errc::parse,
                                      "bad.mtx:3: ", "too large");
  expect_error<loops::half>("~ integer general\n2 2 1\n1 1 100000\n", loops::errc::parse,
                            "bad.mtx:3: ", "too large");
  const auto a = parse_matrix_market<float>(before + "3.4028235e38\n");
  EXPECT_EQ(a.values[1], std::numeric_limits<float>::max());
}

TEST(matrix_market_reader, sizes_that_do_not_fit_are_refused_not_wrapped) {
  const std::string wide = whole("~ real general\n1 3000000000 1\n1 2999999999 1\n");
  expect_error<float>(wide, loops::errc::overflow, "bad.mtx:2: ", "wider Index");
  EXPECT_EQ((parse_matrix_market<float, std::int64_t>(wide).indices[0]), 2999999998);
  std::string many = whole("~ pattern symmetric\n300 300 20000\n");
  for (int k = 0; k < 20000; ++k) many += std::to_string(k % 299 + 2) + " 1\n";
  expect_error<float, std::int16_t>(many, loops::errc::overflow, "", "40000");
  EXPECT_EQ((parse_matrix_market<float, std::int16_t, int>(many).nonzeros()), 40000);
  std::string more = whole("~ pattern general\n300 300 40000\n");
  for (int k = 0; k < 40000; ++k) more += "1 1\n";
  expect_error<float, std::int16_t>(more, loops::errc::overflow, "bad.mtx:2: ", "wider Offset");
  const std::string three = whole("~ pattern general\n2 3 3\n1 1\n1 2\n2 3\n");
  EXPECT_EQ(mm::parse(three, "", {}, {.largest_index = 3, .largest_offset = 3}).header.entries, 3);
  EXPECT_THROW(static_cast<void>(mm::parse(three, "", {}, {.largest_offset = 2})), loops::error);
  EXPECT_THROW(static_cast<void>(mm::parse(three, "", {}, {.largest_index = 2})), loops::error);
}

TEST(matrix_market_reader, text_larger_than_the_window) {
  std::string text = whole("~ real general\n70000 70000 70000\n");
  for (int k = 1; k <= 70000; ++k) {
    text += std::to_string(70001 - k) + " " + std::to_string(k) + " " + std::to_string(k * 0.25) +
            (k % 1000 ? "\n" : "\n\n");
  }
  for (const std::string& bytes : {text, gzip(text)}) {
    const auto a = parse_matrix_market<double>(bytes);
    ASSERT_EQ(a.nonzeros(), 70000);
    for (std::size_t r = 0; r < 70000; ++r) {
      ASSERT_EQ(a.indices[r], int(69999 - r));
      ASSERT_EQ(a.values[r], double(70000 - r) * 0.25);
    }
  }
  const std::size_t last = text.rfind("\n1 ");
  text.replace(last + 1, 1, "x");
  expect_error<double>(text, loops::errc::parse, "bad.mtx:70071: ", "'x'");
  expect_error<double>(gzip(text), loops::errc::parse, "bad.mtx:70071: ", "'x'");
}

TEST(matrix_market_reader, gzip_damage_is_an_error) {
  std::string text = whole("~ real general\n1000 1000 1000\n");
  for (int k = 1; k <= 1000; ++k) text += std::to_string(k) + " 1 " + std::to_string(k) + ".5\n";
  const std::string good = gzip(text);
  EXPECT_EQ(parse_matrix_market<float>(good).nonzeros(), 1000);
  for (std::size_t size = 2; size < good.size(); ++size)
    EXPECT_THROW(static_cast<void>(parse_matrix_market<float>(good.substr(0, size))), loops::error)
        << size << " of " << good.size() << " bytes were accepted";
  expect_error<float>(good.substr(0, good.size() / 2), loops::errc::parse, "bad.mtx:", "truncated");
  std::string bad_sum = good;
  bad_sum[good.size() - 8] = char(bad_sum[good.size() - 8] ^ 1);
  expect_error<float>(bad_sum, loops::errc::parse, "bad.mtx:", "incorrect data check");
  expect_error<float>(good + "more", loops::errc::parse, "bad.mtx:", "not gzip");
  EXPECT_EQ(parse_matrix_market<float>(good + std::string(512, '\0')).nonzeros(), 1000);
  const std::size_t half = text.size() / 2;
  EXPECT_EQ(
      parse_matrix_market<float>(gzip(text.substr(0, half)) + gzip(text.substr(half))).nonzeros(),
      1000)
      << "members follow each other";
}

TEST(matrix_market_limits, believe_just_as_many_rows_as_they_say) {
  const mm::limits few{.rows_per_entry = 2, .rows_always = 5};
  EXPECT_TRUE(few.believe(5, 0));
  EXPECT_FALSE(few.believe(6, 2));
  EXPECT_TRUE(few.believe(6, 3));
}

TEST(matrix_market_reader, bombs_are_refused) {
  const std::string bomb = gzip(whole("~ real general\n") + std::string(8 << 20, '\n') + "1 1 0\n");
  mm::limits limits;
  EXPECT_EQ(parse_matrix_market<float>(bomb, "small enough", limits).nonzeros(), 0);
  limits.inflation_always = 1 << 20;
  try {
    static_cast<void>(parse_matrix_market<float>(bomb, "bomb", limits));
    ADD_FAILURE() << "a text of 8 MiB in " << bomb.size() << " bytes was read";
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), loops::errc::parse);
    EXPECT_NE(e.message().find("limits::inflation"), std::string::npos) << e.message();
  }
  limits.inflation = 2000;
  EXPECT_EQ(parse_matrix_market<float>(bomb, "trusted", limits).nonzeros(), 0);
  expect_error<float, std::int64_t>(gzip(whole("~ real general\n1 1 1000000000000\n1 1 1\n")),
                                    loops::errc::parse, "bad.mtx:2: ", "too short");
}

TEST(matrix_market_reader, files_that_cannot_be_read_are_input_errors) {
  for (const char* path : {"/nonexistent/a.mtx", "/"}) {
    try {
      static_cast<void>(loops::read_matrix_market<float>(path));
      ADD_FAILURE() << path << " was read";
    } catch (const loops::error& e) {
      EXPECT_EQ(e.code(), loops::errc::io);
      EXPECT_NE(e.message().find(path), std::string::npos);
    }
  }
}

TEST(matrix_market_reader, files_plain_and_gzipped) {
  const std::string text = whole("~ real general\n2 2 1\n2 1 3\n");
  const auto folder = std::filesystem::path(testing::TempDir());
  for (const bool packed : {false, true}) {
    const auto path = folder / (packed ? "loops_reader.mtx.gz" : "loops_reader.mtx");
    std::ofstream(path, std::ios::binary) << (packed ? gzip(text) : text);
    EXPECT_EQ(dense(loops::read_matrix_market<float>(path)), (elements{{{2, 1}, 3}}));
    std::filesystem::remove(path);
  }
}

TEST(read_coordinates, keeps_what_is_stored) {
  const auto a = mm::parse(whole("~ complex hermitian\n% x\n3 3 2\n3 1 1 2\n2 2 5 0\n"));
  EXPECT_EQ(a.header.layout, mm::layout::coordinate);
  EXPECT_EQ(a.header.field, mm::field::complex);
  EXPECT_EQ(a.header.symmetry, mm::symmetry::hermitian);
  EXPECT_EQ(a.header.size_line, 3);
  EXPECT_EQ(a.header.entries, 2);
  EXPECT_EQ(a.rows.to_vector(), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(a.cols.to_vector(), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(a.re.to_vector(), (std::vector<double>{1, 5}));
  EXPECT_EQ(a.im.to_vector(), (std::vector<double>{2, 0}));
  const auto b = mm::parse(whole("~ pattern general\n1 1 1\n1 1\n"));
  EXPECT_TRUE(b.re.empty() && b.im.empty());
}

}  // namespace
