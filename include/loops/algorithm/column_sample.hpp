// SPDX-License-Identifier: Apache-2.0
/// Which atoms are looked at to learn whether columns are strewn, and what that means.
#pragma once

#include "loops/algorithm/offsets.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops {

/// Of works whose atoms read nothing but their own place. Other works have a function from an atom
/// to the number of the element that it reads, such as the column of a nonzero.
struct no_columns {};

/// Element a of an array is the column of atom a. There are `count` columns; 0: nobody said.
template <class Index>
struct columns_in {
  const Index* columns;
  std::int64_t count = 0;
  LOOPS_HD std::int64_t operator()(std::int64_t atom) const {
    return static_cast<std::int64_t>(columns[atom]);
  }
};
template <class Index>
columns_in(const Index*, std::int64_t = 0) -> columns_in<Index>;

/// The sample: so many tiles, spread evenly, and so many atoms of each, the first, and its last.
inline constexpr std::int64_t tiles_sampled = 2048;
inline constexpr std::int64_t atoms_sampled = 32;
/// Columns are near each other when they lie in the same eight: what memory hands out at once, for
/// values of four bytes.
inline constexpr std::int64_t columns_together = 8;

[[nodiscard]] LOOPS_HD constexpr std::int64_t sample_size(std::int64_t tiles) {
  return tiles < tiles_sampled ? tiles : tiles_sampled;
}

/// Tile number `i` of the sample. Each lies elsewhere in its stretch of tiles: a pattern that
/// repeats every so many tiles must not decide what is seen. Requires: less than 2^36 tiles.
[[nodiscard]] LOOPS_HD constexpr std::int64_t sampled_tile(std::int64_t i, std::int64_t tiles) {
  if (tiles <= tiles_sampled) return i;
  constexpr int bits = 16;
  const std::int64_t within = i * 40503 & ((std::int64_t{1} << bits) - 1);
  return ((i << bits) + within) * tiles / tiles_sampled >> bits;
}

/// Whether atom number `i` of a tile is strewn: its column is near neither that of the atom before
/// it nor that of atom number `i` of the tile before. Lanes that take tiles alone, side by side,
/// have just read those.
template <class Columns>
[[nodiscard]] LOOPS_HD bool is_strewn(const Columns& column, atom_range before, atom_range atoms,
                                      std::int64_t i) {
  const std::int64_t mine = column(atoms.first + i) / columns_together;
  if (i > 0 && column(atoms.first + i - 1) / columns_together == mine) return false;
  return i >= before.size() || column(before.first + i) / columns_together != mine;
}

/// Over how many columns a tile lies, if they are in order: from its first to its last. Requires:
/// it has atoms.
template <class Columns>
[[nodiscard]] LOOPS_HD std::int64_t span_of(const Columns& column, atom_range atoms) {
  const std::int64_t way = column(atoms.last - 1) - column(atoms.first);
  return (way < 0 ? -way : way) + 1;
}

/// Calls `f(strewn, span)` for every step-th sampled atom of tile `t` from number `from` on, with
/// the span of the tile. Of offsets that are none of a work's reads no column.
template <class Work, class Columns, class F>
LOOPS_HD void sample_columns(const Work& w, const Columns& column, std::int64_t t,
                             std::int64_t from, std::int64_t step, const F& f) {
  const atom_range atoms = atoms_of(w, t);
  const atom_range before = t > 0 ? atoms_of(w, t - 1) : atom_range{};
  if (!detail::has_atoms(w, atoms) || !detail::has_atoms(w, before)) return;
  const std::int64_t most = atoms.size() < atoms_sampled ? atoms.size() : atoms_sampled;
  const std::int64_t span = most > 0 ? span_of(column, atoms) : 0;
  for (std::int64_t i = from; i < most; i += step) f(is_strewn(column, before, atoms, i), span);
}

}  // namespace loops
