// SPDX-License-Identifier: Apache-2.0
/// Measures: what is counted when the path is cut into slices.
#pragma once

#include "loops/work/work.hpp"

#include <cstdint>

/// What is counted when the path is cut into equal slices. A measure gives its total over a work,
/// the place where a count is reached, and the count at which a tile starts.
///
///   splits_tiles    a slice may hold a part of a tile
///   counts_slices   the total is the number of slices
///   dealt           the slices depend on how many workers there are, who take them in turn
///   counts_atoms    a count is a number of atoms: no search is needed for that half of a place
namespace loops::measure {

/// Exactly one tile per slice; a slice is never partial.
struct one_tile {
  static constexpr bool splits_tiles = false;
  static constexpr bool counts_slices = false;
  static constexpr bool dealt = false;
  static constexpr bool counts_atoms = false;
  template <work W>
  static LOOPS_HD constexpr std::int64_t total(const W& w) {
    return w.tiles();
  }
  template <work W>
  static LOOPS_HD constexpr coordinate place(const W& w, std::int64_t count) {
    return {count, w.offset(count)};
  }
  template <work W>
  static LOOPS_HD constexpr std::int64_t start_of(const W&, std::int64_t t) {
    return t;
  }
};

/// Equal numbers of tiles; a slice is never partial.
struct tiles : one_tile {};

/// Equal numbers of atoms.
struct atoms {
  static constexpr bool splits_tiles = true;
  static constexpr bool counts_slices = false;
  static constexpr bool dealt = false;
  static constexpr bool counts_atoms = true;
  template <work W>
  static LOOPS_HD constexpr std::int64_t total(const W& w) {
    return w.atoms();
  }
  template <work W>
  static LOOPS_HD constexpr coordinate place(const W& w, std::int64_t count) {
    return atom_cut(w, count);
  }
  template <work W>
  static LOOPS_HD constexpr std::int64_t start_of(const W& w, std::int64_t t) {
    return w.offset(t);
  }
};

/// Equal numbers of path steps: atoms plus tiles.
struct path {
  static constexpr bool splits_tiles = true;
  static constexpr bool counts_slices = false;
  static constexpr bool dealt = false;
  static constexpr bool counts_atoms = false;
  template <work W>
  static LOOPS_HD constexpr std::int64_t total(const W& w) {
    return w.tiles() + w.atoms();
  }
  template <work W>
  static LOOPS_HD constexpr coordinate place(const W& w, std::int64_t count) {
    return path_cut(w, count);
  }
  template <work W>
  static LOOPS_HD constexpr std::int64_t start_of(const W& w, std::int64_t t) {
    return w.offset(t) + t;
  }
};

/// `per_tile` pieces of every tile, equal up to one atom. Where a tile cannot be cut like that, its
/// first pieces are empty.
struct pieces {
  static constexpr bool splits_tiles = true;
  static constexpr bool counts_slices = true;
  static constexpr bool dealt = false;
  static constexpr bool counts_atoms = false;
  std::int64_t per_tile = 1;

  /// As many of them as are not empty, where all tiles have equally many atoms; at least one.
  template <work W>
  [[nodiscard]] constexpr pieces for_work(const W& w) const {
    if constexpr (equal_tiles<W>) {
      const std::int64_t most = w.width() > 1 ? w.width() : 1;
      return {per_tile < most ? per_tile : most};
    } else {
      return *this;
    }
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t total(const W& w) const {
    return w.tiles() * per_tile;
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate place(const W& w, std::int64_t count) const {
    return place_in(w, count, quotient(count, per_tile));
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate place_in(const W& w, std::int64_t count,
                                                       std::int64_t tile) const {
    const std::int64_t before = count - tile * per_tile;
    const std::int64_t from = w.offset(tile);
    if (before == 0) return {tile, from};
    const std::int64_t all = w.offset(tile + 1) - from;
    const std::int64_t each = quotient(all, per_tile);
    // The last pieces have one more: only so those without an atom are the first ones.
    const std::int64_t shorter = per_tile - (all - each * per_tile);
    return {tile, from + before * each + (before > shorter ? before - shorter : 0)};
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t start_of(const W& w, std::int64_t t) const {
    const std::int64_t empty = per_tile - (w.offset(t + 1) - w.offset(t));
    return t * per_tile + (empty <= 0 ? 0 : empty < per_tile ? empty : per_tile - 1);
  }
};

/// Where run x of `runs` begins that `all` atoms are cut into: all have the same, and the first
/// ones one more where that leaves a rest.
[[nodiscard]] LOOPS_HD constexpr std::int64_t start_of_run(std::int64_t all, std::int64_t runs,
                                                           std::int64_t x) {
  const std::int64_t each = quotient(all, runs);
  const std::int64_t longer = all - each * runs;
  return x * each + (x < longer ? x : longer);
}

/// Tiles of more than `whole` atoms in one piece, or, of more than `alone`, in as few as have no
/// more than `most`, equal up to one atom. Where these are more than `most`, they are twice as
/// large, and so on, for somebody has to put them together. Pieces come first; then every tile, of
/// which those are empty now. How many pieces there are only the offsets say: until a plan has seen
/// them, as many as there may be.
struct long_first {
  static constexpr bool splits_tiles = true;
  static constexpr bool counts_slices = true;
  static constexpr bool dealt = false;
  static constexpr bool counts_atoms = false;
  /// Atoms of a piece at most, which are counted in 32 bits.
  static constexpr std::int64_t counted = std::int64_t{0x7fffffff};
  std::int64_t whole = 0;  ///< 0: eight atoms for every lane of a group
  /// 0: for every lane of a wave four in works of less than an atom for every lane of the machine,
  /// sixteen in those of sixteen and more, else eight.
  std::int64_t most = 0;
  std::int64_t alone = 0;  ///< 0: twice `most`, if that can be counted

  /// The same for a work of so many atoms, groups of `lanes` lanes and waves of `wave`, on a
  /// machine of `all_lanes`.
  [[nodiscard]] constexpr long_first for_work(std::int64_t atoms, int lanes, int wave,
                                              std::int64_t all_lanes) const {
    const std::int64_t each = atoms < all_lanes ? 4 : atoms / 16 < all_lanes ? 8 : 16;
    const std::int64_t piece = most > 0 ? most : each * wave;
    const std::int64_t twice = piece <= counted / 2 ? 2 * piece : counted;
    return {whole > 0 ? whole : std::int64_t{8} * lanes, piece, alone > 0 ? alone : twice};
  }
  /// Into how many pieces a tile of so many atoms is cut; 0: it stays whole, and in its place.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t pieces_of(std::int64_t atoms) const {
    if (atoms <= whole) return 0;
    if (atoms <= alone) return 1;
    std::int64_t size = most;
    while (quotient(atoms - 1, size) >= size) size *= 2;
    return quotient(atoms - 1, size) + 1;
  }
  /// Piece `i` of a tile in `pieces` of them.
  [[nodiscard]] static LOOPS_HD constexpr atom_range piece(const atom_range& tile, std::int64_t i,
                                                           std::int64_t pieces) {
    return {tile.first + start_of_run(tile.size(), pieces, i),
            tile.first + start_of_run(tile.size(), pieces, i + 1)};
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t total(const W& w) const {
    const std::int64_t longer = whole < w.atoms() ? quotient(w.atoms(), whole + 1) : 0;
    return w.tiles() + longer + quotient(w.atoms(), most);
  }
};

/// The first tiles together are cut into as many equal runs of atoms as there are workers, the
/// others are a slice each: worker x takes run x, then tiles in turn. `waves` says how many
/// tiles are shared.
struct shares_then_tiles {
  static constexpr bool splits_tiles = true;
  static constexpr bool counts_slices = true;
  static constexpr bool dealt = true;
  static constexpr bool counts_atoms = false;
  /// All tiles are shared.
  static constexpr int everything = -1;

  /// 0: no tile is shared. n > 0: what is left over when every worker takes whole tiles, and n - 1
  /// tiles per worker more; nothing when nothing is left over.
  int waves = everything;
  std::int64_t shared = 0;  ///< tiles that are shared
  std::int64_t shares = 0;  ///< runs they are cut into

  /// How many of `tiles` tiles `workers` workers share.
  [[nodiscard]] constexpr std::int64_t tiles_shared(std::int64_t tiles,
                                                    std::int64_t workers) const {
    if (waves == everything) return tiles;
    const std::int64_t left_over = tiles % workers;
    if (waves == 0 || left_over == 0) return 0;
    if (waves - 1 >= ceil_div(tiles, workers)) return tiles;
    return (waves - 1) * workers + left_over;
  }
  /// This rule for `workers` workers, for whom a run of less than `least` atoms is not worth while.
  template <work W>
  [[nodiscard]] constexpr shares_then_tiles dealt_to(const W& w, std::int64_t workers,
                                                     std::int64_t least) const {
    shares_then_tiles r = *this;
    r.shared = tiles_shared(w.tiles(), workers);
    if (r.shared == 0) return r;
    std::int64_t atoms = w.atoms();
    if (r.shared < w.tiles()) {
      // Offsets may be out of the host's reach: then the tiles count as equally long.
      if constexpr (closed_form_work<W>) {
        atoms = w.offset(r.shared);
      } else {
        atoms = atoms / w.tiles() * r.shared;
      }
    }
    const std::int64_t worth = atoms / (least > 1 ? least : 1);
    r.shares = worth < 1 ? 1 : worth < workers ? worth : workers;
    if constexpr (equal_tiles<W>) {
      // Runs no shorter than the whole tiles that a worker would have got gain nothing.
      if (ceil_div(atoms, r.shares) >= ceil_div(r.shared, workers) * w.width())
        r.shared = r.shares = 0;
    }
    return r;
  }

  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t total(const W& w) const {
    return shares + (w.tiles() - shared);
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate place(const W& w, std::int64_t count) const {
    if (count >= shares) return place_in(w, count, shared + (count - shares));
    const std::int64_t all = shared_atoms(w);
    const std::int64_t atom = run_start(all, count);
    return {atom < all ? tile_of(w, atom) : shared, atom};
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate place_in(const W& w, std::int64_t count,
                                                       std::int64_t tile) const {
    if (count >= shares) return {tile, w.offset(tile)};
    if (count == 0) return {};
    return {tile, run_start(shared_atoms(w), count)};
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t start_of(const W& w, std::int64_t t) const {
    if (t >= shared) return shares + (t - shared);
    const std::int64_t all = shared_atoms(w);
    const std::int64_t atom = w.offset(t);
    const std::int64_t each = quotient(all, shares);
    const std::int64_t longer = all - each * shares;
    const std::int64_t in_longer = longer * (each + 1);
    const std::int64_t run = atom < in_longer ? quotient(atom, each + 1)
                             : each > 0       ? longer + quotient(atom - in_longer, each)
                                              : shares - 1;
    return run < shares ? run : shares - 1;
  }

 private:
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t shared_atoms(const W& w) const {
    return shared < w.tiles() ? w.offset(shared) : w.atoms();
  }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t run_start(std::int64_t all, std::int64_t x) const {
    return start_of_run(all, shares, x);
  }
};

}  // namespace loops::measure
