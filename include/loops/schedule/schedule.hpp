// SPDX-License-Identifier: Apache-2.0
/// What a schedule is: a measure that cuts the path, a worker that takes a cut, an order of cuts.
#pragma once

#include "loops/core/machine.hpp"
#include "loops/schedule/measure.hpp"
#include "loops/work/work.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace loops {

/// Who takes a slice.
namespace worker {

/// One lane.
struct lane {
  static LOOPS_HD constexpr int lanes(const machine&) { return 1; }
};

/// All lanes of a block.
struct block {
  static LOOPS_HD constexpr int lanes(const machine& m) { return m.threads; }
};

/// `size` neighbouring lanes, a power of two; a smaller block lowers it.
struct group {
  static constexpr int whole_wave = 0;
  int size = whole_wave;
  [[nodiscard]] LOOPS_HD constexpr int lanes(const machine& m) const {
    const int wanted = size == whole_wave ? m.wave : size;
    return wanted < m.threads ? wanted : m.threads;
  }
};

/// A group sized by the tile: `size[b]` lanes for tiles of b bits, that is of 2^(b-1) … 2^b - 1
/// atoms (bin 0: empty tiles). Tiles are taken bin by bin, from the bin of the longest on, and
/// whole: the measure is `one_tile`.
struct by_bin {
  static constexpr int bins = 64;
  short size[bins] = {};
  [[nodiscard]] LOOPS_HD constexpr int lanes(const machine&) const { return 1; }
  [[nodiscard]] LOOPS_HD constexpr int lanes(int bin, const machine& m) const {
    return size[bin] < m.threads ? size[bin] : m.threads;
  }
  /// The bin of a tile of `atoms` atoms: the number of bits of its size. A negative one, of offsets
  /// that decrease, counts as none.
  static LOOPS_HD constexpr int bin_of(std::int64_t atoms) {
    if (atoms <= 0) return 0;
    int bits = 0;
    for (int step = 32; step > 0; step /= 2)
      if (atoms >> step) {
        bits += step;
        atoms >>= step;
      }
    return bits + 1;
  }
};

/// `size` neighbouring lanes for a whole tile, and a wave for a piece of a long one: the measure is
/// `long_first`. A smaller block lowers both.
struct by_length {
  static constexpr int by_mean = 0;
  int size = by_mean;
  [[nodiscard]] LOOPS_HD constexpr int lanes(const machine& m) const {
    return group{size == by_mean ? 1 : size}.lanes(m);
  }
  /// For tiles of so many atoms in the mean. By it, a lane gets three atoms or more, and there are
  /// two lanes and one for every twelve atoms, to the nearest power of two: few for most tiles,
  /// which are shorter than the mean where some are long.
  [[nodiscard]] constexpr by_length for_mean(std::int64_t atoms, std::int64_t tiles,
                                             const machine& m) const {
    if (size != by_mean) return *this;
    const double mean = static_cast<double>(atoms) / static_cast<double>(tiles < 1 ? 1 : tiles);
    return {nearest_power(mean / 3 < 2 + mean / 12 ? mean / 3 : 2 + mean / 12, m.wave)};
  }
};

}  // namespace worker

/// Which slice goes to whom.
namespace order {

/// Neighbouring workers take neighbouring slices; a grid that is too small goes round again.
struct in_order {
  static constexpr bool by_arrival = false;
  static constexpr bool backwards = false;
};

/// As `in_order`, but whoever goes through a slice tile by tile (`run`) goes from its last tile to
/// its first. So the part of a tile that a later worker needs is the first thing to be finished,
/// and who waits, waits for lower workers that were early.
struct last_first {
  static constexpr bool by_arrival = false;
  static constexpr bool backwards = true;
};

/// Whoever is free takes the next slice: an atomic ticket per block visit.
struct arrival {
  static constexpr bool by_arrival = true;
  static constexpr bool backwards = false;
};

}  // namespace order

/// How much of its measure a slice covers: a number, or one of the rules below.
namespace grain {
inline constexpr std::int64_t worker_capacity = 0;  ///< lanes x items, or less for small works
inline constexpr std::int64_t worker_lanes = -1;    ///< lanes of the worker
inline constexpr std::int64_t even_share = -2;      ///< the total over all resident workers
/// A power of two of steps for every lane, so that no turn of a worker is half empty: as many as
/// leave several slices to every resident worker, and no more than its capacity.
inline constexpr std::int64_t whole_turns = -3;
}  // namespace grain

/// A schedule bound to a work and a machine: pure numbers, the same on the host and in kernels.
/// Workers are numbered block by block. A block visits its slices `groups * batch` at a time:
/// visit v covers slices [v * groups * batch, (v + 1) * groups * batch).
template <class Measure, class Worker, class Order>
struct assignment {
  using measure_type = Measure;
  using worker_type = Worker;
  using order_type = Order;

  Worker who{};
  Measure what{};
  std::int64_t step = 1;    ///< measure per slice
  std::int64_t slices = 0;  ///< number of slices; for binned workers the number of tiles
  std::int64_t visits =
      0;  ///< block visits needed; for binned workers as many as are usual at most
  std::int64_t blocks = 0;  ///< blocks to launch
  int lanes = 1;            ///< lanes per worker (binned workers: not used)
  int groups = 1;           ///< workers per block
  int batch = 1;            ///< consecutive slices per worker and visit; a block takes one

  [[nodiscard]] LOOPS_HD constexpr std::int64_t workers() const { return blocks * groups; }

  /// The place where slice s begins; s == slices is the end of the path.
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate cut(const W& w, std::int64_t s) const {
    if (s >= slices) return {w.tiles(), w.atoms()};
    if (s <= 0) return {};
    return what.place(w, s * step);
  }
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr slice at(const W& w, std::int64_t s) const {
    return {cut(w, s), cut(w, s + 1)};
  }
  /// Cut s where `found` was noted for it. Atoms that are counted do not wait for the note, and so
  /// not for what a plan found out about offsets.
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr coordinate noted(const W& w, std::int64_t s,
                                                    const coordinate& found) const {
    if constexpr (Measure::counts_atoms) return {found.tile, s < slices ? s * step : w.atoms()};
    return found;
  }
  /// The slice that holds the first atom of tile t.
  template <work W>
  [[nodiscard]] LOOPS_HD constexpr std::int64_t slice_of(const W& w, std::int64_t t) const {
    const std::int64_t start = what.start_of(w, t);
    if constexpr (Measure::counts_slices) return start;
    return start / step;
  }
  /// The number of slices, from the first, that may hold a part of a tile.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t cut_slices() const {
    if constexpr (Measure::dealt) return what.shares > 1 ? what.shares : 0;
    if constexpr (std::is_same_v<Measure, measure::pieces>)
      if (what.per_tile == 1) return 0;
    return Measure::splits_tiles && slices > 1 ? slices : 0;
  }
};

/// A schedule: any of the measures, workers and orders, with a grain. Adding a schedule to the
/// library is naming a point of this product.
template <class Measure, class Worker, class Order>
struct composed {
  static_assert(std::is_same_v<Measure, measure::one_tile> ||
                    !std::is_same_v<Worker, worker::by_bin>,
                "bins are of whole tiles: worker::by_bin needs measure::one_tile");
  static_assert(std::is_same_v<Measure, measure::long_first> ==
                    std::is_same_v<Worker, worker::by_length>,
                "pieces of long tiles go to waves: measure::long_first needs worker::by_length");
  using measure_type = Measure;
  using worker_type = Worker;
  using order_type = Order;
  /// slices() needs no device
  static constexpr bool pure = !Order::by_arrival && !std::is_same_v<Worker, worker::by_bin> &&
                               !std::is_same_v<Worker, worker::by_length>;

  Worker who{};
  std::int64_t grain = grain::worker_capacity;
  Measure what{};
  std::int64_t processors = 0;  ///< blocks at a time; 0: as many as the machine holds

  /// The numbers of this schedule for one work on one machine.
  template <work W>
  [[nodiscard]] constexpr assignment<Measure, Worker, Order> bind(const W& w,
                                                                  const machine& m) const {
    assignment<Measure, Worker, Order> a;
    a.who = who;
    a.what = what;
    if constexpr (std::is_same_v<Worker, worker::by_length>)
      a.who = who.for_mean(w.atoms(), w.tiles(), m);
    a.lanes = a.who.lanes(m);
    a.groups = m.threads / a.lanes;
    const std::int64_t resident = resident_on(m);
    // A work too small to give every worker `fewest` steps per lane is cut into fewer, equal
    // slices.
    const std::int64_t least = static_cast<std::int64_t>(a.lanes) * m.fewest;
    if constexpr (Measure::dealt) a.what = what.dealt_to(w, resident * a.groups, least);
    if constexpr (std::is_same_v<Measure, measure::long_first>)
      a.what = what.for_work(w.atoms(), a.lanes, m.wave < m.threads ? m.wave : m.threads,
                             m.threads * m.blocks);
    if constexpr (std::is_same_v<Measure, measure::pieces>) a.what = what.for_work(w);
    const std::int64_t total = a.what.total(w);
    const std::int64_t even = ceil_div(total, resident * a.groups);
    const std::int64_t enough = ceil_div(total, total < least ? 1 : total / least);
    if constexpr (std::is_same_v<Measure, measure::one_tile>) {
      a.step = 1;
      if (!std::is_same_v<Worker, worker::block>) a.batch = m.batch;
    } else if (Measure::counts_slices) {
      a.step = 1;
    } else if (grain == grain::worker_capacity) {
      // A work too small to fill the machine is cut finer: more blocks, shorter waits. One that
      // fills it a few times is cut evenly: a remainder would keep few workers busy for a whole
      // round.
      constexpr std::int64_t few_rounds = 4;
      const std::int64_t most = static_cast<std::int64_t>(a.lanes) * m.items;
      const std::int64_t rounds = even > most ? ceil_div(even, most) : 1;
      a.step = even < least          ? enough
               : rounds > few_rounds ? most
                                     : ceil_div(total, resident * a.groups * rounds);
      // A wave's loads begin where lines of memory do.
      if (Measure::counts_atoms) a.step = ceil_div(a.step, m.wave) * m.wave;
    } else if (grain == grain::worker_lanes) {
      a.step = a.lanes > 1 ? a.lanes : m.batch;
    } else if (grain == grain::whole_turns) {
      constexpr std::int64_t several = 4;
      std::int64_t turns = m.fewest;
      while (2 * turns <= m.items && even > several * turns * a.lanes) turns *= 2;
      a.step = turns * a.lanes;
    } else if (grain == grain::even_share) {
      a.step = even < least ? enough : even;
    } else {
      a.step = grain;
    }
    if (a.step < 1) a.step = 1;
    a.slices = ceil_div(total, a.step);
    // Atoms alone do not see empty tiles: somebody has to close them.
    if (a.slices == 0 && w.tiles() > 0) a.slices = 1;
    a.visits = ceil_div(a.slices, static_cast<std::int64_t>(a.groups) * a.batch);
    if constexpr (std::is_same_v<Worker, worker::by_bin>) {
      // Every bin but its last visit fills a block, and a tile of n atoms takes fewer than
      // 2 n + 2 lanes, so this many visits suffice whatever the sizes are.
      const std::int64_t lanes = 2 * (w.atoms() + w.tiles());
      // Limits of one's own may give a tile more lanes: then at least as many as are resident.
      const std::int64_t busy = w.tiles() < resident ? w.tiles() : resident;
      const std::int64_t usual = ceil_div(lanes, m.threads) + worker::by_bin::bins;
      a.visits = usual < busy ? busy : usual;
    }
    a.blocks = blocks_for(a.visits, m);
    return a;
  }

  /// What `bind` gave, of so many pieces, which waves of a block take, and `tiles` tiles.
  [[nodiscard]] constexpr assignment<Measure, Worker, Order> with_pieces(
      assignment<Measure, Worker, Order> a, std::int64_t pieces, std::int64_t tiles,
      const machine& m) const requires(std::is_same_v<Measure, measure::long_first>) {
    const std::int64_t waves = m.threads > m.wave ? m.threads / m.wave : 1;
    a.slices = pieces + tiles;
    a.visits = ceil_div(pieces, waves) + ceil_div(tiles, a.groups);
    a.blocks = blocks_for(a.visits, m);
    return a;
  }

  /// How many workers to launch.
  template <work W>
  [[nodiscard]] constexpr std::int64_t workers(const W& w, const machine& m) const {
    return bind(w, m).workers();
  }

  /// The slices of worker `index`, a range; host or device, no execution needed.
  template <work W>
  [[nodiscard]] constexpr auto slices(const W& w, const machine& m, std::int64_t index) const
      requires(pure) {
    return slice_range<W>{bind(w, m), w, index};
  }

  /// Iterates the slices of one worker of a static schedule.
  template <work W>
  struct slice_range {
    assignment<Measure, Worker, Order> a;
    W w;
    std::int64_t index;

    struct iterator {
      const slice_range* range;
      std::int64_t visit;
      std::int64_t i = 0;
      [[nodiscard]] LOOPS_HD constexpr std::int64_t number() const {
        return (visit * range->a.groups + range->index % range->a.groups) * range->a.batch + i;
      }
      LOOPS_HD constexpr slice operator*() const { return range->a.at(range->w, number()); }
      LOOPS_HD constexpr iterator& operator++() {
        if (++i == range->a.batch) {
          i = 0;
          visit += range->a.blocks;
        }
        return *this;
      }
      /// Only comparison with the end of the range has a meaning.
      LOOPS_HD constexpr bool operator!=(const iterator&) const {
        return visit < range->a.visits && number() < range->a.slices;
      }
    };
    [[nodiscard]] LOOPS_HD constexpr iterator begin() const { return {this, index / a.groups}; }
    [[nodiscard]] LOOPS_HD constexpr iterator end() const { return {this, a.visits}; }
  };

 private:
  /// Blocks at a time.
  [[nodiscard]] constexpr std::int64_t resident_on(const machine& m) const {
    return processors > 0 && processors < m.blocks ? processors : m.blocks;
  }
  [[nodiscard]] constexpr std::int64_t blocks_for(std::int64_t visits, const machine& m) const {
    // Dynamic orders and bins gain nothing from more blocks than can be resident, and slices that
    // are dealt to resident workers have no more of them.
    constexpr bool goes_round =
        Order::by_arrival || std::is_same_v<Worker, worker::by_bin> || Measure::dealt;
    const std::int64_t most =
        goes_round || processors > 0 ? resident_on(m) : most_blocks(m.threads);
    return visits < most ? visits : most;
  }
};

/// Anything that names itself and says which point of the product it is, or leaves that to the
/// plan (`schedule::automatic`).
template <class S>
concept schedule_like = requires(const S& s) {
  s.name();
}
&&(
    requires(const S& s) { s.compose(); } || requires { typename S::decided_by_plan; });

}  // namespace loops
