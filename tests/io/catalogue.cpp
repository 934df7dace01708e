// SPDX-License-Identifier: Apache-2.0
/// The catalogue is well formed, agrees with what can be computed, and names what is wrong.
#include "loops/io/catalogue.hpp"

#include "loops/io/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class Make>
void expect_error(Make make, loops::errc code, const std::string& part) {
  try {
    make();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const loops::error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(e.message().find(part), std::string::npos) << e.message();
  }
}

std::uint64_t print(int rows, int cols, std::vector<int> offsets, std::vector<int> indices) {
  const loops::csr_view<float> view{rows,           cols,           offsets.back(),
                                    offsets.data(), indices.data(), nullptr};
  return loops::fingerprint(view);
}

TEST(catalogue, fingerprint_follows_its_definition) {
  std::uint64_t state = 0;
  for (const std::uint64_t n : {2U, 3U, 2U, 0U, 2U, 1U, 1U}) state = loops::mix_bits(state ^ n) + 1;
  EXPECT_EQ(print(2, 3, {0, 2, 3}, {0, 2, 1}), state);
}

TEST(catalogue, fingerprint_sees_patterns_and_nothing_else) {
  const auto original = print(2, 3, {0, 2, 3}, {0, 2, 1});
  EXPECT_EQ(print(2, 3, {0, 2, 3}, {2, 0, 1}), original);  // the order inside a row
  const std::vector<std::uint64_t> others = {print(2, 4, {0, 2, 3}, {0, 2, 1}),
                                             print(3, 3, {0, 2, 3, 3}, {0, 2, 1}),
                                             print(3, 3, {0, 0, 2, 3}, {0, 2, 1}),
                                             print(2, 3, {0, 1, 3}, {0, 1, 2}),
                                             print(2, 3, {0, 2, 3}, {0, 1, 2}),
                                             print(0, 0, {0}, {}),
                                             print(0, 1, {0}, {}),
                                             print(1, 0, {0, 0}, {})};
  std::set<std::uint64_t> all(others.begin(), others.end());
  EXPECT_EQ(all.size(), others.size());
  EXPECT_EQ(all.count(original), 0U);
  const auto narrow = loops::generate<float>("random:rows=50,cols=60");
  const auto wide =
      loops::generate<double, std::int64_t, std::int64_t>("random:rows=50,cols=60,values=ones");
  EXPECT_EQ(loops::fingerprint(narrow.view()), loops::fingerprint(wide.view()));
}

TEST(catalogue, shipped_list_is_ordered_and_plausible) {
  const auto& all = loops::catalogue();
  EXPECT_GE(all.size(), 300U);
  std::pair<std::string, std::string> last;
  const std::set<std::string> symmetries = {"general", "symmetric", "skew-symmetric", "hermitian",
                                            "-"};
  const std::set<std::string> fields = {"real", "integer", "complex", "pattern", "-"};
  std::size_t known = 0;
  for (const auto& e : all) {
    SCOPED_TRACE(e.group + '/' + e.name);
    EXPECT_LT(last, std::pair(e.group, e.name));
    last = {e.group, e.name};
    EXPECT_EQ(symmetries.count(e.symmetry), 1U) << e.symmetry;
    EXPECT_EQ(fields.count(e.field), 1U) << e.field;
    if (e.rows && e.cols && e.nonzeros) {
      EXPECT_LE(static_cast<double>(*e.nonzeros),
                static_cast<double>(*e.rows) * static_cast<double>(*e.cols));
      if (e.symmetry != "general" && e.symmetry != "-") {
        EXPECT_TRUE(e.rows == e.cols);
      }
    }
    known += e.fingerprint.has_value();
  }
  EXPECT_GE(known, 100U);
}

TEST(catalogue, lines_read_back) {
  std::string text = "# a comment\r\n\n";
  for (const auto& e : loops::catalogue()) text += loops::to_line(e) + "\r\n";
  const auto again = loops::parse_catalogue(text);
  ASSERT_EQ(again.size(), loops::catalogue().size());
  for (std::size_t i = 0; i < again.size(); ++i)
    EXPECT_EQ(loops::to_line(again[i]), loops::to_line(loops::catalogue()[i]));
}

TEST(catalogue, finds_by_name_and_by_group) {
  const auto cant = loops::find_in_catalogue("cant");
  EXPECT_EQ(cant.group, "Williams");
  EXPECT_EQ(cant.rows, 62451);
  EXPECT_EQ(loops::find_in_catalogue("Williams/cant").nonzeros, 4007383);
  const auto unknown = loops::find_in_catalogue("New/matrix-1.2");
  EXPECT_EQ(unknown.name, "matrix-1.2");
  EXPECT_FALSE(unknown.rows.has_value());
  expect_error([] { (void)loops::find_in_catalogue("no_such_matrix"); },
               loops::errc::invalid_argument, "GROUP/NAME");
  for (const char* hostile : {"../etc", "a/..", "a/b/c", "/b", "a/", "a/.b", "a/b?c", "a/b c",
                              "a\\b/c", "a/%2e%2e", "a/b\n"})
    expect_error([&] { (void)loops::find_in_catalogue(hostile); }, loops::errc::invalid_argument,
                 "GROUP/NAME");
}

TEST(catalogue, malformed_lines_are_named) {
  const auto refused = [](const std::string& line, const std::string& part) {
    expect_error([&] { (void)loops::parse_catalogue("# one\n" + line); }, loops::errc::parse, part);
  };
  refused("a\tb", "line 2: expected 9 columns between tabs, found 2");
  refused("a\tb\tx\t1\t1\t-\t-\t-\t-", "found \"x\"");
  refused("a\tb\t-1\t1\t1\t-\t-\t-\t-", "found \"-1\"");
  refused("a\tb\t1\t1\t1\t-\t-\t-\t123", "16 hexadecimal digits");
  refused("a\tb\t1\t1\t1\t-\t-\t-\t0x23456789abcdef", "16 hexadecimal digits");
  refused("..\tb\t1\t1\t1\t-\t-\t-\t-", "characters");
  refused("a\tb/c\t1\t1\t1\t-\t-\t-\t-", "characters");
  EXPECT_TRUE(loops::parse_catalogue("").empty());
}

TEST(catalogue, families_with_a_definition_agree_with_their_generators) {
  const auto agrees = [](const std::string& name, const std::string& spec) {
    const auto a = loops::generate(spec);
    const auto e = loops::find_in_catalogue(name);
    EXPECT_EQ(e.rows, a.rows) << name;
    EXPECT_EQ(e.cols, a.cols) << name;
    EXPECT_EQ(e.nonzeros, a.nonzeros()) << name;
    if (e.fingerprint) {
      EXPECT_EQ(*e.fingerprint, loops::fingerprint(a.view())) << name;
    }
  };
  for (int k = 3; k <= 14; ++k)
    agrees("mycielskian" + std::to_string(k), "mycielskian:order=" + std::to_string(k));
  for (const char* n : {"20", "2000", "20000"})
    agrees(std::string("Trefethen_") + n, std::string("trefethen:rows=") + n);
  agrees("Trefethen_20b", "trefethen:rows=20,minor=1");
  agrees("bibd_9_3", "pairs_in_subsets:points=9,subset=3");
  agrees("bibd_12_5", "pairs_in_subsets:points=12,subset=5");
  agrees("bibd_16_8", "pairs_in_subsets:points=16,subset=8");
}

}  // namespace
