// SPDX-License-Identifier: Apache-2.0
/// Slices reduced by a CPU: every part of every small work, cut in every way.
#include "loops/algorithm/reduce_in_order.hpp"

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/host.hpp"
#include "loops/schedule/thread_mapped.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
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

/// How often each of 64 atoms is in a sum, two bits for each, in a value of as many words.
template <int Words>
struct tally {
  std::uint64_t word[Words] = {};
  friend tally operator+(const tally& a, const tally& b) {
    tally sum;
    for (int i = 0; i < Words; ++i) sum.word[i] = a.word[i] + b.word[i];
    return sum;
  }
  friend bool operator==(const tally&, const tally&) = default;
};

/// Atom a in a tally, and how often each was asked about.
template <int Words>
struct counted {
  std::vector<int>* asked;
  tally<Words> operator()(std::int64_t a) const {
    ++asked->at(static_cast<std::size_t>(a));
    tally<Words> t;
    t.word[a / 32] = std::uint64_t{1} << (2 * (a % 32));
    return t;
  }
};

template <int Words>
struct counted_purely : counted<Words> {
  using pure = std::true_type;
};

/// Sums every stretch of 64 atoms. Atoms outside must not be asked about, those inside as often as
/// `most` at most.
template <int Words, class Map>
void sum_all_stretches(int most) {
  const std::int64_t offsets[] = {0, 64};
  const loops::segments<std::int64_t> w(offsets, 1, 64);
  for (std::int64_t first = 0; first <= 64; ++first) {
    tally<Words> all;
    for (std::int64_t last = first; last <= 64; ++last) {
      std::vector<int> asked(64);
      const Map map{&asked};
      loops::lookout<Map, false> ahead(map);
      ASSERT_EQ(loops::reduce_in_order<tally<Words>>(w, 0, first, last, map, loops::plus{}, ahead),
                all)
          << first << " to " << last;
      for (std::int64_t a = 0; a < 64; ++a) {
        const int times = asked[static_cast<std::size_t>(a)];
        const bool inside = first <= a && a < last;
        ASSERT_TRUE(inside ? times >= 1 && times <= most : times == 0)
            << "atom " << a << " of " << first << " to " << last << ": asked " << times << " times";
      }
      if (last < 64) all = all + counted<Words>{&asked}(last);
    }
  }
}

// Every number of atoms, none and odd ones included, in values of a register or two, and of many.
TEST(reduce_in_order, takes_every_atom_of_a_stretch_once) {
  sum_all_stretches<2, counted<2>>(1);
  sum_all_stretches<6, counted<6>>(1);
}

TEST(reduce_in_order, asks_a_pure_map_about_no_other_atoms) {
  sum_all_stretches<2, counted_purely<2>>(2);
  sum_all_stretches<6, counted_purely<6>>(2);
}

TEST(reduce_in_order, tells_the_map_the_tile) {
  const std::int64_t offsets[] = {0, 3, 11};
  const loops::segments<std::int64_t> w(offsets, 2, 11);
  const auto tile = [](std::int64_t t, std::int64_t) { return t; };
  loops::lookout<decltype(tile), false> ahead(tile);
  EXPECT_EQ(loops::reduce_in_order<std::int64_t>(w, 1, 3, 11, tile, loops::plus{}, ahead), 8);
}

template <class Map>
void reduce_every_slice(const Map& map) {
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
        loops::lookout<Map, false> ahead(map);
        ahead.start(range.begin.atom);
        loops::reduce_slice_in_order<std::int64_t>(
            w, range, map, loops::plus{}, once(emitted), once(heads),
            [&](std::int64_t v) { tails.push_back(v); }, ahead);
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

TEST(reduce_slice_in_order, hands_over_what_lies_in_each_slice) {
  reduce_every_slice(bit);
}

/// Whole stretches are its own matter, and there is no other way to it.
struct walks {
  std::int64_t of_stretch(std::int64_t, std::int64_t first, std::int64_t last) const {
    EXPECT_LT(first, last) << "there is nothing to walk along";
    return bits(first, last);
  }
};
static_assert(loops::takes_stretches<walks> && !loops::takes_stretches<counted<2>>);

TEST(reduce_slice_in_order, asks_who_knows_a_cheaper_way_for_whole_stretches) {
  reduce_every_slice(walks{});
}

struct has_a_walker {
  std::int64_t operator()(std::int64_t a) const { return bit(0, a); }
  static walks walker(const int& /*block*/) { return {}; }
};

TEST(walker_of, is_what_a_map_makes_or_the_map) {
  const int block = 0;
  const has_a_walker map;
  using plain = loops::segments<std::int64_t>;
  static_assert(std::is_same_v<decltype(loops::walker_of<plain>(block, map)), walks>);
  const walks same;
  EXPECT_EQ(&loops::walker_of<plain>(block, same), &same);
  // Atoms that stand for others need not lie in a row.
  using renamed = loops::selected<plain, std::int32_t, std::int64_t>;
  EXPECT_EQ(&loops::walker_of<renamed>(block, map), &map);
  static_assert(loops::goes_along<walks, plain> && !loops::goes_along<walks, renamed>);
}

/// Sums tiles, from `skip` on, and each of them by itself, in values for which the order counts.
template <class Value>
void sum_side_by_side(const std::vector<std::int64_t>& of, std::int64_t skip) {
  const support::sizes s{"", of};
  const auto offsets = s.offsets<std::int32_t>();
  const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
  const auto map = [](std::int64_t t, std::int64_t a) {
    return static_cast<Value>(1) / static_cast<Value>(3 * a + 7 * t + 1);
  };
  loops::lookout<decltype(map), false> ahead(map);
  std::map<std::int64_t, Value> sums;
  const slice range{{skip, w.offset(skip)}, {s.tiles(), s.atoms()}};
  const loops::coordinate end = loops::reduce_tiles_in_order<Value>(
      w, range, map, loops::plus{},
      [&](std::int64_t t, Value v) { ASSERT_TRUE(sums.emplace(t, v).second) << "tile " << t; },
      ahead);
  EXPECT_EQ(end.tile, s.tiles());
  EXPECT_EQ(end.atom, s.atoms());
  EXPECT_EQ(static_cast<std::int64_t>(sums.size()), s.tiles() - skip);
  for (std::int64_t t = skip; t < s.tiles(); ++t) {
    ASSERT_EQ(sums.at(t), loops::reduce_in_order<Value>(w, t, w.offset(t), w.offset(t + 1), map,
                                                        loops::plus{}, ahead))
        << "tile " << t;
  }
}

// Equal neighbours are summed side by side. One that is not equal, or two that make up for each
// other, at every place; sizes around the largest for which that is done.
TEST(reduce_tiles_in_order, sums_equal_neighbours_as_it_sums_each) {
  for (std::int64_t n = 0; n <= 19; ++n) {
    sum_side_by_side<float>(std::vector<std::int64_t>(70, n), 0);
    for (std::size_t odd = 0; odd < 70; ++odd) {
      std::vector<std::int64_t> of(70, n);
      of[odd] = n + 1;
      sum_side_by_side<float>(of, static_cast<std::int64_t>(odd % 5));
      if (n == 0) continue;
      of[(odd + 1 + odd % 3) % 70] = n - 1;
      sum_side_by_side<double>(of, 0);
      sum_side_by_side<long double>(of, 0);
    }
  }
}

/// What a map was asked for ahead of time, and what was due when.
template <std::int64_t Bytes>
struct watched {
  static constexpr std::int64_t atoms_at_once = 16;
  static constexpr std::int64_t atom_bytes = Bytes;
  struct log {
    std::vector<std::int64_t> asked;
    std::int64_t least_lead = 1 << 20;
  };
  log* seen;
  std::int64_t from;  ///< where the slice begins
  void fetch_atoms(std::int64_t first) const { seen->asked.push_back(first); }
  std::int64_t operator()(std::int64_t a) const {
    const std::int64_t until = seen->asked.empty() ? from : seen->asked.back() + atoms_at_once;
    seen->least_lead = std::min(seen->least_lead, until - a);
    return 1;
  }
};

template <bool Asks, std::int64_t Bytes>
auto look_ahead(const std::vector<std::int64_t>& offsets, const slice& range) {
  const loops::segments<std::int64_t> w(
      offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1, offsets.back());
  typename watched<Bytes>::log seen;
  const watched<Bytes> map{&seen, range.begin.atom};
  loops::with_lookout<Asks>(w, map, [&](auto& ahead) {
    ahead.start(range.begin.atom);
    const auto ignore = [](auto...) {};
    loops::reduce_slice_in_order<std::int64_t>(w, range, map, loops::plus{}, ignore, ignore, ignore,
                                               ahead);
  });
  return seen;
}

constexpr std::int64_t far = 1 << 20;  // bytes of an atom: a few are beyond any cache

// Short tiles, empty ones and long ones, in whole and in part.
TEST(lookout, asks_for_every_atom_once_and_long_before_it_is_due) {
  std::vector<std::int64_t> offsets{0};
  for (const int size : {5, 0, 0, 31, 32, 1, 500, 3, 3, 3, 70, 0, 33, 29, 200})
    offsets.push_back(offsets.back() + size);
  for (int i = 0; i < 30; ++i) offsets.push_back(offsets.back() + 29);
  const std::int64_t tiles = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::int64_t atoms = offsets.back();
  for (const std::int64_t first : {0, 7, 300}) {
    const std::int64_t tile =
        std::upper_bound(offsets.begin(), offsets.end(), first) - offsets.begin() - 1;
    const auto seen = look_ahead<true, far>(offsets, {{tile, first}, {tiles, atoms}});
    ASSERT_FALSE(seen.asked.empty());
    EXPECT_EQ(seen.asked.front(), first + 256);
    for (std::size_t i = 1; i < seen.asked.size(); ++i)
      ASSERT_EQ(seen.asked[i], seen.asked[i - 1] + 16);
    EXPECT_GT(seen.least_lead, 200) << "from " << first;
    EXPECT_LT(seen.asked.back(), atoms + 256);
  }
}

TEST(lookout, asks_for_nothing_where_atoms_do_not_come_in_their_order) {
  EXPECT_FALSE((look_ahead<true, far>({0, 900}, {{0, 0}, {1, 900}}).asked.empty()));
  EXPECT_TRUE((look_ahead<false, far>({0, 900}, {{0, 0}, {1, 900}}).asked.empty()));
}

TEST(lookout, leaves_works_that_caches_hold_alone) {
  constexpr std::int64_t each = (std::int64_t{64} << 20) / 512;
  EXPECT_TRUE((look_ahead<true, each>({0, 512}, {{0, 0}, {1, 512}}).asked.empty()));
  EXPECT_FALSE((look_ahead<true, each>({0, 513}, {{0, 0}, {1, 513}}).asked.empty()));
}

TEST(lookout, begins_with_the_first_tile_of_a_block) {
  const std::vector<std::int64_t> offsets{0, 900};
  watched<far>::log seen;
  loops::reduce_tiles<std::int64_t>(loops::host_executor(), loops::schedule::thread_mapped{},
                                    loops::segments<std::int64_t>(offsets.data(), 1, 900),
                                    watched<far>{&seen, 0}, loops::plus{},
                                    [](std::int64_t, std::int64_t sum) { EXPECT_EQ(sum, 900); });
  EXPECT_FALSE(seen.asked.empty());
  EXPECT_GT(seen.least_lead, 200);
}

}  // namespace
