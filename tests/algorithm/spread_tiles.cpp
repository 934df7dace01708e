// SPDX-License-Identifier: Apache-2.0
/// Tiles whose atoms lie anywhere, spread over lanes: each atom once, in order, and until told to
/// stop; and packed, the same atoms at a time whoever is first.
#include "loops/algorithm/spread_tiles.hpp"

#include "loops/execution/memory.hpp"
#include "support/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

using shape = loops::shape<128, 1>;

/// A tile's atoms begin far from where the tile before ends.
struct ranges {
  const std::int64_t* begins;
  const std::int64_t* ends;
  LOOPS_HD loops::atom_range operator()(std::int64_t tile) const {
    return {begins[tile], ends[tile]};
  }
};

/// What a lane was told last.
struct place {
  std::int64_t tile;
  std::int64_t atom;
};

/// Group x of `lanes` lanes takes the tiles firsts[x] … firsts[x + 1] - 1.
struct note_calls {
  ranges of;
  const std::int64_t* firsts;
  int lanes;
  std::int64_t stop_after;  ///< calls of a lane, or -1
  std::int64_t* tiles;      ///< per atom
  int* calls;               ///< per atom
  int* wrong;               ///< calls out of order, or of tiles that are not abreast
  int* made;                ///< calls per lane, with an atom or without

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, lanes);
    place last{-1, -1};
    int count = 0;
    loops::spread_tiles<std::int32_t>(
        g, firsts[g.index()], firsts[g.index() + 1], of,
        [&](bool mine, std::int64_t tile, std::int64_t atom) {
          return mine ? place{tile, atom} : place{};
        },
        [&](bool mine, const place& p, const loops::abreast& side) {
          ++count;
          if (mine) {
            tiles[p.atom] = p.tile;
            support::count_up(calls + p.atom);
            const bool later = p.tile > last.tile || (p.tile == last.tile && p.atom > last.atom);
            if (!later || side.mine < 0 || side.mine >= side.all) support::count_up(wrong);
            last = p;
          }
          return count != stop_after;
        });
    made[block.lane()] = count;
  }
};

/// A group takes `tiles` tiles that all have the atoms first … last - 1, and stops after 5 calls.
struct note_places {
  std::int64_t first, last;
  int tiles;
  int* together;  ///< tiles abreast
  int* calls;     ///< with an atom
  int* outside;   ///< of them, not an atom of the tile

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, Block::wave);
    if (block.lane() >= Block::wave) return;
    int count = 0;
    loops::spread_tiles<std::int32_t>(
        g, 0, tiles,
        [&](std::int64_t) {
          return loops::atom_range{first, last};
        },
        [](bool mine, std::int64_t, std::int64_t atom) { return mine ? atom : -1; },
        [&](bool mine, std::int64_t atom, const loops::abreast& side) {
          *together = side.all;
          if (mine) {
            support::count_up(calls);
            if (atom < first || atom >= last) support::count_up(outside);
          }
          return ++count < 5;
        });
  }
};

/// As above, atom by atom; every group takes its tiles, and all make the same calls.
template <int Ahead>
struct note_packed {
  ranges of;
  const std::int64_t* firsts;
  int lanes;
  std::int64_t* tiles;  ///< per atom
  int* places;          ///< per atom: the call, and which of its lanes
  int* calls;           ///< per atom
  int* wrong;           ///< atoms out of order, or tiles that are not abreast
  int* made;            ///< calls per lane

  template <class Block>
  struct storage {
    loops::packed_storage<Block> packed;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const loops::group<Block> g(block, lanes);
    place last{-1, -1};
    int count = 0;
    loops::spread_packed_tiles<Ahead>(
        g, shared.packed, firsts[g.index()], firsts[g.index() + 1], of,
        [&](bool mine, std::int64_t tile, std::int64_t atom) {
          return mine ? place{tile, atom} : place{};
        },
        [&](const bool(&mine)[Ahead], const place(&what)[Ahead],
            const loops::abreast(&side)[Ahead]) {
          ++count;
          for (int n = 0; n < Ahead; ++n) {
            const auto low = block.shuffle(what[n].tile, 0);
            if (!mine[n]) continue;
            tiles[what[n].atom] = what[n].tile;
            places[what[n].atom] = (count * Ahead + n) * lanes + g.rank();
            support::count_up(calls + what[n].atom);
            const bool later =
                what[n].tile > last.tile || (what[n].tile == last.tile && what[n].atom > last.atom);
            const bool known = side[n].all == 0 ||
                               (side[n].mine == what[n].tile - low && side[n].mine < side[n].all);
            if (!later || !known) support::count_up(wrong);
            last = what[n];
          }
        });
    made[block.lane()] = count;
  }
};

template <class Exec>
class spread_tiles : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spread_tiles, support::executors, support::executor_name);

/// Tiles of the given sizes, whose atoms lie last tile first, with gaps.
template <class Exec>
struct example {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> firsts;
  std::int64_t atoms = 0;
  example(const std::vector<int>& sizes, int groups) : begins(sizes.size()), ends(sizes.size()) {
    for (std::size_t t = sizes.size(); t-- > 0;) {
      begins[t] = atoms + 1;
      ends[t] = begins[t] + sizes[t];
      atoms = ends[t];
    }
    const auto n = static_cast<std::int64_t>(sizes.size());
    // Groups of a wave have unlike shares, and the second has none.
    for (int x = 0; x <= groups; ++x)
      firsts.push_back(x == 2 ? firsts.back() : n * x * x / (std::int64_t{groups} * groups));
    firsts.back() = n;
  }

  std::vector<int> run(const Exec& exec, int lanes, std::int64_t stop_after) const {
    constexpr int threads = Exec::template block<shape>::threads;
    const auto& where = exec.memory();
    const loops::array<std::int64_t> begin(begins, where);
    const loops::array<std::int64_t> end(ends, where);
    const loops::array<std::int64_t> first(firsts, where);
    loops::array<std::int64_t> tiles(static_cast<std::size_t>(atoms + 1), where);
    loops::array<int> calls(static_cast<std::size_t>(atoms + 1), where);
    loops::array<int> wrong(1, where);
    loops::array<int> made(threads, where);
    tiles.fill(0xff);
    calls.fill(0);
    wrong.fill(0);
    exec.template launch<shape>(1, note_calls{{begin.data(), end.data()},
                                              first.data(),
                                              lanes,
                                              stop_after,
                                              tiles.data(),
                                              calls.data(),
                                              wrong.data(),
                                              made.data()});
    EXPECT_EQ(wrong.to_vector()[0], 0);
    if (stop_after < 0) {
      std::vector<std::int64_t> wanted(tiles.size(), -1);
      std::vector<int> once(calls.size(), 0);
      for (std::size_t t = 0; t < begins.size(); ++t)
        for (std::int64_t a = begins[t]; a < ends[t]; ++a) {
          wanted[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(t);
          once[static_cast<std::size_t>(a)] = 1;
        }
      EXPECT_EQ(tiles.to_vector(), wanted);
      EXPECT_EQ(calls.to_vector(), once);
    }
    return made.to_vector();
  }
};

template <int Ahead, class Exec>
void check_packed(const Exec& exec, const example<Exec>& e, int lanes) {
  constexpr int threads = Exec::template block<shape>::threads;
  const auto& where = exec.memory();
  const auto atoms = static_cast<std::size_t>(e.atoms + 1);
  const loops::array<std::int64_t> begin(e.begins, where);
  const loops::array<std::int64_t> end(e.ends, where);
  const loops::array<std::int64_t> first(e.firsts, where);
  loops::array<std::int64_t> tiles(atoms, where);
  loops::array<int> places(atoms, where);
  loops::array<int> calls(atoms, where);
  loops::array<int> wrong(1, where);
  loops::array<int> made(threads, where);
  tiles.fill(0xff);
  calls.fill(0);
  wrong.fill(0);
  exec.template launch<shape>(1, note_packed<Ahead>{{begin.data(), end.data()},
                                                    first.data(),
                                                    lanes,
                                                    tiles.data(),
                                                    places.data(),
                                                    calls.data(),
                                                    wrong.data(),
                                                    made.data()});
  EXPECT_EQ(wrong.to_vector()[0], 0);
  const auto got = tiles.to_vector();
  const auto place_of = places.to_vector();
  const auto called = calls.to_vector();
  std::size_t visited = 0;
  for (std::size_t x = 0; x + 1 < e.firsts.size(); ++x) {
    int next = 0;
    auto scanned = static_cast<std::size_t>(-1);
    const auto from = static_cast<std::size_t>(e.firsts[x]);
    const auto to = static_cast<std::size_t>(e.firsts[x + 1]);
    for (std::size_t t = from; t < to; ++t)
      for (std::int64_t a = e.begins[t]; a < e.ends[t]; ++a, ++visited) {
        const auto at = static_cast<std::size_t>(a);
        ASSERT_EQ(got[at], static_cast<std::int64_t>(t));
        ASSERT_EQ(called[at], 1);
        // Neighbours among the atoms of as many tiles as lanes stand side by side.
        if ((t - from) / static_cast<std::size_t>(lanes) == scanned) {
          ASSERT_EQ(place_of[at], next) << "atom " << a;
        }
        scanned = (t - from) / static_cast<std::size_t>(lanes);
        next = place_of[at] + 1;
      }
  }
  std::size_t all = 0;
  for (const int c : called) all += static_cast<std::size_t>(c);
  EXPECT_EQ(all, visited);
  const auto each = made.to_vector();
  EXPECT_EQ(each, std::vector<int>(each.size(), each.front())) << "lanes that were not called";
}

std::vector<std::vector<int>> kinds_of_sizes() {
  std::vector<int> mixed;
  std::vector<int> hollow;
  for (int t = 0; t < 300; ++t) {
    mixed.push_back(t % 7 * (t % 5) + (t == 150 ? 500 : 0));
    hollow.push_back(t % 19 == 3 ? 2 : 0);
  }
  return {{},    {1},   {0}, {0, 5, 0}, std::vector<int>(70, 1), std::vector<int>(70, 40),
          mixed, hollow};
}

TYPED_TEST(spread_tiles, every_atom_once_and_in_order) {
  constexpr int threads = TypeParam::template block<shape>::threads;
  for (const auto& v : this->variants())
    for (const auto& sizes : kinds_of_sizes())
      for (int lanes = 1; lanes <= threads; lanes *= 2) {
        SCOPED_TRACE(v.name + ", " + std::to_string(sizes.size()) + " tiles, " +
                     std::to_string(lanes) + " lanes");
        const example<TypeParam> e(sizes, threads / lanes);
        (void)e.run(v.exec, lanes, -1);
        if (this->HasFailure()) return;
      }
}

TYPED_TEST(spread_tiles, stops_when_told) {
  constexpr int threads = TypeParam::template block<shape>::threads;
  constexpr int wave = TypeParam::template block<shape>::wave;
  for (const int lanes : {wave, threads}) {
    const example<TypeParam> e(std::vector<int>(600, 200), threads / lanes);
    for (const int calls : e.run(this->any(), lanes, 3)) EXPECT_LE(calls, 3);
  }
}

TYPED_TEST(spread_tiles, counts_to_the_end_of_the_index) {
  constexpr std::int64_t top = std::numeric_limits<std::int32_t>::max();
  constexpr int wave = TypeParam::template block<shape>::wave;
  const auto exec = this->any();
  const auto run = [&](std::int64_t first, std::int64_t last, int tiles) {
    loops::array<int> noted(3, exec.memory());
    noted.fill(0);
    exec.template launch<shape>(
        1, note_places{first, last, tiles, noted.data(), noted.data() + 1, noted.data() + 2});
    return noted.to_vector();
  };
  const auto tail = run(top - 4, top, 1);
  EXPECT_EQ(tail[1], 4);
  EXPECT_EQ(tail[2], 0);
  const auto last = run(top - 1, top, 1);
  EXPECT_EQ(last[1], 1);
  EXPECT_EQ(last[2], 0);
  // More atoms in all than the index can count: still one tile at a time, by all lanes.
  const auto many = run(0, top - top / 128, wave);
  EXPECT_EQ(many[0], 1);
  EXPECT_EQ(many[1], 5 * wave);
}

TYPED_TEST(spread_tiles, packed) {
  using block = typename TypeParam::template block<shape>;
  if constexpr (block::threads == 1) {
    GTEST_SKIP() << "a lane alone has nobody to share with";
  } else {
    for (const auto& v : this->variants())
      for (const auto& sizes : kinds_of_sizes())
        for (int lanes = 2 * block::wave; lanes <= block::threads; lanes *= 2) {
          SCOPED_TRACE(v.name + ", " + std::to_string(sizes.size()) + " tiles, " +
                       std::to_string(lanes) + " lanes");
          const example<TypeParam> e(sizes, block::threads / lanes);
          check_packed<1>(v.exec, e, lanes);
          check_packed<4>(v.exec, e, lanes);
          if (this->HasFailure()) return;
        }
  }
}

}  // namespace
