// SPDX-License-Identifier: Apache-2.0
/// Chooses a schedule by two trees: one that knows the size alone, and one that has looked.
#pragma once

#include "loops/select/tree.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace loops::select {

/// How the columns of a work lie to each other: near; far; in every tile strewn over much of an `x`
/// that fills the caches; over a band that moves with the tiles, which a processor's cache holds
/// several times, once, or not quite; over so few that such a cache holds them all; or strewn in
/// none of these ways.
enum class placing : std::uint8_t {
  near,
  far,
  everywhere,
  narrow_band,
  band,
  wide_band,
  held,
  strewn
};

/// A placing as headers name it, and what its limits count (`bytes_for`).
struct placing_words {
  std::string_view name;
  std::string_view bytes;
};
inline constexpr std::array<placing_words, 8> words_of_placings{{{"near", "bytes of atoms"},
                                                                 {"far", "bytes"},
                                                                 {"everywhere", "bytes of columns"},
                                                                 {"narrow_band", "bytes of atoms"},
                                                                 {"band", "bytes of atoms"},
                                                                 {"wide_band", "bytes of atoms"},
                                                                 {"held", "bytes of atoms"},
                                                                 {"strewn", "bytes of atoms"}}};

/// What takes a candidate's place in some works.
struct substitute {
  std::string_view name = {};     ///< as in the catalogue; none: nothing does
  placing where = placing::near;  ///< of works whose columns lie like this, …
  double from = 0;                ///< … with more bytes than these (`bytes_for`), …
  double mean = 0;                ///< … more atoms per tile, …
  double most = 0;                ///< … and no more than these; 0: any number
  double crowded = 0;  ///< where many atoms are crowded, of more bytes than these; 0: `from`
  double large = 0;    ///< where values have 8 bytes, of more bytes than these; 0: `from`
  /// Takes tiles by `lanes_in_large_blocks`, where none is long; else it cuts them.
  bool by_lanes = false;
};

/// A schedule that a selector may choose.
struct candidate {
  static constexpr int fitted = -1;

  std::string_view name;  ///< as in the catalogue; "group_mapped" when its lanes are fitted
  int lanes = 0;          ///< that take a tile alone; 0: long tiles are cut; or `fitted`
  int shift = 0;          ///< fitted: powers of two above (below, if negative) `fitting_lanes`
  double plan_us = 0;     ///< to make its plan
  /// What may take its place. The last one that a work suits does.
  std::array<substitute, 10> instead = {};
};

/// Columns of which so large a share is strewn are not read as a stream, however large the work is.
inline constexpr double nearly_all_strewn = 0.9;
/// With so many strewn, `x` is read again from a processor's own cache by lanes that take a tile.
inline constexpr double partly_strewn = 0.3;
/// Works whose atoms have more bytes find none of them in a cache.
inline constexpr double beyond_caches = 50e6;

/// More bytes than any work has.
inline constexpr double never = 1e18;

/// Whether so many atoms are in tiles of more than twice the mean that slices of equal atoms are
/// unequal: some end many tiles.
[[nodiscard]] constexpr bool is_crowded(const facts& x) noexcept {
  return value_of(feature::crowded, x) > 0.2;
}

/// Whether large blocks pay because columns are near, as far as a candidate is concerned. For lanes
/// that take tiles: columns are strewn, but a seventh of a processor's cache holds all of a tile's.
/// For what cuts tiles few need be strewn.
[[nodiscard]] constexpr bool is_near(const candidate& c, const facts& x) noexcept {
  const bool held = 7 * span_of(x) <= x.first_cache;
  if (c.lanes == candidate::fitted) return strewn_of(x) >= partly_strewn && held;
  return strewn_of(x) < nearly_all_strewn || held;
}

/// Bytes of values and columns.
[[nodiscard]] constexpr double bytes_of_atoms(const facts& x) noexcept {
  return static_cast<double>(x.seen.atoms) * (x.value_bytes + 4);
}

/// Whether columns are far from each other, in a work that no cache holds.
[[nodiscard]] constexpr bool is_far(const facts& x) noexcept {
  return strewn_of(x) >= nearly_all_strewn && bytes_of_atoms(x) > beyond_caches;
}

/// Whether tiles lie over no more than an eighth of all columns, so that only those that run side
/// by side read the same.
[[nodiscard]] constexpr bool lie_apart(const facts& x) noexcept {
  return 8 * span_of(x) <= bytes_of_columns(x);
}

/// Whether every tile lies over much of all columns, and these fill an eighth of the last cache.
[[nodiscard]] constexpr bool are_everywhere(const facts& x) noexcept {
  return is_far(x) && !lie_apart(x) && 8 * bytes_of_columns(x) >= x.last_cache;
}

/// Whether columns are strewn over a band that moves with the tiles: over more columns than an
/// ordinary block takes atoms, so that it reads little of the band twice.
[[nodiscard]] constexpr bool is_banded(const facts& x) noexcept {
  constexpr double atoms_of_a_block = 2500;
  return strewn_of(x) >= nearly_all_strewn && span_of(x) >= atoms_of_a_block * x.value_bytes &&
         lie_apart(x);
}

/// Whether the tiles of a large work lie strewn over half of a processor's cache or more.
[[nodiscard]] constexpr bool fill_a_cache(const facts& x) noexcept {
  return is_far(x) && 2 * span_of(x) >= x.first_cache;
}

/// Whether more of that cache pays even where fewer blocks run then: of what tiles lie over it
/// holds a good part.
[[nodiscard]] constexpr bool favours_cache(const facts& x) noexcept {
  return fill_a_cache(x) && span_of(x) <= 8.0 * x.first_cache;
}

/// Whether the tiles have been looked at, and none is so long that lanes which take tiles by the
/// mean take it for ever.
[[nodiscard]] constexpr bool is_even(const facts& x) noexcept {
  return x.seen.longest > 0 &&
         static_cast<double>(x.seen.longest) <= 8 * value_of(feature::mean, x);
}

/// The bytes beyond which a substitute takes its place in such a work.
[[nodiscard]] constexpr double limit_of(const substitute& s, const facts& x) noexcept {
  if (s.crowded > 0 && is_crowded(x)) return s.crowded;
  return s.large > 0 && x.value_bytes >= 8 ? s.large : s.from;
}

/// Whether a processor's cache holds all columns. What is read most often stays, even if they are a
/// little more than it holds.
[[nodiscard]] constexpr bool are_held(const facts& x) noexcept {
  return x.columns > 0 && 4 * bytes_of_columns(x) <= 5.0 * x.first_cache;
}

/// Whether a work's columns lie as a substitute needs them.
[[nodiscard]] constexpr bool lie_as(placing where, const candidate& c, const facts& x) noexcept {
  // Half of a processor's cache leaves room for what is read beside a band; of a wider one some has
  // to be read again.
  const double halves = 2 * span_of(x) / x.first_cache;
  switch (where) {
    case placing::near:
      return is_near(c, x);
    case placing::far:
      return is_far(x);
    case placing::everywhere:
      return are_everywhere(x);
    case placing::narrow_band:
      return is_banded(x) && 3 * halves <= 2;
    case placing::band:
      return is_banded(x) && 3 * halves > 2 && halves <= 1;
    case placing::held:
      return are_held(x);
    case placing::strewn:
      return fill_a_cache(x) && !are_held(x) && !is_banded(x) && !are_everywhere(x);
    case placing::wide_band:
      break;
  }
  return is_banded(x) && halves > 1 && halves <= 3;
}

/// The bytes of a work that a substitute's limit is compared with: those over which a tile lies,
/// where columns are far; where they are everywhere, those of all columns; else those of its atoms.
[[nodiscard]] constexpr double bytes_for(placing where, const facts& x) noexcept {
  if (where == placing::far) return span_of(x);
  return where == placing::everywhere ? bytes_of_columns(x) : bytes_of_atoms(x);
}

/// What takes a candidate's place; null where it keeps it.
[[nodiscard]] constexpr const substitute* substitute_of(const candidate& c,
                                                        const facts& x) noexcept {
  const double mean = value_of(feature::mean, x);
  const substitute* out = nullptr;
  for (const substitute& s : c.instead)
    if (!s.name.empty() && bytes_for(s.where, x) > limit_of(s, x) && mean > s.mean &&
        (s.most == 0 || mean <= s.most) && lie_as(s.where, c, x) && (!s.by_lanes || is_even(x)))
      out = &s;
  return out;
}

/// With how many lanes a candidate that would cut long tiles takes them whole, because they go over
/// their columns side by side; 0: it does not.
[[nodiscard]] constexpr int lanes_uncut(const candidate& c, const facts& x) noexcept {
  return c.name == "long_first" ? lanes_side_by_side(x) : 0;
}

/// The schedule that a candidate amounts to for this work, without its lanes.
[[nodiscard]] constexpr std::string_view kernels_of(const candidate& c, const facts& x) noexcept {
  if (const substitute* other = substitute_of(c, x)) return other->name;
  return lanes_uncut(c, x) > 0 ? "group_mapped" : c.name;
}

/// The lanes that take a tile alone; 0: long tiles are cut.
[[nodiscard]] constexpr int lanes_of(const candidate& c, const facts& x, bool looked) noexcept {
  if (const substitute* other = substitute_of(c, x))
    return other->by_lanes ? lanes_in_large_blocks(x) : 0;
  if (const int whole = lanes_uncut(c, x); whole > 0) return whole;
  if (c.lanes != candidate::fitted) return c.lanes;
  if (const int few = looked ? lanes_side_by_side(x) : 0; few > 0) return few;
  int lanes = fitting_lanes(x, looked);
  for (int i = 0; i < c.shift && lanes < most_lanes(x, looked); ++i) lanes *= 2;
  for (int i = 0; i > c.shift && lanes > 1; --i) lanes /= 2;
  return lanes;
}

/// All that a device class needs for its choices; a generated header holds one, as data.
struct selector {
  std::string_view device;  ///< what it was trained for
  std::string_view basis;   ///< what it was trained on
  bool proved = false;      ///< by measurements on such a device
  double launch_us = 0;     ///< the yardstick: of a product of nothing …
  double gb_per_s = 1;      ///< … and 10^9 bytes per second beyond
  double gather_us = 0;     ///< of the pass over the tiles …
  double gather_ns = 0;     ///< … and per tile
  double copy_us = 0;       ///< of a look at a copy of the ends of few tiles
  double step_ns = 0;       ///< of a lane per atom when it has a long tile to itself
  std::span<const candidate> schedules;
  int safe = 0;  ///< the schedule to take when unsure; it cuts tiles
  tree known;
  tree gathered;
};

/// A choice must not be able to take longer than this many times what the safe one is sure to take:
/// before the tiles are looked at, when one of them might hold all atoms, and after.
inline constexpr double worst_allowed_unseen = 3;
inline constexpr double worst_allowed = 10;

/// What a selector decided, and on what grounds.
struct decision {
  int choice = 0;         ///< index in `selector::schedules`
  int lanes = 0;          ///< of the group that takes a tile alone; 0: long tiles are cut
  bool gathered = false;  ///< whether the tiles were looked at
  bool sure = false;      ///< whether the leaf has seen enough
  int tried = 0;          ///< plans that were run to find this one the fastest
  int known_leaf = 0;
  int leaf = 0;  ///< of the tree that chose
  facts given;   ///< `seen` complete if `gathered`
};

/// µs for moving a sparse product's bytes once, launch included: the unit of all forecasts.
[[nodiscard]] constexpr double yardstick_us(const selector& s, const facts& x) noexcept {
  const double ends = static_cast<double>(x.seen.tiles) * (x.value_bytes + 4);
  return s.launch_us + 1e-3 * (bytes_of_atoms(x) + ends) / s.gb_per_s;
}

/// µs that looking at the tiles costs.
[[nodiscard]] constexpr double gathering_us(const selector& s, const facts& x) noexcept {
  if (copied_to_look(x)) return s.copy_us;
  return s.gather_us + 1e-3 * s.gather_ns * static_cast<double>(x.seen.tiles);
}

/// Whether the longest tile that is possible would keep a group of so many lanes too long; of none,
/// which cut it, never.
[[nodiscard]] constexpr bool can_take_too_long(const selector& s, int lanes, const facts& x,
                                               bool looked) noexcept {
  const double allowed = looked ? worst_allowed : worst_allowed_unseen;
  // With so few lanes, even one that does everything alone takes no longer than allowed.
  if (lanes == 0 || static_cast<double>(x.all_lanes) <= allowed) return false;
  const auto longest = static_cast<double>(looked ? x.seen.longest : x.seen.atoms);
  const double uses = x.uses < 1 ? 1.0 : static_cast<double>(x.uses);
  const double safe_us =
      yardstick_us(s, x) + s.schedules[static_cast<std::size_t>(s.safe)].plan_us / uses;
  return 1e-3 * s.step_ns * longest / lanes > allowed * safe_us;
}

/// The same of a group of this schedule.
[[nodiscard]] constexpr bool can_go_wrong(const selector& s, const candidate& c, const facts& x,
                                          bool looked) noexcept {
  return can_take_too_long(s, lanes_of(c, x, looked), x, looked);
}

/// What taking schedule `k` in leaf `at` is expected to lose per use, over the best one's time; its
/// plan is shared by all uses.
[[nodiscard]] constexpr double expected_loss(const selector& s, const tree& t, int at, int k,
                                             const facts& x) noexcept {
  const auto row = static_cast<std::size_t>(at) * s.schedules.size();
  const auto column = static_cast<std::size_t>(k);
  const double best_us = t.leaves[static_cast<std::size_t>(at)].best * yardstick_us(s, x);
  const double uses = x.uses < 1 ? 1.0 : static_cast<double>(x.uses);
  return t.forecasts[row + column].loss + s.schedules[column].plan_us / (uses * best_us);
}

/// The schedule that is expected to lose least in this leaf among those that cannot go wrong; where
/// too little was seen, among those that cut tiles.
[[nodiscard]] constexpr int least_loss(const selector& s, const tree& t, int at, const facts& x,
                                       bool looked) noexcept {
  int choice = s.safe;
  double least = expected_loss(s, t, at, s.safe, x);
  const bool sure = t.leaves[static_cast<std::size_t>(at)].sure;
  for (int k = 0; k < static_cast<int>(s.schedules.size()); ++k) {
    const candidate& c = s.schedules[static_cast<std::size_t>(k)];
    if (can_go_wrong(s, c, x, looked) || (!sure && c.lanes != 0)) continue;
    const double loss = expected_loss(s, t, at, k, x);
    if (loss >= least) continue;
    least = loss;
    choice = k;
  }
  return choice;
}

/// The choice by the size alone, whatever else there is to know. Cost: well under a microsecond.
[[nodiscard]] constexpr decision decide_known(const selector& s, const facts& all) noexcept {
  const facts x = by_size(all);
  decision d;
  d.given = x;
  d.known_leaf = d.leaf = leaf_of(s.known.nodes, x);
  d.sure = s.known.leaves[static_cast<std::size_t>(d.leaf)].sure;
  d.choice = least_loss(s, s.known, d.leaf, x, false);
  d.lanes = lanes_of(s.schedules[static_cast<std::size_t>(d.choice)], x, false);
  return d;
}

/// The choice when the tiles have been looked at.
[[nodiscard]] constexpr decision decide_gathered(const selector& s, const facts& x) noexcept {
  decision d;
  d.given = x;
  d.gathered = true;
  d.known_leaf = leaf_of(s.known.nodes, x);
  d.leaf = leaf_of(s.gathered.nodes, x);
  d.sure = s.gathered.leaves[static_cast<std::size_t>(d.leaf)].sure;
  d.choice = least_loss(s, s.gathered, d.leaf, x, true);
  d.lanes = lanes_of(s.schedules[static_cast<std::size_t>(d.choice)], x, true);
  return d;
}

/// µs that a pass over the tiles is expected to save over all uses, after the choice `d` by size.
[[nodiscard]] constexpr double saved_by_looking_us(const selector& s, const decision& d) noexcept {
  const leaf& l = s.known.leaves[static_cast<std::size_t>(d.known_leaf)];
  const double loss = expected_loss(s, s.known, d.known_leaf, d.choice, d.given);
  const double uses = d.given.uses < 1 ? 1.0 : static_cast<double>(d.given.uses);
  return (loss - l.informed) * l.best * yardstick_us(s, d.given) * uses - l.informed_plan_us;
}

/// Chooses by the size, and looks at the tiles when that is expected to save more than it costs:
/// `gather()` then returns their statistics.
template <class Gather>
[[nodiscard]] constexpr decision decide(const selector& s, facts x, const Gather& gather) {
  const decision by_size = decide_known(s, x);
  if (x.seen.atoms == 0 || saved_by_looking_us(s, by_size) <= gathering_us(s, x)) return by_size;
  x.seen = gather();
  return decide_gathered(s, x);
}

/// Whether the data of a selector hang together; generated headers assert it.
[[nodiscard]] constexpr bool well_formed(const selector& s) {
  const std::size_t n = s.schedules.size();
  for (const candidate& c : s.schedules)
    for (const substitute& o : c.instead)
      if (o.name.empty() ? o.from > 0 || o.mean > 0 || o.most > 0 || o.crowded > 0 || o.large > 0
                         : o.most > 0 && o.most <= o.mean)
        return false;
  return s.safe >= 0 && s.safe < static_cast<int>(n) &&
         s.schedules[static_cast<std::size_t>(s.safe)].lanes == 0 && s.launch_us > 0 &&
         s.gb_per_s > 0 && well_formed(s.known, known_features, n) &&
         well_formed(s.gathered, all_features, n);
}

}  // namespace loops::select
