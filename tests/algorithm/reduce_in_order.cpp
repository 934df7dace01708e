// SPDX-License-Identifier: Apache-2.0
/// Slices reduced by a CPU: every part of every small work, cut in every way.
#include "loops/algorithm/reduce_in_order.hpp"

#include "loops/core/functional.hpp"
#include "loops/work/segments.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace {

using loops::slice;

/// Atom a of tile t as a set of bits: a sum shows which atoms are in it, and how often.
std::int64_t bit(std::int64_t, std::int64_t a) {
  return std::int64_t{1} << (2 * a);
}

std::int64_t bits(std::int64_t first, std::int64_t last) {
  std::int64_t sum = 0;
  for (std::int64_t a = first; a < last; ++a) sum += bit(0, a);
  return sum;
}

/// How often each of 64 atoms is in a sum, two bits for each.
struct tally {
  std::uint64_t word[2] = {};
  friend tally operator+(tally a, tally b) {
    return {a.word[0] + b.word[0], a.word[1] + b.word[1]};
  }
  friend bool operator==(const tally&, const tally&) = default;
};

tally one(std::int64_t, std::int64_t a) {
  tally t;
  t.word[a / 32] = std::uint64_t{1} << (2 * (a % 32));
  return t;
}

// Short and long tiles, with every number of atoms left over.
TEST(reduce_in_order, takes_every_atom_of_a_stretch_once) {
  const std::int64_t offsets[] = {0, 64};
  const loops::segments<std::int64_t> w(offsets, 1, 64);
  for (std::int64_t first = 0; first <= 64; ++first) {
    tally all;
    for (std::int64_t last = first; last <= 64; ++last) {
      EXPECT_EQ(loops::reduce_in_order<tally>(w, 0, first, last, one, loops::plus{}), all)
          << first << " to " << last;
      if (last < 64) all = all + one(0, last);
    }
  }
}

TEST(reduce_in_order, tells_the_map_the_tile) {
  const std::int64_t offsets[] = {0, 3, 11};
  const loops::segments<std::int64_t> w(offsets, 2, 11);
  const auto tile = [](std::int64_t t, std::int64_t) { return t; };
  EXPECT_EQ(loops::reduce_in_order<std::int64_t>(w, 1, 3, 11, tile, loops::plus{}), 8);
}

TEST(reduce_slice_in_order, hands_over_what_lies_in_each_slice) {
  support::for_each_small_work(4, 9, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
    const std::int64_t steps = s.tiles() + s.atoms();
    for (std::int64_t begin = 0; begin <= steps; ++begin)
      for (std::int64_t end = begin; end <= steps; ++end) {
        const slice range{loops::path_cut(w, begin), loops::path_cut(w, end)};
        std::map<std::int64_t, std::int64_t> emitted;
        std::map<std::int64_t, std::int64_t> heads;
        std::vector<std::int64_t> tails;
        const auto once = [](auto& seen) {
          return [&seen](std::int64_t t, std::int64_t v) {
            ASSERT_TRUE(seen.emplace(t, v).second) << "tile " << t << " twice";
          };
        };
        loops::reduce_slice_in_order<std::int64_t>(w, range, bit, loops::plus{}, once(emitted),
                                                   once(heads),
                                                   [&](std::int64_t v) { tails.push_back(v); });
        std::int64_t atom = range.begin.atom;
        for (std::int64_t t = range.begin.tile; t < range.end.tile; ++t) {
          auto& from = t == range.begin.tile && atom > w.offset(t) ? heads : emitted;
          ASSERT_EQ(from.count(t), 1u) << "tile " << t;
          ASSERT_EQ(from[t], bits(atom, w.offset(t + 1)));
          from.erase(t);
          atom = w.offset(t + 1);
        }
        ASSERT_TRUE(emitted.empty() && heads.empty()) << "nothing else is closed here";
        ASSERT_EQ(tails, std::vector<std::int64_t>{bits(atom, range.end.atom)});
      }
  });
}

}  // namespace
