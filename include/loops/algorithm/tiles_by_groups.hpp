// SPDX-License-Identifier: Apache-2.0
/// Whole tiles, a group of lanes each, as many as the compiler knows, and before them pieces of
/// long ones, a wave each: a kernel of little code.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/join_blocks.hpp"
#include "loops/algorithm/lines.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/slice_round.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/bundle.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops::detail {

/// Whether there is a kernel by groups of lanes that are known when it is compiled. Pieces of wide
/// values are left to `reduce_slices`.
template <class Block, class Bound, class Reduction>
inline constexpr bool may_go_by_groups =
    Block::threads > 1 &&
    ((std::is_same_v<typename Bound::measure_type, measure::one_tile> &&
      std::is_same_v<typename Bound::worker_type, worker::group>) ||
     Bound::long_first) &&
    !Bound::order_type::by_arrival && !(Bound::long_first && Reduction::wide);

/// The most lanes of a group that there is a kernel for. Large blocks are for short tiles. Bundles
/// have as many partners as a wave, so their members need no shared memory each.
template <class Block>
inline constexpr int most_known_lanes = members_of < Block >> 1 ? Block::wave
                                        : Block::threads > 256  ? 32
                                                                : Block::threads;

/// Whether this is the kernel for a work: one with a group for every tile. Large works of values
/// that leave few registers are better off with `reduce_slices` where lanes go round often, and
/// those of small values where lanes take them alone: there, more is under way.
template <class Block, class Bound, class Reduction>
[[nodiscard]] bool goes_by_groups(const Bound& b, const Reduction& r) {
  constexpr std::int64_t most_atoms = std::int64_t{1} << 30;  // counted in 32 bits
  constexpr bool small = sizeof(typename Reduction::value_type) <= 4;
  if (b.w.atoms() > most_atoms || b.a.blocks != b.a.visits) return false;
  if (b.a.lanes > most_known_lanes<Block>) return false;
  if constexpr (Bound::long_first) return true;
  if (reads_little(r.map)) return true;
  return small ? b.a.lanes > 1 : b.w.atoms() / 8 < b.w.tiles() * b.a.lanes;
}

/// Does what `reduce_slices` does with one loop, four atoms of a lane under way, and the places of
/// the next four where the map knows them. Of works that are read from memory as fast as the kernel
/// itself, asks for everything at once where there is an instruction for it. Comes while the kernel
/// before it ends, and reads no more than a settled pattern before that one has.
template <class Bound, class Reduction, int Lanes>
struct reduce_by_groups {
  using value_type = typename Reduction::value_type;
  using map_type = decltype(Reduction::map);
  /// Whether the map takes an atom as the work counts it.
  static constexpr bool direct = maps_atoms<map_type> && !renamed_work<typename Bound::work_type>;
  Bound bound;
  Reduction reduction;
  /// The pattern was there before the plan (`tile_plan::settled`).
  bool settled = false;
  bool little = false;  ///< `reads_little`
  pieces_to_join cut{};

  static constexpr bool waits_for_blocks = Bound::long_first;
  static constexpr int wanted_lanes = sizeof(value_type) <= 4   ? 2048
                                      : sizeof(value_type) <= 8 ? 1536
                                                                : 0;

  /// Makes this the kernel of one share of every value.
  LOOPS_HD void take_share(int share, std::int64_t /*copy*/) requires(Reduction::wide) {
    reduction.take_share(share);
  }

  template <class Block>
  struct storage {
    group_storage<Block, value_type> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    if constexpr (knows_its_lines<map_type>) {
      if (little) fetch_lines(block, reduction.map);
    }
    if constexpr (Bound::long_first) {
      if (block.id() >= bound.a.blocks) {
        block.await_previous();
        return join_pieces_as_last<value_type>(block, bound, reduction, cut);
      }
    }
    if (!settled) block.await_previous();
    std::int64_t visit = block.id();
    if constexpr (Bound::long_first) {
      constexpr int waves = Block::threads / Block::wave;
      const std::int64_t first = bound.visits_of_pieces(waves);
      if (visit < first) return take_pieces(block, shared, visit * waves);
      visit -= first;
    }
    const group<Block, Lanes> g(block);
    const std::int64_t t = visit * (Block::threads / Lanes) + g.index();
    bool valid = t < bound.w.tiles();
    atom_range atoms = valid ? atoms_of(bound.w, t) : atom_range{};
    if constexpr (Bound::long_first) {
      if (valid && bound.is_long(atoms)) {
        valid = false;
        atoms = {};
      }
    }
    const value_type sum = sum_of(g, shared, t, atoms);
    if (valid && g.rank() == 0) reduction.emit(tile_id(bound.w, t), sum);
  }

 private:
  /// Every wave takes a piece of a long tile, the first of them `first`.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void take_pieces(Block& block, storage<Block>& shared, std::int64_t first) const {
    const group<Block, Block::wave> g(block);
    const std::int64_t s = first + g.index();
    const bool valid = s < bound.piece_count;
    const piece_of_tile piece = valid ? bound.pieces[s] : piece_of_tile{};
    const value_type sum = sum_of(g, shared, piece.tile, {piece.first, piece.first + piece.atoms});
    if (!valid || g.rank() != 0) return;
    if (piece.whole()) {
      reduction.emit(tile_id(bound.w, piece.tile), sum);
    } else {
      send(block, cut.boxes, s, sum);
    }
  }

  /// What a group has in these atoms of tile t, on its first lane.
  LOOPS_CALLS_USER
  template <class Block, int Width>
  LOOPS_HD value_type sum_of(const group<Block, Width>& g, storage<Block>& shared, std::int64_t t,
                             const atom_range& atoms) const {
    value_type sum = reduction.combine.template identity<value_type>();
    const int last = static_cast<int>(atoms.last);
    int a = static_cast<int>(atoms.first) + g.rank();
    places<Block> at{};
    find_places<Block, Width>(at, a, last);
    if (settled) g.block().await_previous();  // once: a wait for nothing costs many blocks, too
    LOOPS_ROLLED
    for (; a < last; a += 4 * Width)
      sum = reduction.combine(sum, four<Block, Width>(t, a, last, at));
    return g.reduce(sum, reduction.combine, shared.work);
  }

  template <class Block>
  static constexpr bool tested = native::tested_loads_overlap<Block> || !pure_map<map_type>;

  /// Where a lane's next four atoms read, if the map can say so beforehand.
  template <class Map, bool Known>
  struct places_of {};
  template <class Map>
  struct places_of<Map, true> {
    decltype(std::declval<const Map&>().place(std::int64_t{0})) of[4];
  };
  template <class Block>
  using places = places_of<map_type, direct && tested<Block> && knows_places<map_type>>;

  LOOPS_CALLS_USER
  template <class Block, int Width>
  LOOPS_HD void find_places(places<Block>& at, int a, int last) const {
    if constexpr (requires { at.of; }) {
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k)
        if (a + k * Width < last) at.of[k] = reduction.map.place(a + k * Width);
    }
  }

  /// Combines atom a of tile t with up to three more, `Width` apart, below `last`; all are asked
  /// for before the first is waited for, and so are the places of the next four.
  LOOPS_CALLS_USER
  template <class Block, int Width>
  LOOPS_HD value_type four(std::int64_t t, int a, int last, places<Block>& at) const {
    const auto& map = reduction.map;
    const value_type none = reduction.combine.template identity<value_type>();
    const auto has = [&](int k) { return k == 0 || a + k * Width < last; };
    const auto atom = [&](int k) { return tested<Block> || has(k) ? a + k * Width : last - 1; };
    value_type v[4];
    if constexpr (direct && asks_first<map_type>) {
      decltype(map.ask(std::int64_t{0})) asked[4];
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        if (k > 0) asked[k] = asked[0];
        if (!tested<Block> || has(k)) {
          if constexpr (requires { at.of; }) {
            asked[k] = map.ask(atom(k), at.of[k]);
          } else {
            asked[k] = map.ask(atom(k));
          }
        }
      }
      find_places<Block, Width>(at, a + 4 * Width, last);
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        v[k] = none;
        if (!tested<Block> || has(k)) v[k] = map.finish(asked[k]);
      }
    } else {
      LOOPS_UNROLL
      for (int k = 0; k < 4; ++k) {
        v[k] = none;
        if (!tested<Block> || has(k)) v[k] = map_atom(bound.w, map, t, atom(k));
      }
    }
    if constexpr (!tested<Block>) {
      LOOPS_UNROLL
      for (int k = 1; k < 4; ++k) v[k] = native::pick(has(k), native::computed_here(v[k]), none);
    }
    return reduction.combine(reduction.combine(v[0], v[1]), reduction.combine(v[2], v[3]));
  }
};

/// Calls `launch(kernel)` with the kernel for as many lanes, at most `Most`, as take a tile of `b`.
template <int Most, int Lanes = 1, class Bound, class Reduction, class Launch>
void by_groups(const Bound& b, const Reduction& r, bool settled, const pieces_to_join& cut,
               const Launch& launch) {
  if constexpr (Lanes < Most) {
    if (b.a.lanes != Lanes) return by_groups<Most, 2 * Lanes>(b, r, settled, cut, launch);
  }
  launch(reduce_by_groups<Bound, Reduction, Lanes>{b, r, settled, reads_little(r.map), cut});
}

}  // namespace loops::detail
