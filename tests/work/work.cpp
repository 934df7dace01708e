// SPDX-License-Identifier: Apache-2.0
/// What a work is, and the geometry of its path.
#include "loops/work/work.hpp"

#include "loops/work/flattened.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/sorted_keys.hpp"
#include "loops/work/uniform.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "brute.hpp"

namespace {

/// The smallest work somebody else may write: tile t has t atoms.
struct triangle {
  int n = 0;
  [[nodiscard]] LOOPS_HD constexpr int tiles() const { return n; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return offset(n); }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return t * (t - 1) / 2;
  }
};
struct owner {
  std::vector<int> offsets;
  [[nodiscard]] int tiles() const;
  [[nodiscard]] int atoms() const;
  [[nodiscard]] int offset(std::int64_t) const;
};
struct no_offsets {
  [[nodiscard]] int tiles() const;
  [[nodiscard]] int atoms() const;
};

static_assert(loops::work<triangle>);
static_assert(!loops::work<owner>, "a work owns nothing");
static_assert(!loops::work<no_offsets>);
static_assert(!loops::work<int>);
static_assert(!loops::closed_form_work<triangle> && !loops::renamed_work<triangle>);
static_assert(!loops::closed_form_work<loops::segments<int>>);
static_assert(!loops::closed_form_work<loops::sorted_keys<int>>);
static_assert(loops::closed_form_work<loops::uniform>);
static_assert(loops::closed_form_work<loops::flattened<triangle>>);
static_assert(loops::renamed_work<loops::selected<triangle, int, int>>);
static_assert(!loops::renamed_work<loops::uniform>);

TEST(work, of_ones_own_has_a_path) {
  for (int n = 0; n < 9; ++n) {
    std::vector<std::int64_t> sizes;
    for (int t = 0; t < n; ++t) sizes.push_back(t);
    brute::expect_work(triangle{n}, sizes);
  }
}

TEST(work, names_are_its_own_numbers_unless_it_renames) {
  EXPECT_EQ(loops::tile_id(triangle{5}, 3), 3);
  EXPECT_EQ(loops::atom_id(triangle{5}, 3, 4), 4);
}

TEST(first_where, finds_every_place_there_is) {
  for (int size = 0; size < 20; ++size)
    for (int answer = 0; answer <= size; ++answer) {
      int asked = 0;
      const int found = loops::first_where(0, size, [&](int i) {
        ++asked;
        EXPECT_TRUE(i >= 0 && i < size);
        return i >= answer;
      });
      EXPECT_EQ(found, answer);
      EXPECT_LE(asked, 5);
    }
  // The middle of two large numbers is no negative one.
  constexpr std::int64_t most = INT64_MAX;
  EXPECT_EQ(loops::first_where<std::int64_t>(most - 9, most,
                                             [&](std::int64_t i) { return i >= most - 4; }),
            most - 4);
}

TEST(first_where_near, asks_few_who_are_near) {
  for (int size = 0; size < 70; ++size)
    for (int answer = 0; answer <= size; ++answer) {
      int asked = 0;
      const int found = loops::first_where_near(0, size, [&](int i) {
        ++asked;
        EXPECT_TRUE(i >= 0 && i < size);
        return i >= answer;
      });
      EXPECT_EQ(found, answer);
      int bits = 0;
      while (answer >> bits != 0) ++bits;
      EXPECT_LE(asked, 1 + 2 * bits) << answer << " of " << size;
    }
  constexpr std::int64_t most = INT64_MAX;
  EXPECT_EQ(loops::first_where_near<std::int64_t>(most - 9, most,
                                                  [&](std::int64_t i) { return i >= most - 1; }),
            most - 1);
}

}  // namespace
