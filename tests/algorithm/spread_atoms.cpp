// SPDX-License-Identifier: Apache-2.0
/// Atoms of slices spread over lanes: each once, with its tile, for every cut of small works.
#include "loops/algorithm/spread_atoms.hpp"

#include "loops/execution/memory.hpp"
#include "loops/work/noted.hpp"
#include "loops/work/segments.hpp"
#include "support/executors.hpp"
#include "support/works.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using loops::slice;
using base = loops::segments<std::int32_t>;

template <class Tile>
using told = typename loops::tile_finder<loops::noted<base, Tile>>::tile_type;
static_assert(std::is_same_v<told<std::int16_t>, std::int16_t>);
static_assert(std::is_same_v<told<std::uint32_t>, std::int64_t>, "none is negative");
static_assert(std::is_same_v<loops::tile_finder<base, int>::tile_type, int>);

/// Block s takes slice s with its first group of `lanes` lanes.
template <class Index, class Work>
struct note_atoms {
  Work w;
  const slice* slices;
  std::int64_t* tiles;  ///< per atom
  int* calls;
  int lanes;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, lanes);
    if (g.index() > 0) return;
    loops::spread_atoms<Index>(g, w, slices[block.id()], [&](std::int64_t t, std::int64_t a) {
      tiles[a] = t;
      support::count_up(calls + a);
    });
  }
};

/// The same by what is read first: of an atom its number, of a tile its number.
struct note_pairs {
  std::int64_t* tiles;
  int* calls;
  slice all;
  int* outside;  ///< what is asked for and does not exist
  LOOPS_HD std::int64_t of_tile(std::int64_t t) const {
    if (t < 0 || t >= all.end.tile) support::count_up(outside);
    return t;
  }
  LOOPS_HD std::int64_t of_atom(std::int64_t a) const {
    if (a < 0 || a >= all.end.atom) support::count_up(outside);
    return a;
  }
  template <class Block>
  LOOPS_HD void operator()(Block&, std::int64_t t, std::int64_t a) const {
    tiles[a] = t;
    support::count_up(calls + a);
  }
};
template <class Work>
struct note_atoms_ahead {
  Work w;
  const slice* slices;
  note_pairs note;
  int lanes;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, lanes);
    if (g.index() == 0) loops::spread_atoms_ahead(g, w, slices[block.id()], note);
  }
};

/// A block for every tile.
template <class Work>
struct note_tiles_ahead {
  Work w;
  note_pairs note;
  int lanes;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const loops::group<Block> g(block, lanes);
    const std::int64_t t = block.id();
    if (g.index() == 0) loops::spread_atoms_of_tile(g, w, t, loops::atoms_of(w, t), note);
  }
};

template <class Index, class Exec, class Work>
void check(const Exec& exec, const support::sizes& s, const Work& w,
           const std::vector<slice>& slices, int lanes) {
  using shape = loops::shape<64, 1>;
  const auto atoms = static_cast<std::size_t>(s.atoms());
  const loops::array<slice> there(slices, exec.memory());
  loops::array<std::int64_t> tiles(atoms, exec.memory());
  loops::array<int> calls(atoms, exec.memory());
  tiles.fill(0xff);
  calls.fill(0);
  exec.template launch<shape>(
      static_cast<std::int64_t>(slices.size()),
      note_atoms<Index, Work>{w, there.data(), tiles.data(), calls.data(), lanes});
  EXPECT_EQ(calls.to_vector(), std::vector<int>(atoms, 1));
  EXPECT_EQ(tiles.to_vector(), s.keys<std::int64_t>());
  loops::array<int> outside(1, exec.memory());
  outside.fill(0);
  const note_pairs note{tiles.data(), calls.data(), {{}, {s.tiles(), s.atoms()}}, outside.data()};
  tiles.fill(0xff);
  exec.template launch<shape>(static_cast<std::int64_t>(slices.size()),
                              note_atoms_ahead<Work>{w, there.data(), note, lanes});
  EXPECT_EQ(calls.to_vector(), std::vector<int>(atoms, 2)) << "ahead";
  EXPECT_EQ(tiles.to_vector(), s.keys<std::int64_t>()) << "ahead";
  tiles.fill(0xff);
  exec.template launch<shape>(s.tiles(), note_tiles_ahead<Work>{w, note, lanes});
  EXPECT_EQ(calls.to_vector(), std::vector<int>(atoms, 3)) << "of a tile";
  EXPECT_EQ(tiles.to_vector(), s.keys<std::int64_t>()) << "of a tile";
  EXPECT_EQ(outside.to_vector().front(), 0) << "tiles or atoms that do not exist";
}

template <class Exec>
class spread_atoms : public support::on_executor<Exec> {};
TYPED_TEST_SUITE(spread_atoms, support::executors, support::executor_name);

// Two slices, cut at every step of the path of small works and of one that is longer than a group.
TYPED_TEST(spread_atoms, every_cut) {
  constexpr int threads = TypeParam::template block<loops::shape<64, 1>>::threads;
  const auto exec = this->any();
  const auto check_cuts = [&](const support::sizes& s) {
    const auto offsets = s.offsets<std::int32_t>();
    const loops::array<std::int32_t> there(offsets, exec.memory());
    const loops::array<std::int16_t> keys(s.keys<std::int16_t>(), exec.memory());
    const base host(offsets.data(), s.tiles(), s.atoms());
    const base w(there.data(), s.tiles(), s.atoms());
    const loops::coordinate end{s.tiles(), s.atoms()};
    for (std::int64_t d = 0; d <= end.diagonal(); d += end.diagonal() > 40 ? 13 : 1) {
      const loops::coordinate cut = loops::path_cut(host, d);
      const std::vector<slice> both{{{}, cut}, {cut, end}};
      check<std::int64_t>(exec, s, w, both, threads);
      check<int>(exec, s, w, both, threads < 4 ? threads : 4);
      check<std::int64_t>(exec, s, loops::noted(w, keys.data()), both, threads);
      if (testing::Test::HasFailure()) return;
    }
  };
  for (const std::vector<std::int64_t>& of :
       {std::vector<std::int64_t>{}, {0}, {3}, {0, 0, 2}, {1, 0, 0, 4, 0}, {2, 1, 0, 3}})
    check_cuts({"", of});
  check_cuts({"", {0, 70, 1, 0, 0, 2, 150, 0, 1, 1, 1}});
  check_cuts({"", {1, 400, 0, 0, 300, 2}});
}

}  // namespace
