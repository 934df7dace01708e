// SPDX-License-Identifier: Apache-2.0
/// How the lanes of a group share the atoms of a slice of many tiles.
#pragma once

#include "loops/collective/group.hpp"
#include "loops/core/path.hpp"
#include "loops/work/work.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops {

namespace detail {

/// Tiles are told as they were noted, which may be in fewer bits; or counted in `Index`. Signed: a
/// negative number is none of them.
template <class Work, class Index>
struct tile_number {
  using type = Index;
};
template <noted_work Work, class Index>
struct tile_number<Work, Index> {
  using noted = std::remove_cvref_t<decltype(std::declval<const Work&>().noted_tile(0))>;
  using type = std::conditional_t<std::is_signed_v<noted>, noted, std::int64_t>;
};

}  // namespace detail

/// Finds the tiles of a slice's atoms for who asks in ascending order. Cost: a search where the
/// tile changes; one read per atom where the work has noted its tile. `Index` counts the tiles and
/// atoms of the slice: a narrow one is quicker, where it is wide enough.
template <work Work, class Index = std::int64_t>
class tile_finder {
 public:
  using tile_type = typename detail::tile_number<Work, Index>::type;
  /// For atoms of the tiles `first` … `last`.
  LOOPS_HD tile_finder(const Work& w, Index first, Index last)
      : tile_(first),
        last_(last < static_cast<Index>(w.tiles()) ? last : static_cast<Index>(w.tiles()) - 1) {
    if constexpr (!noted_work<Work>) end_ = first <= last_ ? end_of(w, first) : 0;
  }
  LOOPS_HD tile_type operator()(const Work& w, Index atom) { return find<false>(w, atom); }
  /// The same where that tile is expected to be one of the next.
  LOOPS_HD tile_type near(const Work& w, Index atom) { return find<true>(w, atom); }

 private:
  template <bool Near>
  LOOPS_HD tile_type find(const Work& w, Index atom) {
    if constexpr (noted_work<Work>) {
      return static_cast<tile_type>(w.noted_tile(atom));
    } else {
      if (atom >= end_) {
        const auto ends_later = [&](Index t) { return end_of(w, t) > atom; };
        const auto next = static_cast<Index>(tile_ + 1);
        tile_ =
            Near ? first_where_near(next, last_, ends_later) : first_where(next, last_, ends_later);
        end_ = end_of(w, tile_);
      }
      return tile_;
    }
  }
  static LOOPS_HD Index end_of(const Work& w, Index t) {
    return static_cast<Index>(w.offset(t + 1));
  }
  Index tile_;
  Index last_;
  Index end_ = 0;
};

/// Calls `f(tile, atom)`, by the names the work gives them, for every atom of a slice of `w`; lanes
/// stride over the atoms, so that neighbours have neighbouring ones. No lane waits for another.
LOOPS_CALLS_USER
template <class Index = std::int64_t, class Group, class Work, class F>
LOOPS_HD void spread_atoms(const Group& g, const Work& w, const slice& range, const F& f) {
  const auto end = static_cast<Index>(range.end.atom);
  tile_finder<Work, Index> find(w, static_cast<Index>(range.begin.tile),
                                static_cast<Index>(range.end.tile));
  for (Index a = static_cast<Index>(range.begin.atom) + g.rank(); a < end; a += g.size()) {
    const auto tile = find(w, a);
    f(tile_id(w, tile), atom_id(w, tile, a));
  }
}

/// A functor that says what it reads of a tile and of an atom, so that reads of several atoms can
/// be under way before it is called with what was found: `f(block, of_tile, of_atom)`.
template <class F>
concept reads_first = requires(const F& f, std::int64_t i) {
  f.of_tile(i);
  f.of_atom(i);
};

/// Calls a functor that reads first for atoms of one tile; lanes stride over them, and have asked
/// for what is read of four before the first call.
LOOPS_CALLS_USER
template <class Group, class Work, reads_first F>
LOOPS_HD void spread_atoms_of_tile(const Group& g, const Work& w, std::int64_t tile,
                                   atom_range range, const F& f) {
  constexpr int ahead = 4;
  std::int64_t base = range.first + g.rank();
  if (base >= range.last) return;
  const auto of_tile = f.of_tile(tile_id(w, tile));
  for (; base < range.last; base += std::int64_t{ahead} * g.size()) {
    std::remove_cvref_t<decltype(f.of_atom(0))> atoms[ahead];
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      const std::int64_t a = base + std::int64_t{i} * g.size();
      atoms[i] = f.of_atom(atom_id(w, tile, a < range.last ? a : range.last - 1));
    }
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i)
      if (base + std::int64_t{i} * g.size() < range.last) f(g.block(), of_tile, atoms[i]);
  }
}

/// As above, for functors that read first. Every wave strides over atoms of its own, `ahead` turns
/// at a time: what is read of those atoms is asked for before anything else, then their tiles are
/// found, then what is read of these is. Lanes beyond the end read the last atom once more.
LOOPS_CALLS_USER
template <class Group, class Work, reads_first F>
LOOPS_HD void spread_atoms_ahead(const Group& g, const Work& w, const slice& range, const F& f) {
  using block_type = std::remove_reference_t<decltype(g.block())>;
  using finder = tile_finder<Work>;
  constexpr int ahead = 4;
  const int lanes = g.within_wave() ? g.size() : block_type::wave;
  std::int64_t base = range.begin.atom + (g.rank() & (lanes - 1));
  std::int64_t end = range.end.atom;
  if (!g.within_wave()) {
    const std::int64_t share = ceil_div(end - range.begin.atom, g.size()) * lanes;
    base += g.rank() / lanes * share;
    const std::int64_t share_end = range.begin.atom + (g.rank() / lanes + 1) * share;
    if (share_end < end) end = share_end;
  }
  if (base >= end) return;
  finder find(w, range.begin.tile, range.end.tile);
  find(w, base);
  for (; base < end; base += std::int64_t{ahead} * lanes) {
    const auto at = [&](int i) {
      const std::int64_t a = base + std::int64_t{i} * lanes;
      return a < end ? a : end - 1;
    };
    std::remove_cvref_t<decltype(f.of_atom(0))> atoms[ahead];
    std::remove_cvref_t<decltype(f.of_tile(0))> tiles[ahead];
    typename finder::tile_type found[ahead];
    if constexpr (!renamed_work<Work>) {
      LOOPS_UNROLL
      for (int i = 0; i < ahead; ++i) atoms[i] = f.of_atom(at(i));
    }
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) found[i] = find.near(w, at(i));
    if constexpr (renamed_work<Work>) {
      LOOPS_UNROLL
      for (int i = 0; i < ahead; ++i) atoms[i] = f.of_atom(atom_id(w, found[i], at(i)));
    }
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) tiles[i] = f.of_tile(tile_id(w, found[i]));
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i)
      if (base + std::int64_t{i} * lanes < end) f(g.block(), tiles[i], atoms[i]);
  }
}

}  // namespace loops
