// SPDX-License-Identifier: Apache-2.0
/// A schedule bound to a work, as a kernel sees it: numbers, plus what a plan left on the device.
#pragma once

#include "loops/collective/bundle.hpp"
#include "loops/collective/group.hpp"
#include "loops/schedule/schedule.hpp"

#include <cstdint>

namespace loops {

/// Tickets of a dynamic order: the next visit, and how many blocks are through. The last block
/// out sets both back, so the next launch finds them ready.
struct ticket_counter {
  std::int64_t next = 0;
  std::int64_t finished = 0;
};

/// Bins of a work on the device: its tiles sorted by bin, where each bin's tiles and block visits
/// begin, and the lanes that take a tile.
struct bin_table {
  std::int64_t first[worker::by_bin::bins + 1];
  std::int64_t visit[worker::by_bin::bins + 1];
  int lanes[worker::by_bin::bins];
};

/// A piece of a long tile, as a plan lists them.
struct piece_of_tile {
  std::int64_t tile;
  std::int64_t first;  ///< atom
  std::int32_t atoms;
  std::int32_t place;  ///< of all pieces of the tile, from 0 on, or `~place` of the last

  [[nodiscard]] LOOPS_HD constexpr bool last() const { return place < 0; }
  /// Whether the tile has no other.
  [[nodiscard]] LOOPS_HD constexpr bool whole() const { return place == ~0; }
};

/// A tile in several pieces, [first, last) of the list.
struct cut_tile {
  std::int64_t tile;
  std::int64_t first;
  std::int64_t last;
};

/// What kernels take to iterate a schedule. Passed by value.
template <work Work, class Assignment>
struct bound {
  using work_type = Work;
  using measure_type = typename Assignment::measure_type;
  using worker_type = typename Assignment::worker_type;
  using order_type = typename Assignment::order_type;
  static constexpr bool binned = std::is_same_v<worker_type, worker::by_bin>;
  static constexpr bool long_first = std::is_same_v<measure_type, measure::long_first>;

  Work w;
  Assignment a;
  /// Where slices begin, slices + 1 places, where a slice may hold a part of a tile; works in
  /// closed form do without, and `run` without those of whole tiles after shares.
  const coordinate* cuts = nullptr;
  ticket_counter* tickets = nullptr;  ///< dynamic orders
  const bin_table* bins = nullptr;    ///< binned workers
  const std::int64_t* binned_tiles = nullptr;
  const piece_of_tile* pieces = nullptr;  ///< long tiles first: the first slices
  std::int64_t piece_count = 0;
  int storage_share = -1;  ///< as in `gpu::launch_config`: for launches, not for kernels

  /// Whether a tile is taken in pieces, before all others.
  [[nodiscard]] LOOPS_HD constexpr bool is_long(const atom_range& tile) const requires(long_first) {
    return tile.size() > a.what.whole;
  }

  /// The number of slices, from the first, for whose parts of tiles there is room; the others are
  /// whole tiles.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t slices_with_parts() const {
    if constexpr (long_first) return piece_count;
    return a.slices;
  }

  /// Visits of blocks with so many waves that take pieces: the first ones.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t visits_of_pieces(std::int64_t waves) const {
    return ceil_div(piece_count, waves);
  }

  /// The same schedule without the visits of tiles that are not long.
  [[nodiscard]] LOOPS_HD constexpr bound only_pieces(std::int64_t waves) const
      requires(long_first) {
    bound b = *this;
    b.a.visits = visits_of_pieces(waves);
    return b;
  }

  /// Slice s, 0 <= s < slices.
  [[nodiscard]] LOOPS_HD constexpr slice at(std::int64_t s) const {
    if constexpr (!measure_type::splits_tiles) {
      return a.at(w, s);
    } else if constexpr (long_first) {
      if (s < piece_count) {
        const piece_of_tile p = pieces[s];
        return {{p.tile, p.first}, {p.last() ? p.tile + 1 : p.tile, p.first + p.atoms}};
      }
      const std::int64_t t = s - piece_count;
      const atom_range atoms = atoms_of(w, t);
      if (is_long(atoms)) return {{t, atoms.first}, {t, atoms.first}};
      return {{t, atoms.first}, {t + 1, atoms.last}};
    } else {
      if constexpr (closed_form_work<Work>) {
        if (!cuts) return a.at(w, s);
      }
      // Both reads before either is used: they are the first of a chain that everything waits on.
      const coordinate first = cuts[s];
      const coordinate last = cuts[s + 1];
      return {first, last};
    }
  }
  /// The same for reductions, which go by the notes when they emit, and read atoms before: where
  /// these are counted, they do not wait for the notes, and come to all that the work claims.
  [[nodiscard]] LOOPS_HD constexpr slice claimed(std::int64_t s) const {
    const slice range = at(s);
    if constexpr (measure_type::counts_atoms)
      return {a.noted(w, s, range.begin), a.noted(w, s + 1, range.end)};
    return range;
  }
  /// The same for who visits atoms: nobody waits for the notes where the work says by itself which
  /// tile an atom belongs to.
  [[nodiscard]] LOOPS_HD constexpr slice at_once(std::int64_t s) const {
    if constexpr (noted_work<Work> || closed_form_work<Work>) {
      return claimed(s);
    } else {
      return at(s);
    }
  }
};

namespace detail {

/// For kernels that do not know shares: the members of a bundle would all do the same.
template <class Plan>
constexpr void require_lanes_alone() {
  using block = typename Plan::executor_type::template block<typename Plan::shape_type>;
  static_assert(members_of<block> == 1,
                "the lanes of this plan are bundles, which serve reduce_wide and reduce_shares: "
                "make another plan, on the executor that is bundled");
}

}  // namespace detail

/// Shared memory for iterating a schedule.
struct visit_storage {
  std::int64_t ticket;
};

/// One slice as a kernel meets it. Lanes of a group without a slice still take part in collectives.
struct visited {
  std::int64_t number = 0;  ///< which slice
  bool valid = false;       ///< false where the group has no slice in this visit
  int lanes = 1;            ///< lanes of the group that takes it
  std::int64_t tile = 0;    ///< for one-tile slices: the tile
};

/// Calls `f(visited)` for every slice this lane's group takes, whatever the order; all lanes of a
/// block make the same number of calls. This is how a kernel of one's own uses a schedule. Sync: a
/// barrier of the block between two visits.
LOOPS_CALLS_USER
template <class Block, class Bound, class F>
LOOPS_HD void for_each_visit(Block& block, visit_storage& shared, const Bound& b, const F& f) {
  std::int64_t visits = b.a.visits;
  if constexpr (Bound::binned) visits = b.bins->visit[worker::by_bin::bins];
  const auto take = [&](std::int64_t visit) {
    if constexpr (Bound::binned) {
      // The longest tiles first, so that no block is left with one at the end.
      visit = visits - 1 - visit;
      int bin = 0;
      while (visit >= b.bins->visit[bin + 1]) ++bin;
      const int lanes = b.bins->lanes[bin];
      const std::int64_t per_visit = Block::threads / lanes * Block::batch;
      for (int i = 0; i < Block::batch; ++i) {
        const std::int64_t at = b.bins->first[bin] + (visit - b.bins->visit[bin]) * per_visit +
                                block.lane() / lanes * Block::batch + i;
        const bool valid = at < b.bins->first[bin + 1];
        f(visited{at, valid, lanes, valid ? b.binned_tiles[at] : 0});
      }
    } else {
      if constexpr (Bound::long_first) {
        constexpr int waves = Block::threads / Block::wave;
        const std::int64_t first = b.visits_of_pieces(waves);
        if (visit < first) {
          const std::int64_t s = visit * waves + block.lane() / Block::wave;
          f(visited{s, s < b.piece_count, Block::wave, 0});
        } else {
          const std::int64_t t = (visit - first) * b.a.groups + block.lane() / b.a.lanes;
          const bool valid = t < b.w.tiles() && !b.is_long(atoms_of(b.w, t));
          f(visited{b.piece_count + t, valid, b.a.lanes, valid ? t : 0});
        }
      } else if constexpr (std::is_same_v<typename Bound::worker_type, worker::block>) {
        f(visited{visit, true, Block::threads, visit});
      } else {
        const std::int64_t first = (visit * b.a.groups + block.lane() / b.a.lanes) * b.a.batch;
        for (int i = 0; i < b.a.batch; ++i) {
          const std::int64_t s = first + i;
          const bool valid = s < b.a.slices;
          f(visited{s, valid, b.a.lanes, valid ? s : 0});
        }
      }
    }
  };
  if constexpr (Bound::order_type::by_arrival) {
    const bool draws = block.lane() == 0 && member_of(block) == 0;
    for (;;) {
      if (draws) shared.ticket = block.atomic_add(&b.tickets->next, std::int64_t{1});
      block.sync();
      const std::int64_t visit = shared.ticket;
      block.sync();
      if (visit >= visits) break;
      take(visit);
    }
    if (draws && block.atomic_add(&b.tickets->finished, std::int64_t{1}) == block.blocks() - 1) {
      // Everybody has drawn the last ticket: nobody looks at the counters any more.
      block.store_relaxed(&b.tickets->next, std::int64_t{0});
      block.store_relaxed(&b.tickets->finished, std::int64_t{0});
    }
  } else {
    for (std::int64_t visit = block.id(); visit < visits; visit += block.blocks()) {
      if (visit != block.id()) block.sync();  // the visit before is through with shared memory
      take(visit);
    }
  }
}

}  // namespace loops
