// SPDX-License-Identifier: Apache-2.0
/// What a selector may know of a work: its size, and what one pass over the tiles tells.
#pragma once

#include "loops/core/machine.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace loops {

/// What one pass over the tiles of a work tells, in integers: the same on every machine. Works
/// whose atoms have no columns, and those of which nobody told them, count as having none strewn.
struct tile_statistics {
  std::int64_t tiles = 0;
  std::int64_t atoms = 0;
  std::int64_t longest = 0;  ///< atoms of the largest tile
  std::int64_t empty = 0;    ///< tiles without atoms
  std::int64_t crowded = 0;  ///< atoms in tiles of more than twice the mean
  /// Atoms if each tile were as long as the longest of its 32 neighbours; 2^63 - 32 for more.
  std::int64_t padded = 0;
  std::int64_t sampled = 0;  ///< atoms whose columns were looked at
  std::int64_t strewn = 0;   ///< of these, those whose columns are far from what was just read
  std::int64_t span = 0;     ///< sum over them of how many columns their tile lies over

  friend constexpr bool operator==(const tile_statistics&, const tile_statistics&) = default;
};

/// Neighbouring tiles that `tile_statistics::padded` looks at together: a wave with one tile each.
inline constexpr std::int64_t tiles_padded_together = 32;

namespace select {

/// A work as a selector sees it. Without a pass over the tiles only `tiles` and `atoms` of `seen`
/// are filled.
struct facts {
  tile_statistics seen;
  int value_bytes = 4;              ///< of what is reduced
  std::int64_t uses = 1;            ///< how often the plan will be used
  std::int64_t columns = 0;         ///< how many there are that atoms may read; 0: nobody said
  int block_lanes = 128;            ///< lanes of a block on the machine at hand
  int wave = 32;                    ///< lanes that meet without a barrier
  std::int64_t all_lanes = 270336;  ///< lanes that work at the same time on it
  int first_cache = 200'000;        ///< bytes of what tiles read that a processor keeps
  int last_cache = 50'000'000;      ///< and that the machine keeps
};

/// What size alone tells of `x`, as before a pass over the tiles.
[[nodiscard]] constexpr facts by_size(facts x) noexcept {
  x.seen = {x.seen.tiles, x.seen.atoms};
  return x;
}

/// Bytes that the first cache of a processor keeps of what tiles read: on an H200, whose cache and
/// shared memory are one, and on CDNA, whose waves have 64 lanes.
[[nodiscard]] constexpr int first_cache_of(int wave) noexcept {
  return wave == 64 ? 32'000 : 200'000;
}

/// And that the machine keeps, likewise.
[[nodiscard]] constexpr int last_cache_of(int wave) noexcept {
  return wave == 64 ? 256'000'000 : 50'000'000;
}

/// The same work on this machine.
[[nodiscard]] constexpr facts on_machine(facts x, const machine& m) noexcept {
  x.block_lanes = m.threads;
  x.wave = m.wave;
  x.all_lanes = m.threads * m.blocks;
  x.first_cache = first_cache_of(m.wave);
  x.last_cache = last_cache_of(m.wave);
  return x;
}

/// Whether it can matter where the atoms read: those of a work that has fewer than the machine has
/// lanes get as many lanes as `fitting_lanes` ever gives, wherever they read.
[[nodiscard]] constexpr bool columns_matter(const facts& x) noexcept {
  return x.seen.atoms > x.all_lanes;
}

/// Whether a look at the tiles is a look at a copy of their ends, on the host: there are few of
/// them, and columns do not matter.
inline constexpr std::int64_t most_tiles_copied = 2048;
[[nodiscard]] constexpr bool copied_to_look(const facts& x) noexcept {
  return x.seen.tiles <= most_tiles_copied && !columns_matter(x);
}

/// The share of the atoms whose columns are far from those read just before; none where that cannot
/// matter.
[[nodiscard]] constexpr double strewn_of(const facts& x) noexcept {
  if (!columns_matter(x) || x.seen.sampled < 1) return 0;
  return static_cast<double>(x.seen.strewn) / static_cast<double>(x.seen.sampled);
}

/// Bytes over which a tile's columns lie, in the mean over the atoms looked at; none where columns
/// cannot matter.
[[nodiscard]] constexpr double span_of(const facts& x) noexcept {
  if (!columns_matter(x) || x.seen.sampled < 1) return 0;
  return static_cast<double>(x.seen.span) / static_cast<double>(x.seen.sampled) * x.value_bytes;
}

/// Bytes of all that columns may name: of `x`, for a product.
[[nodiscard]] constexpr double bytes_of_columns(const facts& x) noexcept {
  return static_cast<double>(x.columns) * x.value_bytes;
}

/// The share of the atoms whose columns are far from those read just before, and not in the part of
/// a tile's columns that a processor's first cache holds. None where two thirds of that cache hold
/// all columns: they stay there, wherever a tile reads.
[[nodiscard]] constexpr double scattered_of(const facts& x) noexcept {
  if (x.columns > 0 && 3 * bytes_of_columns(x) <= 2.0 * x.first_cache) return 0;
  const double beyond = span_of(x) / static_cast<double>(x.first_cache);
  return strewn_of(x) * (beyond < 1 ? beyond : 1);
}

/// How many atoms of its tile a lane reads at a time.
inline constexpr double atoms_at_a_time = 4;

/// Bytes from the first to the last of what so many lanes read at a time of a tile of `mean` atoms.
[[nodiscard]] constexpr double stretch_of(const facts& x, double lanes, double mean) noexcept {
  return span_of(x) * atoms_at_a_time * lanes / mean;
}

/// More columns than this share are strewn where most are.
inline constexpr double mostly_strewn = 0.5;

/// The most lanes that should share a tile: a block's, but for tiles whose columns lie far apart.
/// Where a processor's cache holds them, a wave reads them as fast as a larger group, which meets
/// at a barrier; more are for few tiles, which would leave half of the machine idle. Where it does
/// not, but tiles all run at once with so many lanes, they run over what they read side by side, if
/// columns are in order: those that start together have read about as many atoms at any time, and
/// the cache need only hold the stretch that they are at. Lanes read four atoms at a time, and
/// fewer than eight of them waste what memory hands out at once.
[[nodiscard]] constexpr int most_lanes(const facts& x, bool looked) noexcept {
  if (!looked || strewn_of(x) <= mostly_strewn) return x.block_lanes;
  const auto tiles = static_cast<double>(x.seen.tiles);
  const double each = static_cast<double>(x.all_lanes) / tiles;  // when all run at once
  if (span_of(x) <= x.first_cache) {
    int most = x.wave < x.block_lanes ? x.wave : x.block_lanes;
    while (most < each / 2 && most < x.block_lanes) most *= 2;
    return most;
  }
  const int lanes = nearest_power(each, x.block_lanes);
  const double mean = static_cast<double>(x.seen.atoms) / tiles;
  return lanes >= 8 && stretch_of(x, each, mean) <= x.first_cache ? lanes : x.block_lanes;
}

/// How many lanes should share a tile for a start: half the longest tile's atoms, but no more than
/// keep half of the machine busy, or than get 5.6 atoms of the mean each, whichever is larger. Long
/// tiles want four lanes and one for every ten atoms instead, which is less from 51 atoms on; where
/// columns are scattered, and lanes have nothing to share, a lane wants two atoms. No more than
/// `most_lanes`, nor than a wave where that takes the longest tile in one round of four atoms per
/// lane. A power of two. Before the tiles are looked at, the longest counts as eight times the
/// mean.
[[nodiscard]] constexpr int fitting_lanes(const facts& x, bool looked) noexcept {
  const auto tiles = static_cast<double>(x.seen.tiles < 1 ? 1 : x.seen.tiles);
  const double mean = static_cast<double>(x.seen.atoms) / tiles;
  const double longest = looked ? static_cast<double>(x.seen.longest) : 8 * mean;
  const double spare = static_cast<double>(x.all_lanes) / (2 * tiles);
  const double near = mean / 5.6 < 4 + mean / 10 ? mean / 5.6 : 4 + mean / 10;
  const double shared = near + (looked ? scattered_of(x) * (mean / 2 - near) : 0);
  const double most = spare > shared ? spare : shared;
  const double wanted = longest / 2 < most ? longest / 2 : most;
  int lanes = nearest_power(wanted, most_lanes(x, looked));
  while (lanes / 2 >= x.wave && longest <= 2.0 * lanes) lanes /= 2;
  return lanes;
}

/// How many lanes share a tile where large blocks take tiles: fewer than elsewhere, so that a block
/// has many tiles. One lane gets 5.3 atoms of the mean, or, from 15 atoms on, there is
/// a lane for every twelve of them and 1.2 more. A power of two.
[[nodiscard]] constexpr int lanes_in_large_blocks(const facts& x) noexcept {
  const auto tiles = static_cast<double>(x.seen.tiles < 1 ? 1 : x.seen.tiles);
  const double mean = static_cast<double>(x.seen.atoms) / tiles;
  return nearest_power(mean < 15 ? mean / 5.3 : 1.2 + mean / 12, 16);
}

/// With how many lanes tiles of similar length that lie over more than the last cache holds go over
/// it side by side, if columns are in order, so that what one has read is still there for the
/// others: as many as let all tiles run at once on a third of the machine, where a tenth of that
/// cache holds the stretch that they are at, since they drift apart. 0 where there is no such
/// number, or it leaves nine tenths of the machine idle.
[[nodiscard]] constexpr int lanes_side_by_side(const facts& x) noexcept {
  if (strewn_of(x) <= mostly_strewn || span_of(x) <= x.last_cache) return 0;
  const auto tiles = static_cast<double>(x.seen.tiles - x.seen.empty);
  const double mean = static_cast<double>(x.seen.atoms) / tiles;
  if (static_cast<double>(x.seen.longest) > 2 * mean) return 0;
  const auto fit = [&](int lanes) {
    return 3 * lanes * tiles <= static_cast<double>(x.all_lanes) &&
           10 * stretch_of(x, lanes, mean) <= x.last_cache;
  };
  int lanes = 1;
  while (2 * lanes <= x.block_lanes && fit(2 * lanes)) lanes *= 2;
  const bool busy = 10 * lanes * tiles >= static_cast<double>(x.all_lanes);
  return busy && fit(lanes) ? lanes : 0;
}

/// A number that a tree asks for. Those from `longest` on need the pass over the tiles.
enum class feature : std::uint8_t {
  tiles,
  atoms,
  mean,
  value_bytes,
  longest,
  skew,
  empty,
  crowded,
  padding,
  steps,
  excess,
  strewn,
  delay,
  none,  ///< of a leaf
};
inline constexpr int known_features = 4;  ///< how many need no pass
inline constexpr int all_features = 13;

/// How a feature is called and explained.
struct feature_words {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array<feature_words, all_features> words_of_features{{
    {"tiles", "number of tiles"},
    {"atoms", "number of atoms"},
    {"mean", "mean atoms per tile"},
    {"value_bytes", "bytes of a value"},
    {"longest", "atoms of the longest tile"},
    {"skew", "longest tile over the mean"},
    {"empty", "share of tiles that are empty"},
    {"crowded", "share of the atoms in tiles of more than twice the mean"},
    {"padding", "atoms that 32 tiles of the longest one's length would have, over the atoms"},
    {"steps", "atoms of the longest tile for each of the lanes that fit"},
    {"excess", "atoms that a lane of the longest tile takes beyond its fair share of all"},
    {"strewn", "share of the atoms whose columns are far from those read just before"},
    {"delay",
     "excess over the steps that a launch and all bytes take; more where tiles are crowded"},
}};

/// The value of a feature. Works without atoms or tiles count as having one.
[[nodiscard]] constexpr double value_of(feature f, const facts& x) noexcept {
  const auto at_least_one = [](std::int64_t n) { return static_cast<double>(n < 1 ? 1 : n); };
  const double tiles = at_least_one(x.seen.tiles);
  const double atoms = at_least_one(x.seen.atoms);
  switch (f) {
    case feature::tiles:
      return tiles;
    case feature::atoms:
      return atoms;
    case feature::mean:
      return atoms / tiles;
    case feature::value_bytes:
      return x.value_bytes;
    case feature::longest:
      return static_cast<double>(x.seen.longest);
    case feature::skew:
      return static_cast<double>(x.seen.longest) * tiles / atoms;
    case feature::empty:
      return static_cast<double>(x.seen.empty) / tiles;
    case feature::crowded:
      return static_cast<double>(x.seen.crowded) / atoms;
    case feature::padding:
      return static_cast<double>(x.seen.padded) / atoms;
    case feature::steps:
      return static_cast<double>(x.seen.longest) / fitting_lanes(x, true);
    case feature::excess: {
      const double taken = static_cast<double>(x.seen.longest) / fitting_lanes(x, true);
      const double fair = static_cast<double>(x.seen.atoms) / static_cast<double>(x.all_lanes);
      return taken > fair ? taken - fair : 0;
    }
    case feature::strewn:
      return strewn_of(x);
    case feature::delay: {
      // A launch takes a lane about as long as fifty atoms of its own; the memory gives it six
      // atoms or ends in the time of one when all lanes ask, and one of its own in that of three.
      // Lanes that wait for a longer tile of their wave are missed where tiles take turns.
      const auto lanes = static_cast<double>(x.all_lanes);
      const double turns = tiles * fitting_lanes(x, true) / lanes;
      const double slower = 1 + 2 * (turns < 1 ? turns : 1);
      const double missed = turns < 4 ? turns / 4 : 1;
      return slower * value_of(feature::excess, x) / (50 + 6 * (atoms + tiles) / lanes) +
             4 * missed * value_of(feature::crowded, x);
    }
    case feature::none:
      break;
  }
  return 0;
}

}  // namespace select

}  // namespace loops
