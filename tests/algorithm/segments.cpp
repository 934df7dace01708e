// SPDX-License-Identifier: Apache-2.0
/// The segments of all workers: every atom once, one owner per tile, peers exact and lower.
#include "loops/algorithm/segments.hpp"

#include "loops/schedule/dense_schedules.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/selected.hpp"
#include "loops/work/uniform.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

using loops::composed;
using loops::machine;
using loops::segment;
namespace grain = loops::grain;
namespace measure = loops::measure;
namespace order = loops::order;
namespace worker = loops::worker;

/// What a tile program sees of a machine that holds `blocks` blocks.
machine of_blocks(std::int64_t blocks, int fewest) {
  return {1, 1, 1, 1, blocks, fewest};
}

template <class F>
void for_each_dense(const F& f) {
  for (const loops::named_dense_schedule& s : loops::dense_schedules())
    std::visit([&](const auto& one) { f(s.name, one.compose()); }, s.schedule);
}

/// A part of a tile and who has it.
struct part {
  std::int64_t worker;
  segment s;
};

/// All that `run` relies on, for the whole machine.
template <class Composed, class W>
void expect_segments(const Composed& schedule, const W& w, const machine& m) {
  constexpr bool backwards = Composed::order_type::backwards;
  const auto a = schedule.bind(w, m);
  std::vector<std::vector<part>> parts(static_cast<std::size_t>(w.tiles()));
  for (std::int64_t x = 0; x < a.workers(); ++x) {
    int number = 0;
    for (const segment& s : loops::segments_of(a, w, x)) {
      ASSERT_TRUE(s.tile >= 0 && s.tile < w.tiles());
      const std::int64_t all = w.offset(s.tile + 1) - w.offset(s.tile);
      ASSERT_TRUE(0 <= s.first && s.first <= s.last && s.last <= all);
      ASSERT_TRUE(s.size() > 0 || s.ends);
      ASSERT_EQ(s.begins, s.first == 0);
      if (s.ends) {
        ASSERT_EQ(s.last, all);
      }
      if (!s.ends && backwards) {
        ASSERT_EQ(number, 0) << "worker " << x << " has a partial that is not its first";
        ASSERT_LT(x, a.cut_slices());
      }
      parts[static_cast<std::size_t>(s.tile)].push_back({x, s});
      ++number;
    }
  }
  for (std::int64_t t = 0; t < w.tiles(); ++t) {
    auto& mine = parts[static_cast<std::size_t>(t)];
    std::stable_sort(mine.begin(), mine.end(),
                     [](const part& p, const part& q) { return p.worker < q.worker; });
    ASSERT_FALSE(mine.empty()) << "nobody has tile " << t;
    std::int64_t at = 0;
    for (const part& p : mine) {
      ASSERT_EQ(p.s.first, at) << "tile " << t;
      ASSERT_EQ(p.s.ends, &p == &mine.back()) << "tile " << t;
      at = p.s.last;
    }
    ASSERT_EQ(at, w.offset(t + 1) - w.offset(t)) << "tile " << t;
    const auto others = static_cast<std::int64_t>(mine.size()) - 1;
    ASSERT_EQ(mine.back().s.first_peer, mine.back().worker - others) << "tile " << t;
    for (std::int64_t i = 0; i <= others; ++i)
      ASSERT_EQ(mine[static_cast<std::size_t>(i)].worker, mine.back().worker - others + i);
  }
}

/// What the dealt schedules promise about loads.
template <class Composed, class W>
void expect_balance(const Composed& schedule, const W& w, const machine& m) {
  const auto a = schedule.bind(w, m);
  ASSERT_LE(a.workers(), m.blocks);
  ASSERT_LE(a.what.shares, m.blocks);
  ASSERT_EQ(a.slices, a.what.shares + w.tiles() - a.what.shared);
  if (a.what.shares > 0) {
    std::int64_t least = INT64_MAX;
    std::int64_t most = 0;
    for (std::int64_t s = 0; s < a.what.shares; ++s) {
      const std::int64_t n = a.at(w, s).atoms().size();
      least = std::min(least, n);
      most = std::max(most, n);
    }
    ASSERT_LE(most - least, 1);
    if (a.what.shares > 1 && (loops::closed_form_work<W> || a.what.shared == w.tiles())) {
      ASSERT_GE(least, m.fewest);
    }
  }
  if constexpr (loops::equal_tiles<W>) {
    // Never later than with whole tiles only.
    std::vector<std::int64_t> loads(static_cast<std::size_t>(a.workers()), 0);
    for (std::int64_t x = 0; x < a.workers(); ++x)
      for (const segment& s : loops::segments_of(a, w, x))
        loads[static_cast<std::size_t>(x)] += s.size();
    for (const std::int64_t n : loads)
      ASSERT_LE(n, loops::ceil_div(w.tiles(), m.blocks) * w.width());
  }
}

template <class W>
void expect_all(const W& w, const machine& m, const std::string& what) {
  for_each_dense([&](const std::string& name, const auto& schedule) {
    if (testing::Test::HasFailure()) return;  // one example is enough
    using measure_type = typename std::decay_t<decltype(schedule)>::measure_type;
    expect_segments(schedule, w, m);
    if constexpr (measure_type::dealt) {
      if (!testing::Test::HasFailure()) expect_balance(schedule, w, m);
    }
    if (testing::Test::HasFailure())
      ADD_FAILURE() << name << ", " << what << ", " << m.blocks << " blocks, at least " << m.fewest;
  });
}

TEST(segments, partition_every_small_work) {
  support::for_each_small_work(5, 6, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
    std::string text = "tiles of";
    for (const std::int64_t n : of) text += " " + std::to_string(n);
    for (const std::int64_t blocks : {1, 2, 3, 5})
      for (const int fewest : {1, 2}) expect_all(w, of_blocks(blocks, fewest), text);
  });
}

TEST(segments, partition_equal_tiles) {
  for (std::int64_t tiles = 0; tiles <= 14; ++tiles)
    for (const std::int64_t width : {0, 1, 2, 3, 7, 8, 9, 40})
      for (const std::int64_t blocks : {1, 2, 3, 4, 7, 12})
        for (const int fewest : {1, 3, 8})
          expect_all(loops::uniform(tiles, width), of_blocks(blocks, fewest),
                     std::to_string(tiles) + " tiles of " + std::to_string(width));
}

TEST(segments, partition_equal_tiles_around_multiples_of_the_blocks) {
  std::mt19937 random(11);
  for (int i = 0; i < 1500; ++i) {
    const auto blocks = static_cast<std::int64_t>(random() % 40 + 1);
    const auto waves = static_cast<std::int64_t>(random() % 8);
    const auto tiles =
        std::max<std::int64_t>(0, waves * blocks + static_cast<std::int64_t>(random() % 5) - 2);
    const auto width = static_cast<std::int64_t>(random() % 41);
    expect_all(loops::uniform(tiles, width), of_blocks(blocks, 1 << random() % 4),
               std::to_string(tiles) + " tiles of " + std::to_string(width));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(segments, partition_awkward_and_renamed_works) {
  for (const support::sizes& s : support::awkward_sizes(24, 8)) {
    const auto offsets = s.offsets<std::int64_t>();
    const loops::segments<std::int64_t> w(offsets.data(), s.tiles(), s.atoms());
    for (const std::int64_t blocks : {3, 13}) expect_all(w, of_blocks(blocks, 8), s.name);
  }
  // A program is told which tile it is, not where it stands.
  const std::vector<std::int64_t> offsets{0, 3, 3, 9, 10};
  const std::vector<std::int64_t> names{2, 0, 3, 1};
  const auto renamed = loops::permuted(loops::segments<std::int64_t>(offsets.data(), 4, 10), names);
  const auto w = renamed.view();
  const auto a = loops::schedule::stream_k{}.compose().bind(w, of_blocks(1, 1));
  std::vector<std::int64_t> told;
  for (const segment& s : loops::segments_of(a, w, 0)) told.push_back(s.tile);
  EXPECT_EQ(told, (std::vector<std::int64_t>{1, 3, 0, 2}));
}

/// Other points of the product: any measure, either way round.
TEST(segments, of_any_static_schedule_for_blocks) {
  support::for_each_small_work(4, 6, [&](const std::vector<std::int64_t>& of) {
    const support::sizes s{"", of};
    const auto offsets = s.offsets<std::int32_t>();
    const loops::segments<std::int32_t> w(offsets.data(), s.tiles(), s.atoms());
    const auto check = [&](const auto& schedule) {
      for (const std::int64_t blocks : {1, 2, 3, 5})
        if (!testing::Test::HasFailure()) expect_segments(schedule, w, of_blocks(blocks, 1));
    };
    const auto both = [&](auto what, std::int64_t g) {
      using m = decltype(what);
      check(composed<m, worker::block, order::last_first>{{}, g, what});
    };
    both(measure::atoms{}, grain::even_share);
    both(measure::path{}, grain::even_share);
    both(measure::atoms{}, 2);
    both(measure::path{}, 3);
    both(measure::one_tile{}, 0);
    both(measure::tiles{}, 2);
  });
}

TEST(segments, forwards_are_the_same_the_other_way_round) {
  const std::vector<std::int64_t> offsets{0, 5, 5, 12, 13, 13, 30};
  const loops::segments<std::int64_t> w(offsets.data(), 6, 30);
  const composed<measure::shares_then_tiles, worker::block, order::in_order> forwards{};
  const auto backwards = loops::schedule::stream_k{}.compose();
  const machine m = of_blocks(4, 1);
  for (std::int64_t x = 0; x < 4; ++x) {
    std::vector<segment> there;
    std::vector<segment> back;
    for (const segment& s : loops::segments_of(forwards.bind(w, m), w, x)) there.push_back(s);
    for (const segment& s : loops::segments_of(backwards.bind(w, m), w, x)) back.push_back(s);
    std::reverse(back.begin(), back.end());
    EXPECT_EQ(there, back);
  }
}

TEST(segments, of_more_atoms_than_32_bits_can_count) {
  constexpr std::int64_t tiles = std::int64_t{1} << 21;
  constexpr std::int64_t width = (std::int64_t{1} << 14) + 3;
  constexpr std::int64_t blocks = 132;
  const loops::uniform w(tiles, width);
  static_assert(tiles * width > std::int64_t{1} << 34);
  for_each_dense([&](const std::string& name, const auto& schedule) {
    SCOPED_TRACE(name);
    const auto a = schedule.bind(w, of_blocks(blocks, 8));
    for (const std::int64_t x :
         {std::int64_t{0}, std::int64_t{1}, a.workers() / 2, a.workers() - 2, a.workers() - 1}) {
      const auto range = loops::segments_of(a, w, x);
      auto it = range.begin();
      const loops::slice first = a.at(w, x);
      // The last tile of the slice, and the worker before is who has the rest of it, or nobody.
      std::int64_t left = first.atoms().size();
      for (int i = 0; i < 3 && it != range.end() && left > 0; ++i, ++it) {
        const segment s = *it;
        ASSERT_TRUE(0 <= s.first && s.first < s.last && s.last <= width);
        ASSERT_EQ(s.tile * width + s.last, first.atoms().first + left);
        ASSERT_EQ(s.begins, s.first == 0);
        ASSERT_EQ(s.ends, s.last == width);
        left -= s.size();
        if (s.ends && !s.begins) {
          const loops::slice holder = a.at(w, s.first_peer);
          ASSERT_LE(holder.begin.atom, s.tile * width);
          ASSERT_GT(holder.end.atom, s.tile * width);
        }
      }
    }
  });
  // One tile of very many atoms.
  const loops::uniform deep(1, std::int64_t{1} << 40);
  const auto a = loops::schedule::stream_k{}.compose().bind(deep, of_blocks(blocks, 8));
  ASSERT_EQ(a.workers(), blocks);
  std::int64_t at = 0;
  for (std::int64_t x = 0; x < blocks; ++x) {
    const auto range = loops::segments_of(a, deep, x);
    const segment s = *range.begin();
    ASSERT_EQ(s.first, at);
    ASSERT_EQ(s.ends, x == blocks - 1);
    ASSERT_EQ(s.first_peer, s.ends ? 0 : x);
    at = s.last;
  }
  ASSERT_EQ(at, std::int64_t{1} << 40);
}

/// Iteration is arithmetic: a constant expression, and copies go their own way.
constexpr std::int64_t atoms_of_worker(std::int64_t x) {
  const loops::uniform w(9, 32);
  const auto a = loops::schedule::stream_k{.waves = 2}.compose().bind(w, {1, 1, 1, 1, 4, 8});
  std::int64_t sum = 0;
  for (const segment& s : loops::segments_of(a, w, x)) sum += s.size();
  return sum;
}
static_assert(atoms_of_worker(0) == 72 && atoms_of_worker(3) == 72);
static_assert(std::is_trivially_copyable_v<decltype(loops::segments_of(
                  loops::schedule::split_k{}.compose().bind(loops::uniform(), machine{}),
                  loops::uniform(), 0))>);

}  // namespace
