// SPDX-License-Identifier: Apache-2.0
/// A round of a slice: which lane is asked about which atom, and where values lie.
#include "loops/algorithm/slice_round.hpp"

#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

/// Remembers what it was asked about.
struct asked_about {
  std::vector<std::int64_t>* atoms;
  int operator()(std::int64_t a) const {
    atoms->push_back(a);
    return static_cast<int>(3 * a + 1);
  }
};
struct pure_asked_about : asked_about {
  using pure = std::true_type;
};
struct not_pure : asked_about {
  using pure = std::false_type;
};
static_assert(loops::pure_map<pure_asked_about>);
static_assert(!loops::pure_map<asked_about> && !loops::pure_map<not_pure>);

/// Every lane maps its part of rounds of 0 to a few more atoms than they hold, without the first
/// `from`.
template <class Map, bool Part>
void map_rounds(int from = 0) {
  constexpr int items = 3;
  constexpr int lanes = 8;
  constexpr std::int64_t first = 1000;
  const loops::uniform w(10'000, 1);
  for (int atoms = from; atoms <= items * lanes; ++atoms) {
    std::multiset<std::int64_t> asked;
    for (int rank = 0; rank < lanes; ++rank) {
      std::vector<std::int64_t> about;
      Map map;
      map.atoms = &about;
      int mapped[items] = {-1, -1, -1};
      if constexpr (Part) {
        loops::detail::map_part_of_round(w, map, first, rank, lanes, from, atoms, mapped);
      } else {
        loops::detail::map_round(w, map, first, rank, lanes, atoms, mapped);
      }
      for (int k = 0; k < items; ++k) {
        const int i = rank + k * lanes;
        if (i >= from && i < atoms) {
          ASSERT_EQ(mapped[k], 3 * (first + i) + 1) << atoms << " atoms, lane " << rank;
        }
      }
      asked.insert(about.begin(), about.end());
    }
    for (const std::int64_t a : asked) {
      ASSERT_GE(a, first);
      ASSERT_LT(a, first + atoms) << "an atom of somebody else";
    }
    for (int i = from; i < atoms; ++i) {
      if (loops::pure_map<Map>) {
        ASSERT_GE(asked.count(first + i), 1U);
      } else {
        ASSERT_EQ(asked.count(first + i), 1U) << "atom " << i << " of " << atoms;
      }
    }
    for (int i = 0; i < from && !loops::pure_map<Map>; ++i) {
      ASSERT_EQ(asked.count(first + i), 0U) << "before atom " << from;
    }
  }
}

TEST(slice_round, asks_about_each_atom_once) {
  map_rounds<asked_about, false>();
  map_rounds<asked_about, true>();
  map_rounds<asked_about, true>(5);
  map_rounds<asked_about, true>(8);
}

TEST(slice_round, asks_pure_maps_about_no_other_atoms) {
  map_rounds<pure_asked_about, false>();
  map_rounds<pure_asked_about, true>();
  map_rounds<pure_asked_about, true>(5);
}

struct block_of_128 {
  static constexpr int threads = 128;
  static constexpr int items = 4;
};

TEST(round_storage, leaves_a_value_free_per_row_of_banks) {
  using storage = loops::round_storage<block_of_128, float>;
  static_assert(storage::capacity == 512);
  std::set<unsigned> places;
  for (int i = 0; i < storage::capacity; ++i) places.insert(storage::padded(i));
  EXPECT_EQ(places.size(), 512U) << "two values in one place";
  EXPECT_LT(*places.rbegin(), sizeof(storage::values) / sizeof(float));
  // Tiles of 32 values begin on 16 different banks for 16 lanes.
  std::set<unsigned> banks;
  for (int tile = 0; tile < 16; ++tile) banks.insert(storage::padded(32 * tile) % 32);
  EXPECT_EQ(banks.size(), 16U);
}

/// A lane of a grid of many blocks.
struct grid_lane {
  static constexpr int threads = 128;
  std::int64_t id_ = 0;
  std::int64_t blocks_ = 1;
  int lane_ = 0;
  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] std::int64_t blocks() const { return blocks_; }
  [[nodiscard]] int lane() const { return lane_; }
};
/// Counts what it is asked to fetch, and ends the test where that has no end.
struct fetched {
  std::vector<int>* count;
  [[nodiscard]] std::uint32_t lines() const { return static_cast<std::uint32_t>(count->size()); }
  void fetch(std::uint32_t line) const {
    if (++count->at(line) > 1000) throw std::runtime_error("fetched again and again");
  }
};

/// Also by grids of 2^32 lanes, whose number is 0 in 32 bits, and larger ones.
TEST(fetch_lines, asks_for_every_line_once) {
  for (const std::int64_t blocks :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{1} << 25, (std::int64_t{1} << 25) + 1,
        std::int64_t{1} << 26, (std::int64_t{1} << 31) - 1}) {
    std::vector<int> count(300);
    // Those beyond have the numbers of lines in their low 32 bits.
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1} << 25, std::int64_t{1} << 30})
      for (std::int64_t id = first; id < std::min(blocks, first + 4); ++id)
        for (int lane = 0; lane < grid_lane::threads; ++lane)
          loops::detail::fetch_lines(grid_lane{id, blocks, lane}, fetched{&count});
    EXPECT_EQ(count, std::vector<int>(300, 1)) << blocks << " blocks";
  }
}

}  // namespace
