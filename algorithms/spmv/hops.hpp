// SPDX-License-Identifier: Apache-2.0
/// Values of atoms carried to the tiles of another work in two hops, and summed there.
///
/// Whoever reads or writes memory at random pays a sector for a value. Two hops pay for what they
/// move: a block of the first takes consecutive atoms, orders their values by where they go in
/// shared memory, and writes them side by side; one of the second fetches what goes to consecutive
/// atoms of the target, a run from every block of the first, and sums tiles in shared memory.
#pragma once

#include "algorithms/spmv/tile_marks.hpp"
#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_kernels.hpp"
#include "loops/collective/group.hpp"
#include "loops/execution/sort.hpp"
#include "loops/schedule/schedule.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace loops {

namespace spmv_detail {

/// Equal atoms per block, so many.
struct stretches {
  std::int64_t atoms = 0;
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::atoms, worker::block, order::in_order>{.grain = atoms};
  }
};

/// The blocks of hops: lanes, and atoms that a lane sums: a power of two, 32 at most. In shared
/// memory there is a gap after these, so that neighbours read different banks.
template <int Lanes, int Each>
struct hop_sizes {
  using launch_shape = shape<Lanes, 1>;
  static constexpr int each = Each;
  static constexpr int room = Lanes * Each;
  static_assert(room % 128 == 0 && (Each & (Each - 1)) == 0 && Each <= 32);
  static_assert(room + Lanes <= 65536, "places are 16-bit");
  static LOOPS_HD constexpr int padded(int at) { return at + at / Each; }
};

template <class Exec>
inline constexpr bool on_gpu = requires(const Exec& e) {
  e.facts().cache_bytes;
};
template <class Exec, class T>
using usual_hops =
    std::conditional_t<!on_gpu<Exec>, hop_sizes<64, 16>, hop_sizes<512, sizeof(T) <= 4 ? 32 : 16>>;

/// Where the place of an atom is noted: 32 lanes take 128 atoms, each every 32nd, and what a lane
/// needs to know of its four lies together.
LOOPS_HD constexpr std::int64_t note_of(std::int64_t atom) {
  return (atom & ~std::int64_t{127}) | ((atom & 31) << 2) | ((atom >> 5) & 3);
}
inline constexpr std::int64_t chunk = 128;

/// Puts something of every atom in [first, last) and of its tile at the atom's place in `room`.
/// `read.of_tile(number)` and `read.of_atom(atom)` are asked for first, `read(of_tile, of_atom)`
/// then. `first` is a multiple of `chunk`, and so is `last`, or it is the end of all.
template <class Block, class Index, class Read, class T>
struct room_filler {
  const marks_view<Index>& tiles;
  const Read& read;
  const std::uint16_t* places;
  T* room;

  LOOPS_CALLS_USER
  LOOPS_HD void operator()(Block& block, std::int64_t first, std::int64_t last) const {
    if constexpr (Block::threads < 32) {
      for (std::int64_t a = first + block.lane(); a < last; a += Block::threads)
        room[places[note_of(a)]] = read(read.of_tile(tiles.name(tiles.number(a))), read.of_atom(a));
    } else if ((last - first) % chunk == 0) {
      fill<true>(block.lane() & 31, block.lane() >> 5, first, last);
    } else {
      fill<false>(block.lane() & 31, block.lane() >> 5, first, last);
    }
  }

 private:
  using atom_type = std::remove_cvref_t<decltype(std::declval<const Read&>().of_atom(0))>;
  using tile_type = std::remove_cvref_t<decltype(std::declval<const Read&>().of_tile(0))>;
  /// What is noted of a lane's four atoms of a chunk.
  struct noted {
    four<std::uint16_t> places;
    four<std::uint32_t> words;
    four<Index> before;
    atom_type atoms[4];
  };
  /// What is read of their tiles.
  struct found {
    four<std::uint16_t> places;
    tile_type tiles[4];
    atom_type atoms[4];
  };

  /// Three chunks are under way at a time: of one the values are read, of the next what is read of
  /// its tiles, of the third what is noted.
  LOOPS_CALLS_USER
  template <bool whole>
  LOOPS_HD void fill(int lane, int group, std::int64_t first, std::int64_t last) const {
    constexpr std::int64_t step = Block::threads / 32 * chunk;
    const std::int64_t begin = first + group * chunk;
    if (begin >= last) return;
    const auto within = [&](std::int64_t c) { return c < last ? c : begin; };
    found at = find(note<whole>(lane, begin, last), lane);
    noted next = note<whole>(lane, within(begin + step), last);
    for (std::int64_t c = begin; c < last; c += step) {
      T values[4];
      LOOPS_UNROLL
      for (int i = 0; i < 4; ++i) values[i] = read(at.tiles[i], at.atoms[i]);
      const four<std::uint16_t> place = at.places;
      at = find(next, lane);
      next = note<whole>(lane, within(c + 2 * step), last);
      LOOPS_UNROLL
      for (int i = 0; i < 4; ++i)
        if (whole || c + 32 * i + lane < last) room[place.at[i]] = values[i];
    }
  }
  LOOPS_CALLS_USER
  template <bool whole>
  LOOPS_HD noted note(int lane, std::int64_t c, std::int64_t last) const {
    noted n{load_four(places + c + 4 * lane),
            load_four(tiles.words + (c >> 5)),
            load_four(tiles.before + (c >> 5)),
            {}};
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) {
      const std::int64_t a = c + 32 * i + lane;
      n.atoms[i] = read.of_atom(whole || a < last ? a : last - 1);
    }
    return n;
  }
  LOOPS_CALLS_USER
  LOOPS_HD found find(const noted& n, int lane) const {
    found f{n.places, {}, {}};
    const std::uint32_t up_to = 0xffffffffU >> (31 - lane);
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) {
      const auto number = static_cast<Index>(
          n.before.at[i] - 1 + static_cast<Index>(native::count_bits(n.words.at[i] & up_to)));
      f.tiles[i] = read.of_tile(tiles.name(number));
      f.atoms[i] = n.atoms[i];
    }
    return f;
  }
};

/// The first hop: a block orders a stretch of atoms by where they go.
template <class Index, class Read, class T, class Sizes>
struct leave {
  marks_view<Index> tiles;
  Read read;
  const std::uint16_t* places;
  std::int64_t count;
  std::int64_t stretch;
  T* to;

  template <class Block>
  struct storage {
    alignas(16) uninitialized<T, Sizes::room> values;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const std::int64_t first = block.id() * stretch;
    const std::int64_t last = first + stretch < count ? first + stretch : count;
    T* const room = shared.values.data();
    room_filler<Block, Index, Read, T>{tiles, read, places, room}(block, first, last);
    block.sync();
    // Four at a time, and perhaps up to three beyond the end of all: there is room for them.
    for (int i = 4 * block.lane(); i < last - first; i += 4 * Block::threads)
      *reinterpret_cast<four<T>*>(to + first + i) = load_four(room + i);
  }
};

/// What the second hop reads: runs of values that the first has left.
template <class T, class Index>
struct read_run {
  const T* values;
  const Index* sources;  ///< of a run: where it lies, less the number of its first atom
  LOOPS_HD std::int64_t of_tile(std::int64_t run) const {
    return static_cast<std::int64_t>(sources[run]);
  }
  LOOPS_HD std::int64_t of_atom(std::int64_t a) const { return a; }
  LOOPS_HD T operator()(std::int64_t source, std::int64_t a) const {
    return native::load_once(values + (source + a));
  }
};

/// The second hop: a block fetches the values of consecutive atoms and combines its tiles; parts of
/// tiles that are cut are left for `join_slices`.
template <class Work, class Index, class T, class Combine, class Emit, class Sizes>
struct arrive {
  marks_view<Index> runs;
  read_run<T, Index> read;
  const std::uint16_t* places;
  Work w;
  marks_view<Index> tiles;
  std::int64_t stretch;
  Combine combine;
  Emit emit;
  T* heads;
  T* tails;

  template <class Block>
  struct storage {
    uninitialized<T, Sizes::padded(Sizes::room)> values;
    uninitialized<T, Block::threads> carry;  ///< what is open where a lane begins
    group_storage<Block, T> scan;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    const std::int64_t first = block.id() * stretch;
    const std::int64_t last = first + stretch < w.atoms() ? first + stretch : w.atoms();
    T* const room = shared.values.data();
    room_filler<Block, Index, read_run<T, Index>, T>{runs, read, places, room}(block, first, last);
    block.sync();
    const T open = scan(block, shared, first, static_cast<int>(last - first));
    block.sync();
    finish(block, shared, first, last, open);
  }

 private:
  /// Atoms whose values a lane sums. A CPU's only one sums all.
  template <class Block>
  static constexpr int stretch_of_lane = Block::threads == 1 ? Sizes::room : Sizes::each;

  /// Every lane turns the values of its stretch into what each tile has come to; returns what is
  /// open after the last.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD T scan(Block& block, storage<Block>& shared, std::int64_t first, int count) const {
    constexpr int each = Sizes::each;
    T* const room = shared.values.data();
    const T none = combine.template identity<T>();
    const int low = block.lane() * stretch_of_lane<Block>;
    const int high = low + stretch_of_lane<Block> < count ? low + stretch_of_lane<Block> : count;
    T value = none;
    bool closed = false;
    for (int from = low; from < high; from += each) {
      const int atoms = high - from < each ? high - from : each;
      std::uint32_t begins = tiles.words[(first + from) >> 5] >> (from & 31);
      if (atoms < 32) begins &= (1U << atoms) - 1;
      closed = closed || begins != 0;
      T* const at = room + Sizes::padded(from);
      LOOPS_UNROLL
      for (int i = 0; i < each; ++i) {
        if (i < atoms) {
          value = combine(native::pick(((begins >> i) & 1U) != 0, none, value), at[i]);
          at[i] = value;
        }
      }
    }
    const group<Block, Block::threads> g(block);
    const auto scanned = g.scan_open(value, closed, none, combine, shared.scan);
    shared.carry[block.lane()] = scanned.before;
    return scanned.total;
  }

  /// Emits tiles that end here.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void finish(Block& block, storage<Block>& shared, std::int64_t first, std::int64_t last,
                       const T& open) const {
    const Index end = tiles.number(last - 1) + 1;
    for (Index n = tiles.number(first) + static_cast<Index>(block.lane()); n < end;
         n += static_cast<Index>(Block::threads)) {
      const std::int64_t tile = tiles.name(n);
      const std::int64_t tile_first = w.offset(tile);
      const std::int64_t tile_last = w.offset(tile + 1);
      if (tile_last > last) {
        tails[block.id()] = open;
        continue;
      }
      if (n + 1 == end) tails[block.id()] = combine.template identity<T>();
      const int at = static_cast<int>(tile_last - first) - 1;
      const int lane = at / stretch_of_lane<Block>;
      T value = shared.values[Sizes::padded(at)];
      if (tile_first < first + lane * stretch_of_lane<Block>)
        value = combine(shared.carry[lane], value);
      if (tile_first < first) {
        heads[block.id()] = value;
      } else {
        emit(tile, value);
      }
    }
  }
};

/// Joining maps no atoms.
struct nothing_to_map {};

/// Tells of tiles without atoms.
template <class Work, class T, class Emit>
struct emit_empty {
  Work w;
  T none;
  Emit emit;
  LOOPS_HD void operator()(std::int64_t, std::int64_t tile) const {
    if (w.offset(tile) == w.offset(tile + 1)) emit(tile, none);
  }
};

/// keys[k] = the stretch that value k of the target comes from.
template <class O, class Index>
struct find_stretches {
  const O* order;
  std::int64_t stretch;
  std::int32_t* keys;
  Index* ranks;
  LOOPS_HD void operator()(std::int64_t, std::int64_t k) const {
    keys[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(order[k]) / stretch);
    ranks[k] = static_cast<Index>(k);
  }
};

/// Run `d * stretches + s` is what stretch s of the source brings to stretch d of the target. In s,
/// by then ordered, it begins at the first value that goes to d or beyond.
template <class Index>
struct find_runs {
  const Index* ranks;  ///< ascending in every stretch of the source
  std::int64_t count;
  std::int64_t stretch;
  std::int64_t stretches;
  [[nodiscard]] LOOPS_HD std::int64_t begin(std::int64_t d, std::int64_t s) const {
    const std::int64_t first = s * stretch;
    const std::int64_t last = first + stretch < count ? first + stretch : count;
    return first_where(first, last, [&](std::int64_t m) {
      return static_cast<std::int64_t>(ranks[m]) >= d * stretch;
    });
  }
  /// How long it is.
  LOOPS_HD std::int64_t operator()(std::int64_t run) const {
    const std::int64_t d = run / stretches;
    const std::int64_t s = run % stretches;
    return begin(d + 1, s) - begin(d, s);
  }
};

/// Where a run begins, less the number of its first value in the target.
template <class Index>
struct source_of_run {
  find_runs<Index> runs;
  const Index* offsets;
  LOOPS_HD std::int64_t operator()(std::int64_t run) const {
    return runs.begin(run / runs.stretches, run % runs.stretches) -
           static_cast<std::int64_t>(offsets[run]);
  }
};

/// Places of both hops, from where each value lies in between.
template <class O, class Index, class Sizes>
struct find_places {
  const O* order;
  const Index* ranks;
  const Index* offsets;
  source_of_run<Index> source;
  std::uint16_t* first;
  std::uint16_t* second;
  LOOPS_HD void operator()(std::int64_t, std::int64_t m) const {
    const auto k = static_cast<std::int64_t>(ranks[m]);
    const std::int64_t stretch = source.runs.stretch;
    first[note_of(static_cast<std::int64_t>(order[k]))] = static_cast<std::uint16_t>(m % stretch);
    const std::int64_t run = k / stretch * source.runs.stretches + m / stretch;
    second[note_of(m - source(run))] =
        static_cast<std::uint16_t>(Sizes::padded(static_cast<int>(k % stretch)));
  }
};

}  // namespace spmv_detail

/// Carries a value per atom of one work to the atoms of another, and combines these tile by tile.
/// In place of a read at random per atom it moves a value three times side by side. Repeatable.
/// Making it: two sorts' time; waits; 4 bytes, a quarter and a value per atom of each work, and 4
/// or 8 bytes per run, of which there are (atoms / stretch())^2 at most.
template <class Exec, class T, class Offset, class Sizes = spmv_detail::usual_hops<Exec, T>>
class hops {
  using index = std::conditional_t<sizeof(Offset) <= 4 && std::is_signed_v<Offset>, std::int32_t,
                                   std::int64_t>;
  using launch_shape = typename Sizes::launch_shape;
  using work_type = segments<Offset>;
  using bound_type =
      bound<work_type, decltype(spmv_detail::stretches{}.compose().bind(work_type{}, machine{}))>;

 public:
  /// `order[k]`: which atom of `from` is the k-th of `to`; every one once. The arrays of both works
  /// must outlive it, `order` need not.
  hops(const Exec& exec, const work_type& from, const work_type& to, const Offset* order)
      : exec_(exec),
        count_(from.atoms()),
        stretch_(stretch_for(exec, count_)),
        stretches_(ceil_div(count_, stretch_)),
        places_(noted(), exec.memory()),
        next_places_(noted(), exec.memory()),
        between_(noted(), exec.memory()),
        tiles_(exec, from),
        targets_(exec, to),
        each_target_(exec, schedule::nonzero_split{}, segmented_detail::each_of(to.tiles())) {
    tiles_.name(exec, from);
    targets_.name(exec, to);
    bind(to);
    if (count_ > 0) find_runs(order);
  }

  /// For every tile t of the target calls emit(t, value) with the combination, as of
  /// `reduce_tiles`, of read(read.of_tile(tile), read.of_atom(atom)) over its atoms, each of which
  /// is an atom of the source. Three launches. Allocates nothing, waits for nothing, and can be
  /// captured into a graph. One stream at a time.
  template <class Read, class Combine, class Emit>
  void operator()(const Read& read, const Combine& combine, const Emit& emit) const {
    if (targets_.marked() < bound_.w.tiles())
      for_each_atom(each_target_, spmv_detail::emit_empty<work_type, T, Emit>{
                                      bound_.w, combine.template identity<T>(), emit});
    if (count_ == 0) return;
    T* const between = const_cast<T*>(between_.data());
    T* const heads = const_cast<T*>(parts_.data());
    T* const tails = heads + stretches_;
    exec_.template launch<launch_shape>(
        stretches_, spmv_detail::leave<index, Read, T, Sizes>{tiles_.view(), read, places_.data(),
                                                              count_, stretch_, between});
    exec_.template launch<launch_shape>(
        stretches_,
        spmv_detail::arrive<work_type, index, T, Combine, Emit, Sizes>{runs_view(),
                                                                       {between, sources_.data()},
                                                                       next_places_.data(),
                                                                       bound_.w,
                                                                       targets_.view(),
                                                                       stretch_,
                                                                       combine,
                                                                       emit,
                                                                       heads,
                                                                       tails});
    if (bound_.a.slices < 2) return;
    using reduction = detail::reduction<T, spmv_detail::nothing_to_map, Combine, Emit>;
    using joins = shape<256, 1>;
    using block = typename Exec::template block<joins>;
    const std::int64_t per_block = std::int64_t{block::threads} * block::batch;
    exec_.template launch_early<joins>(
        ceil_div(bound_.a.slices, per_block),
        detail::join_slices<bound_type, reduction>{bound_, reduction{{}, combine, emit},
                                                   detail::partials<reduction>{heads, tails}});
  }

  /// Atoms that a block takes.
  [[nodiscard]] std::int64_t stretch() const { return stretch_; }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return noted() * (4 + sizeof(T)) + tiles_.bytes() + targets_.bytes() + each_target_.bytes() +
           (runs_ ? runs_->bytes() : 0) + sources_.size() * sizeof(index) +
           parts_.size() * sizeof(T) + cuts_.size() * sizeof(coordinate);
  }

 private:
  [[nodiscard]] std::size_t atoms() const { return static_cast<std::size_t>(count_); }
  /// Whole chunks of them.
  [[nodiscard]] std::size_t noted() const {
    return static_cast<std::size_t>(ceil_div(count_, spmv_detail::chunk) * spmv_detail::chunk);
  }
  [[nodiscard]] spmv_detail::marks_view<index> runs_view() const {
    return runs_ ? runs_->view() : spmv_detail::marks_view<index>{};
  }
  /// As many as there is room for, fewer where that would leave processors idle.
  static std::int64_t stretch_for(const Exec& exec, std::int64_t count) {
    constexpr std::int64_t most = Sizes::room;
    constexpr std::int64_t least = 1024;
    const std::int64_t blocks = exec.template describe<launch_shape>().blocks;
    const std::int64_t even =
        ceil_div(ceil_div(count, std::max<std::int64_t>(1, blocks)), spmv_detail::chunk) *
        spmv_detail::chunk;
    return std::clamp(even, std::min(least, most), most);
  }

  void bind(const work_type& to) {
    using asking = shape<64, 1>;
    bound_.w = to;
    bound_.a = spmv_detail::stretches{stretch_}.compose().bind(
        to, exec_.template describe<launch_shape>());
    const auto count = static_cast<std::size_t>(bound_.a.slices) + 1;
    cuts_ = array<coordinate>(count, exec_.memory());
    parts_ = array<T>(2 * count, exec_.memory());
    constexpr int threads = Exec::template block<asking>::threads;
    exec_.template launch<asking>(ceil_div(bound_.a.slices + 1, threads),
                                  detail::compute_cuts<bound_type>{bound_, cuts_.data()});
    bound_.cuts = cuts_.data();
  }

  void find_runs(const Offset* order) {
    using segmented_detail::each_of;
    const schedule::nonzero_split how;
    array<index> ranks(atoms(), exec_.memory());
    {
      array<std::int32_t> keys(atoms(), exec_.memory());
      for_each_atom(
          exec_, how, each_of(count_),
          spmv_detail::find_stretches<Offset, index>{order, stretch_, keys.data(), ranks.data()});
      stable_sort_by_key(exec_, keys, ranks);
    }
    const std::int64_t all = stretches_ * stretches_;
    const spmv_detail::find_runs<index> find{ranks.data(), count_, stretch_, stretches_};
    array<index> offsets(static_cast<std::size_t>(all) + 1, exec_.memory());
    array<std::int64_t> total(1, exec_.memory());
    segmented_detail::sum_into(exec_, all, find, offsets.data(), total.data());
    const spmv_detail::source_of_run<index> source{find, offsets.data()};
    for_each_atom(
        exec_, how, each_of(count_),
        spmv_detail::find_places<Offset, index, Sizes>{order, ranks.data(), offsets.data(), source,
                                                       places_.data(), next_places_.data()});
    const segments<index> work(offsets.data(), all, count_);
    runs_ = std::make_unique<spmv_detail::tile_marks<index>>(exec_, work);
    sources_ = runs_->of_tiles(exec_, work, source);
    exec_.synchronize();
  }

  Exec exec_;
  std::int64_t count_;
  std::int64_t stretch_;
  std::int64_t stretches_;
  array<std::uint16_t> places_;
  array<std::uint16_t> next_places_;
  array<T> between_;
  spmv_detail::tile_marks<index> tiles_;
  spmv_detail::tile_marks<index> targets_;
  tile_plan<Exec, schedule::nonzero_split, uniform, T> each_target_;
  std::unique_ptr<spmv_detail::tile_marks<index>> runs_;
  array<index> sources_;
  bound_type bound_;
  array<coordinate> cuts_;
  array<T> parts_;
};

}  // namespace loops
