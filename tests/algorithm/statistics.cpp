// SPDX-License-Identifier: Apache-2.0
/// The one pass over the tiles finds what a plain walk over them does, on every executor.
#include "loops/algorithm/statistics.hpp"

#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace loops;

/// The definitions, word for word.
tile_statistics defined(const std::vector<std::int64_t>& sizes) {
  tile_statistics s;
  s.tiles = static_cast<std::int64_t>(sizes.size());
  for (const std::int64_t n : sizes) s.atoms += n;
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    s.longest = std::max(s.longest, sizes[t]);
    s.empty += sizes[t] == 0 ? 1 : 0;
    if (sizes[t] * s.tiles > 2 * s.atoms) s.crowded += sizes[t];
    const std::size_t first = t / 32 * 32;
    const std::size_t last = std::min(sizes.size(), first + 32);
    s.padded += *std::max_element(sizes.begin() + static_cast<std::ptrdiff_t>(first),
                                  sizes.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return s;
}

template <class Exec>
class statistics : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(statistics, support::executors, support::executor_name);

TYPED_TEST(statistics, AreThoseOfTheDefinitions) {
  for (const auto& v : this->variants())
    for (const std::int64_t tiles : {1, 31, 32, 33, 255, 256, 257, 1000, 9001}) {
      std::vector<std::int64_t> sizes;
      std::vector<std::int64_t> offsets{0};
      for (std::int64_t t = 0; t < tiles; ++t) {
        sizes.push_back(t == tiles - 1 ? 77 : t % 4 == 0 ? 0 : t % 37 == 1 ? 40 : t % 7);
        offsets.push_back(offsets.back() + sizes.back());
      }
      const array<std::int64_t> there(offsets, v.exec.memory());
      const segments<std::int64_t> w(there.data(), tiles, offsets.back());
      const tile_statistics want = defined(sizes);
      const tile_statistics got = gather_statistics(v.exec, w);
      EXPECT_EQ(got.tiles, want.tiles);
      EXPECT_EQ(got.atoms, want.atoms);
      EXPECT_EQ(got.longest, want.longest) << v.name << tiles;
      EXPECT_EQ(got.empty, want.empty) << v.name << tiles;
      EXPECT_EQ(got.crowded, want.crowded) << v.name << tiles;
      EXPECT_EQ(got.padded, want.padded) << v.name << tiles;
      EXPECT_EQ(statistics_of_copy(v.exec, w), got) << v.name << tiles;
      // Of offsets of 32 bits the host counts in as many.
      const std::vector<std::int32_t> short_ones(offsets.begin(), offsets.end());
      const array<std::int32_t> short_there(short_ones, v.exec.memory());
      const segments<std::int32_t> s(short_there.data(), tiles, short_ones.back());
      EXPECT_EQ(statistics_of_copy(v.exec, s), got) << v.name << tiles;
    }
}

TEST(statistics_of, CountsAllAtomsThat32BitsCan) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> one{0, most};
  tile_statistics s = statistics_of(segments<std::int32_t>(one.data(), 1, most));
  EXPECT_EQ(s, (tile_statistics{1, most, most, 0, 0, most}));
  const std::vector<std::int32_t> two{0, 0, 0, most};
  s = statistics_of(segments<std::int32_t>(two.data(), 3, most));
  EXPECT_EQ(s, (tile_statistics{3, most, most, 2, most, 3 * std::int64_t{most}}));
}

TYPED_TEST(statistics, OfMoreAtomsThanMayBePaddedDoNotOverflow) {
  const auto exec = this->any();
  constexpr std::int64_t one = 1;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto check = [&](const auto& w, const tile_statistics& right) {
    EXPECT_EQ(gather_statistics(exec, w), right);
    EXPECT_EQ(statistics_of(w), right);
  };
  check(uniform(1, one << 62), {1, one << 62, one << 62, 0, 0, one << 62});
  check(uniform(40, one << 57), {40, 40 * (one << 57), one << 57, 0, 0, 40 * (one << 57)});
  std::vector<std::int64_t> offsets(34, one << 58);
  offsets[0] = 0;
  offsets[33] = one << 61;
  const array<std::int64_t> there(offsets, exec.memory());
  const tile_statistics right{33, one << 61, 7 * (one << 58), 31, one << 61, most - 31};
  EXPECT_EQ(gather_statistics(exec, segments<std::int64_t>(there.data(), 33, one << 61)), right);
  EXPECT_EQ(statistics_of(segments<std::int64_t>(offsets.data(), 33, one << 61)), right);
}

TEST(statistics_of, RefusesOffsetsWhoseDifferenceNeeds33Bits) {
  // 2,000,000,000 to -2,000,000,000 and back in two steps: each looks like an increase in 32 bits.
  const std::vector<std::int32_t> offsets{0, 2'000'000'000, -2'000'000'000, -1, 7};
  support::expect_error(errc::invalid_argument, "decrease somewhere",
                        [&] { (void)statistics_of(segments<std::int32_t>(offsets.data(), 4, 7)); });
}

TYPED_TEST(statistics, TakeExactlyTwiceTheMeanForNotCrowded) {
  // Mean 2: four is twice that, five is more.
  const std::vector<std::int64_t> offsets{0, 4, 5, 6, 8, 13, 13, 14, 16};
  const array<std::int64_t> there(offsets, this->any().memory());
  const segments<std::int64_t> w(there.data(), 8, 16);
  EXPECT_EQ(gather_statistics(this->any(), w).crowded, 5);
  EXPECT_EQ(statistics_of_copy(this->any(), w).crowded, 5);
}

TYPED_TEST(statistics, SampleTheColumns) {
  for (const auto& v : this->variants())
    for (const std::int64_t tiles : {1, 40, 2048, 2049, 6001}) {
      std::vector<std::int64_t> offsets{0};
      std::vector<std::int32_t> columns;
      for (std::int64_t t = 0; t < tiles; ++t) {
        // Neighbours in some rows, the same as in the row before in some, and anywhere.
        for (std::int64_t i = 0; i < 3 + t % 50; ++i)
          columns.push_back(static_cast<std::int32_t>(t % 3 == 0   ? i * 3 + t
                                                      : t % 3 == 1 ? (i * 7919 + t * 31) % 100'000
                                                                   : i * 1000));
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
      }
      const segments<std::int64_t> here(offsets.data(), tiles, offsets.back());
      const tile_statistics want = statistics_of(here, columns_in<std::int32_t>{columns.data()});
      const array<std::int64_t> there(offsets, v.exec.memory());
      const array<std::int32_t> read(columns, v.exec.memory());
      const segments<std::int64_t> w(there.data(), tiles, offsets.back());
      EXPECT_EQ(gather_statistics(v.exec, w, columns_in<std::int32_t>{read.data()}), want)
          << v.name << tiles;
      // Without columns all else is the same.
      tile_statistics blind = want;
      blind.sampled = blind.strewn = blind.span = 0;
      EXPECT_EQ(gather_statistics(v.exec, w), blind) << v.name << tiles;
      EXPECT_EQ(gather_statistics(v.exec, w, columns_in<std::int32_t>{read.data()}, false), blind);
      EXPECT_EQ(statistics_of_copy(v.exec, w), blind) << v.name << tiles;
    }
}

// Sizes that no work has add up to more than their type holds before anybody knows that: UBSan
// sees whether they do so in a signed one.
TEST(statistics_of, RefusesOffsetsThatGoUpAndDown) {
  const std::vector<std::int32_t> offsets{0, 2000000000, 0, 2000000000, 0, 2000000000, 10};
  support::expect_error(errc::invalid_argument, "decrease somewhere", [&] {
    static_cast<void>(statistics_of(segments<std::int32_t>(offsets.data(), 6, 10)));
  });
}

TYPED_TEST(statistics, OfFewTilesAreThoseOfACopy) {
  // Offsets that only a copy can show, and columns that nobody may read.
  const std::vector<std::int64_t> offsets{0, 3, 3, 4};
  const array<std::int64_t> there(offsets, this->any().memory());
  const segments<std::int64_t> w(there.data(), 3, 4);
  select::facts x;
  x.seen.tiles = 3;
  x.seen.atoms = 4;
  const tile_statistics seen = look_at(this->any(), w, columns_in<int>{nullptr}, x);
  EXPECT_EQ(seen, (tile_statistics{3, 4, 3, 1, 3, 9, 0, 0}));
  // With fewer lanes than atoms columns are looked at.
  const array<std::int32_t> columns(std::vector<std::int32_t>{0, 100, 200, 5},
                                    this->any().memory());
  x.all_lanes = 3;
  EXPECT_EQ(look_at(this->any(), w, columns_in<std::int32_t>{columns.data()}, x),
            (tile_statistics{3, 4, 3, 1, 3, 9, 4, 4, 3 * 201 + 1}));
}

TYPED_TEST(statistics, OfNothing) {
  const tile_statistics s = gather_statistics(this->any(), uniform(0, 5));
  EXPECT_EQ(s, tile_statistics{});
  EXPECT_EQ(gather_statistics(this->any(), uniform(0, 5), columns_in<int>{nullptr}),
            tile_statistics{});
}

}  // namespace
