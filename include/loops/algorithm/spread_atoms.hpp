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
  LOOPS_HD tile_type operator()(const Work& w, Index atom) {
    if constexpr (noted_work<Work>) {
      return static_cast<tile_type>(w.noted_tile(atom));
    } else {
      if (atom >= end_) {
        tile_ = first_where(static_cast<Index>(tile_ + 1), last_,
                            [&](Index t) { return end_of(w, t) > atom; });
        end_ = end_of(w, tile_);
      }
      return tile_;
    }
  }

 private:
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

}  // namespace loops
