// SPDX-License-Identifier: Apache-2.0
/// What a work is: tiles that own consecutive atoms. Everything else about balance follows.
#pragma once

#include "loops/core/path.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace loops {

/// `offset` is non-decreasing, `offset(0) == 0`, `offset(tiles()) == atoms()`; tile t owns the
/// atoms [offset(t), offset(t + 1)). A work is a few words passed by value; it owns nothing.
template <class W>
concept work = std::is_trivially_copyable_v<W> && requires(const W& w, std::int64_t t) {
  { w.tiles() } -> std::convertible_to<std::int64_t>;
  { w.atoms() } -> std::convertible_to<std::int64_t>;
  { w.offset(t) } -> std::convertible_to<std::int64_t>;
};

/// A work that knows the tile of an atom, and the place of a diagonal, without a search.
template <class W>
concept closed_form_work = work<W> && requires(const W& w, std::int64_t i) {
  { w.tile_of(i) } -> std::convertible_to<std::int64_t>;
  { w.cut(i) } -> std::convertible_to<coordinate>;
};

/// A work that has the tile of every atom written down: one read, no search.
template <class W>
concept noted_work = work<W> && requires(const W& w, std::int64_t i) {
  { w.noted_tile(i) } -> std::convertible_to<std::int64_t>;
};

/// A work whose tiles all have `width()` atoms.
template <class W>
concept equal_tiles = closed_form_work<W> && requires(const W& w) {
  { w.width() } -> std::convertible_to<std::int64_t>;
};

/// A work whose tiles and atoms stand for others: the functor is told `tile_id(t)` and
/// `atom_id(t, a)` in place of t and a.
template <class W>
concept renamed_work = work<W> && requires(const W& w, std::int64_t i) {
  { w.tile_id(i) } -> std::convertible_to<std::int64_t>;
  { w.atom_id(i, i) } -> std::convertible_to<std::int64_t>;
};

/// The atoms of tile t.
template <work W>
LOOPS_HD constexpr atom_range atoms_of(const W& w, std::int64_t t) {
  return {w.offset(t), w.offset(t + 1)};
}

/// What the functor is told for tile t.
template <work W>
LOOPS_HD constexpr std::int64_t tile_id(const W& w, std::int64_t t) {
  if constexpr (renamed_work<W>) return w.tile_id(t);
  return t;
}

/// What the functor is told for atom a of tile t.
template <work W>
LOOPS_HD constexpr std::int64_t atom_id(const W& w, [[maybe_unused]] std::int64_t t,
                                        std::int64_t a) {
  if constexpr (renamed_work<W>) return w.atom_id(t, a);
  return a;
}

/// All tiles that the functor may be told of are below this: as many as there are, or, where they
/// stand for others, as many as there are of those, which the work has to say. 0 when there are
/// none.
template <work W>
LOOPS_HD constexpr std::int64_t tile_ids(const W& w) {
  constexpr bool says = requires {
    w.tile_ids();
  };
  static_assert(says || !renamed_work<W>,
                "the tiles of this work stand for others: it has to say how many there are of "
                "those, by tile_ids()");
  if constexpr (says) return w.tiles() > 0 ? w.tile_ids() : 0;
  return w.tiles();
}

/// The same of atoms.
template <work W>
LOOPS_HD constexpr std::int64_t atom_ids(const W& w) {
  constexpr bool says = requires {
    w.atom_ids();
  };
  static_assert(says || !renamed_work<W>,
                "the atoms of this work stand for others: it has to say how many there are of "
                "those, by atom_ids()");
  if constexpr (says) return w.atoms() > 0 ? w.atom_ids() : 0;
  return w.atoms();
}

/// The first index in [low, high) for which `reached` holds; it must hold from there on.
template <class Index, class Reached>
LOOPS_HD constexpr Index first_where(Index low, Index high, const Reached& reached) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// The same for who expects it near `low`: twice the logarithm of how far it is.
template <class Index, class Reached>
LOOPS_HD constexpr Index first_where_near(Index low, Index high, const Reached& reached) {
  Index far = low;
  for (Index step = 1; far < high && !reached(far); step *= 2) {
    low = far + 1;
    far = high - low > step ? low + step : high;
  }
  return first_where(low, far, reached);
}

/// The tile that owns atom a. Cost: a division, one read, or log2(tiles) reads of offsets.
template <work W>
LOOPS_HD constexpr std::int64_t tile_of(const W& w, std::int64_t a) {
  if constexpr (closed_form_work<W>) return w.tile_of(a);
  if constexpr (noted_work<W>) return static_cast<std::int64_t>(w.noted_tile(a));
  return first_where<std::int64_t>(0, w.tiles(),
                                   [&](std::int64_t t) { return w.offset(t + 1) > a; });
}

/// The place `diagonal` steps along the path, known to lie in tiles [low, high].
/// The end marker of tile t is step offset(t + 1) + t of the path, which increases with t.
template <work W>
LOOPS_HD constexpr coordinate path_cut(const W& w, std::int64_t diagonal, std::int64_t low,
                                       std::int64_t high) {
  const std::int64_t t =
      first_where(low, high, [&](std::int64_t i) { return w.offset(i + 1) + i >= diagonal; });
  return {t, diagonal - t};
}

/// The place `diagonal` steps along the path (Green, McColl and Bader's merge path).
template <work W>
LOOPS_HD constexpr coordinate path_cut(const W& w, std::int64_t diagonal) {
  if constexpr (closed_form_work<W>) return w.cut(diagonal);
  const std::int64_t spare = diagonal - w.atoms();
  return path_cut(w, diagonal, spare > 0 ? spare : 0, diagonal < w.tiles() ? diagonal : w.tiles());
}

/// The place before atom a: every tile that ends at or before it is closed.
template <work W>
LOOPS_HD constexpr coordinate atom_cut(const W& w, std::int64_t a) {
  if (a <= 0) return {};
  if (a >= w.atoms()) return {w.tiles(), w.atoms()};
  return {tile_of(w, a), a};
}

}  // namespace loops
