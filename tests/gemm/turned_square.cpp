// SPDX-License-Identifier: Apache-2.0
/// Squares of shared memory, turned in place and read across: every element once, no bank twice.
#include "algorithms/gemm/turned_square.hpp"

#include "loops/tile/banks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace {

using loops::hopper::square_fragment;
using loops::hopper::turned_square;
using loops::tile::nvidia_phases;
using loops::tile::worst_conflict;

/// Where the copy unit puts element `element` of line `line`: chunks of 16 bytes are permuted.
constexpr std::uint32_t copied(int line, int element) {
  return static_cast<std::uint32_t>(128 * line + 16 * ((element / 4) ^ (line % 8)) +
                                    4 * (element % 4));
}
constexpr std::uint32_t start = 5 * 1024;

turned_square of(int lane, int squares_before = 0) {
  turned_square s(start, static_cast<std::uint32_t>(lane));
  for (int i = 0; i < squares_before; ++i) s = s.next();
  return s;
}

TEST(turned_square, moves_every_element_to_the_place_of_its_mirror_image) {
  std::map<std::uint32_t, std::pair<int, int>> at;
  for (int line = 0; line < 32; ++line)
    for (int element = 0; element < 32; ++element) at[copied(line, element)] = {line, element};
  std::set<std::uint32_t> written;
  for (int lane = 0; lane < 32; ++lane)
    for (const unsigned round : {0U, 1U})
      for (unsigned u = 0; u < 4; ++u)
        for (unsigned v = 0; v < 4; ++v) {
          const auto [line, element] = at.at(of(lane).read(round, u) + 4 * v - start);
          const std::uint32_t to = of(lane).write(round, v) + 4 * u;
          EXPECT_EQ(to - start, copied(element, line));
          EXPECT_TRUE(written.insert(to).second);
          EXPECT_EQ(of(lane, 3).read(round, u), of(lane).read(round, u) + 3 * 4096);
          EXPECT_EQ(of(lane, 3).write(round, u), of(lane).write(round, u) + 3 * 4096);
        }
  EXPECT_EQ(written.size(), 1024U);
}

/// What one round writes, only that round reads: the other may be in registers meanwhile.
TEST(turned_square, has_rounds_that_keep_to_themselves) {
  for (const unsigned round : {0U, 1U}) {
    std::set<std::uint32_t> read;
    std::set<std::uint32_t> written;
    for (int lane = 0; lane < 32; ++lane)
      for (unsigned u = 0; u < 4; ++u) {
        read.insert(of(lane).read(round, u));
        written.insert(of(lane).write(round, u));
      }
    EXPECT_EQ(read.size(), 128U);
    EXPECT_EQ(read, written);
  }
}

TEST(turned_square, meets_no_bank_twice) {
  for (const unsigned round : {0U, 1U})
    for (unsigned u = 0; u < 4; ++u)
      for (const bool writes : {false, true})
        EXPECT_EQ(worst_conflict(nvidia_phases(16), 16,
                                 [&](int lane) {
                                   return static_cast<int>(writes ? of(lane).write(round, u)
                                                                  : of(lane).read(round, u));
                                 }),
                  1);
}

TEST(square_fragment, has_every_element_of_64_rows_once) {
  std::set<int> rows;
  std::set<std::uint32_t> read;
  for (int lane = 0; lane < 128; ++lane) {
    const square_fragment f(start, lane);
    for (const int h : {0, 1}) {
      const int row = square_fragment::row(lane, h);
      EXPECT_TRUE(row >= 0 && row < 64);
      rows.insert(row);
      // The four lanes of a row of the units are neighbours.
      EXPECT_EQ(row, square_fragment::row(lane / 4 * 4, h));
      for (int q = 0; q < 4; ++q)
        for (int j = 0; j < 2; ++j) {
          const auto at = f.at(static_cast<unsigned>(q), static_cast<unsigned>(j)) +
                          static_cast<unsigned>(4 * h);
          EXPECT_EQ(at - start, static_cast<unsigned>(row / 32 * turned_square::bytes) +
                                    copied(8 * q + lane % 4 + 4 * j, row % 32));
          EXPECT_TRUE(read.insert(at).second);
        }
    }
  }
  EXPECT_EQ(rows.size(), 64U);
  EXPECT_EQ(read.size(), 64U * 32U);
}

TEST(square_fragment, meets_no_bank_twice) {
  for (int wave = 0; wave < 4; ++wave)
    for (const unsigned q : {0U, 1U, 2U, 3U})
      for (const unsigned j : {0U, 1U})
        EXPECT_EQ(worst_conflict(nvidia_phases(8), 8,
                                 [&](int lane) {
                                   return static_cast<int>(
                                       square_fragment(start, 32 * wave + lane).at(q, j));
                                 }),
                  1);
}

}  // namespace
