// SPDX-License-Identifier: Apache-2.0
/// How the lanes of a group share tiles whose atoms lie anywhere: side by side, tile after tile.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops {

/// Which tiles the lanes of a group take side by side. Lanes of one tile have different atoms of
/// it.
struct abreast {
  int mine = 0;  ///< number of this lane's tile among them
  int all = 0;   ///< how many they are at most, in all groups of the wave; 0: not known
};

/// For the atoms of the tiles `first` … `last` - 1, `atoms_of(tile)` each, calls `use(mine, found,
/// abreast)` with what `get(mine, tile, atom)` found; `mine` is false for a lane that has no atom.
/// `use` returns whether to go on. As many lanes take a tile as tiles are long on average, so the
/// rest of a wave takes the next ones meanwhile; a lane comes to the atoms of its tiles in order,
/// and to tiles in order. Waves of larger groups share the tiles out and go their own ways. Lanes:
/// all of the group; those of a wave make the same calls, and agree on whether to go on. `Index`
/// counts atoms. Cost: a read of a tile's range per lane, some shuffles per tile, a ballot per
/// call.
LOOPS_CALLS_USER
template <class Index = std::int64_t, class Block, int Lanes, class Ranges, class Get, class Use>
LOOPS_HD void spread_tiles(const group<Block, Lanes>& g, std::int64_t first, std::int64_t last,
                           const Ranges& atoms_of, const Get& get, const Use& use) {
  if constexpr (Block::threads == 1) {
    for (std::int64_t t = first; t < last; ++t)
      for (const std::int64_t a : atoms_of(t))
        if (!use(true, get(true, t, a), abreast{0, 1})) return;
  } else {
    using place = std::make_unsigned_t<Index>;  // has room for a step behind the last atom
    Block& block = g.block();
    const int lanes = g.within_wave() ? g.size() : Block::wave;
    const int rank = g.rank() & (lanes - 1);
    const int leader = (block.lane() & (Block::wave - 1)) - rank;
    const int waves = g.size() / lanes;
    const std::int64_t even = ceil_div(last - first, waves);
    const int share = even < lanes && waves > 1 ? static_cast<int>(even) : lanes;
    const std::int64_t step = std::int64_t{waves} * share;
    for (std::int64_t base = first + std::int64_t{g.rank() / lanes} * share;
         block.ballot(base < last) != 0; base += step) {
      const int tiles = last - base < share ? static_cast<int>(last - base) : share;
      const atom_range r = rank < tiles ? atoms_of(base + rank) : atom_range{};
      const auto my_begin = static_cast<Index>(r.first);
      const auto my_end = static_cast<Index>(r.last);
      // Of one tile, more would not make a difference; so their sum needs few bits.
      constexpr int enough = Block::wave * Block::wave;
      int atoms = my_end - my_begin < enough ? static_cast<int>(my_end - my_begin) : enough;
      for (int d = 1; d < lanes; d *= 2) atoms += block.shuffle_xor(atoms, d);
      int width = 1;
      while (width < lanes && width * tiles < atoms) width *= 2;
      const int together = lanes / width;
      int most = 1;
      while (block.ballot(most < together) != 0) most *= 2;
      const abreast side{rank / width, most};

      for (int i = side.mine; block.ballot(i - side.mine < tiles) != 0; i += together) {
        const int from = leader + (i & (lanes - 1));
        const Index begin = block.shuffle(my_begin, from);
        const Index end = block.shuffle(my_end, from);
        const auto until = static_cast<place>(i < tiles ? end : begin);
        const auto lane = static_cast<place>(rank & (width - 1));
        for (auto at = static_cast<place>(static_cast<place>(begin) + lane);
             block.ballot(at < until) != 0; at += static_cast<place>(width)) {
          const bool mine = at < until;
          if (!use(mine, get(mine, base + i, static_cast<std::int64_t>(at)), side)) return;
        }
      }
    }
  }
}

/// Shared memory for `spread_packed_tiles`.
template <class Block>
struct packed_storage {
  group_storage<Block, std::int64_t> scan;
  std::int64_t first[Block::threads];   ///< per tile: where its atoms begin
  std::int64_t before[Block::threads];  ///< and how many atoms there are before them
};

/// As `spread_tiles`, for a group of several waves that go from atom to atom, whatever the tile: as
/// many atoms at a time as it has lanes, `Ahead` times. Calls `use(mine, found, abreast)` with
/// arrays of `Ahead`, on all lanes of the group and of the groups that synchronise with it; the
/// same atoms come together whoever is first. Cost: a scan for as many tiles as lanes; a search per
/// atom.
LOOPS_CALLS_USER
template <int Ahead, class Block, int Lanes, class Ranges, class Get, class Use>
LOOPS_HD void spread_packed_tiles(const group<Block, Lanes>& g, packed_storage<Block>& shared,
                                  std::int64_t first, std::int64_t last, const Ranges& atoms_of,
                                  const Get& get, const Use& use) {
  using found = std::remove_cvref_t<decltype(get(true, first, first))>;
  constexpr int few = 8;  // tiles of a wave, for it to pay to know them apart
  Block& block = g.block();
  const int start = g.index() * g.size();
  const std::int64_t* before = shared.before + start;
  for (std::int64_t base = first; g.any(base < last); base += g.size()) {
    const std::int64_t tile = base + g.rank();
    const atom_range r = tile < last ? atoms_of(tile) : atom_range{};
    const auto scanned = g.scan_open(r.size(), false, std::int64_t{0}, plus{}, shared.scan);
    shared.first[start + g.rank()] = r.first;
    shared.before[start + g.rank()] = scanned.before;
    g.sync();
    for (std::int64_t from = 0; g.any(from < scanned.total);
         from += std::int64_t{Ahead} * g.size()) {
      bool mine[Ahead];
      found what[Ahead];
      abreast side[Ahead];
      LOOPS_UNROLL
      for (int n = 0; n < Ahead; ++n) {
        const std::int64_t p = from + n * g.size() + g.rank();
        mine[n] = p < scanned.total;
        const std::int64_t known = mine[n] ? p : scanned.total - 1;
        const int i = first_where(1, g.size(), [&](int j) { return before[j] > known; }) - 1;
        const int low = block.shuffle(i, 0);
        const int tiles = block.shuffle(i, Block::wave - 1) - low + 1;
        what[n] = get(mine[n], base + i, shared.first[start + i] + (p - before[i]));
        side[n] = {i - low, tiles <= few ? tiles : 0};
      }
      use(mine, what, side);
    }
    g.sync();
  }
}

}  // namespace loops
