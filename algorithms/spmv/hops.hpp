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
#include "loops/algorithm/reduce_kernels.hpp"
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

/// Puts something of every atom in [first, last) and of its tile at the atom's place in `room`.
/// `read.of_tile(number)` and `read.of_atom(atom)` are asked for first, `read(of_tile, of_atom)`
/// then.
LOOPS_CALLS_USER
template <class Block, class Index, class Read, class T>
LOOPS_HD void fill_room(Block& block, const marks_view<Index>& tiles, const Read& read,
                        const std::uint16_t* places, std::int64_t first, std::int64_t last,
                        T* room) {
  constexpr int ahead = Block::threads == 1 ? 1 : sizeof(T) <= 4 ? 8 : 4;
  for (std::int64_t base = first + block.lane(); base < last; base += ahead * Block::threads) {
    const auto at = [&](int i) {
      const std::int64_t a = base + i * Block::threads;
      return a < last ? a : last - 1;
    };
    std::remove_cvref_t<decltype(read.of_atom(0))> atoms[ahead];
    std::uint16_t place[ahead];
    Index number[ahead];
    std::remove_cvref_t<decltype(read.of_tile(0))> of_tile[ahead];
    T values[ahead];
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) {
      atoms[i] = read.of_atom(at(i));
      place[i] = native::load_once(places + at(i));
      number[i] = tiles.number(at(i));
    }
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) of_tile[i] = read.of_tile(tiles.name(number[i]));
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i) values[i] = read(of_tile[i], atoms[i]);
    LOOPS_UNROLL
    for (int i = 0; i < ahead; ++i)
      if (base + i * Block::threads < last) room[place[i]] = values[i];
  }
}

/// What both hops have in shared memory.
template <class T, int bytes>
struct hop_room {
  static constexpr int capacity = bytes / int(sizeof(T));
  uninitialized<T, capacity> values;
};

/// The first hop: a block orders a stretch of atoms by where they go.
template <class Index, class Read, class T, int bytes>
struct leave {
  marks_view<Index> tiles;
  Read read;
  const std::uint16_t* places;
  std::int64_t count;
  std::int64_t stretch;
  T* to;

  template <class Block>
  using storage = hop_room<T, bytes>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const std::int64_t first = block.id() * stretch;
    const std::int64_t last = first + stretch < count ? first + stretch : count;
    T* const room = shared.values.data();
    fill_room(block, tiles, read, places, first, last, room);
    block.sync();
    for (std::int64_t i = first + block.lane(); i < last; i += Block::threads)
      to[i] = room[i - first];
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

/// A value in a block's shared memory.
template <class T>
struct value_in_room {
  using pure = std::true_type;
  const T* room;
  std::int64_t first;
  LOOPS_HD T operator()(std::int64_t a) const { return room[a - first]; }
};

/// The second hop: a block fetches the values of a slice and reduces its tiles; parts of tiles that
/// slices cut are left for `join_slices`.
template <class Bound, class Index, class T, class Combine, class Emit, int bytes>
struct arrive {
  Bound bound;
  marks_view<Index> runs;
  read_run<T, Index> read;
  const std::uint16_t* places;
  Combine combine;
  Emit emit;
  T* heads;
  T* tails;

  template <class Block>
  struct storage {
    hop_room<T, bytes> room;
    slice_storage<Block, T> slice;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    const std::int64_t s = block.id();
    const slice range = bound.at(s);
    T* const room = shared.room.values.data();
    fill_room(block, runs, read, places, range.begin.atom, range.end.atom, room);
    block.sync();
    const value_in_room<T> map{room, range.begin.atom};
    const auto head = [&](std::int64_t, const T& value) { heads[s] = value; };
    const auto tail = [&](const T& value, bool) { tails[s] = value; };
    if constexpr (Block::threads == 1) {
      with_lookout<false>(bound.w, map, [&](auto& ahead) {
        reduce_slice_in_order<T>(
            bound.w, range, map, combine, emit, head, [&](const T& value) { tail(value, true); },
            ahead);
      });
    } else {
      reduce_slice<T>(group<Block, Block::threads>(block), shared.slice, bound.w, range, true, map,
                      combine, emit, head, tail);
    }
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
template <class O, class Index>
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
    first[static_cast<std::int64_t>(order[k])] = static_cast<std::uint16_t>(m % stretch);
    const std::int64_t run = k / stretch * source.runs.stretches + m / stretch;
    second[m - source(run)] = static_cast<std::uint16_t>(k % stretch);
  }
};

/// The blocks of hops: lanes, and bytes of shared memory for values. Two blocks share a processor,
/// so that one fetches while the other sums.
template <class Exec>
struct hop_sizes {
  static constexpr bool gpu = requires(const Exec& e) { e.facts().cache_bytes; };
  using launch_shape = shape<gpu ? 512 : 64, 4>;
  static constexpr int bytes = gpu ? (LOOPS_CUDA ? 80 : 48) * 1024 : 8 * 1024;
};

}  // namespace spmv_detail

/// Carries a value per atom of one work to the atoms of another, and combines these tile by tile.
/// In place of a read at random per atom it moves a value three times side by side. Repeatable.
/// Making it: two sorts' time; waits; 4 bytes, a quarter and a value per atom of each work, and 4
/// or 8 bytes per run, of which there are (atoms / stretch())^2 at most.
template <class Exec, class T, class Offset>
class hops {
  using index = std::conditional_t<sizeof(Offset) <= 4 && std::is_signed_v<Offset>, std::int32_t,
                                   std::int64_t>;
  using sizes = spmv_detail::hop_sizes<Exec>;
  using launch_shape = typename sizes::launch_shape;
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
        places_(atoms(), exec.memory()),
        next_places_(atoms(), exec.memory()),
        between_(atoms(), exec.memory()),
        tiles_(exec, from) {
    tiles_.name(exec, from);
    bind(to);
    if (count_ > 0) find_runs(order);
  }

  /// For every tile t of the target calls emit(t, value) with the combination, as of
  /// `reduce_tiles`, of read(read.of_tile(tile), read.of_atom(atom)) over its atoms, each of which
  /// is an atom of the source. Three launches. Allocates nothing, waits for nothing, and can be
  /// captured into a graph. One stream at a time.
  template <class Read, class Combine, class Emit>
  void operator()(const Read& read, const Combine& combine, const Emit& emit) const {
    if (bound_.w.tiles() == 0) return;
    constexpr int bytes = sizes::bytes;
    T* const between = const_cast<T*>(between_.data());
    T* const heads = const_cast<T*>(parts_.data());
    T* const tails = heads + bound_.a.slices;
    if (count_ > 0)
      exec_.template launch<launch_shape>(
          stretches_, spmv_detail::leave<index, Read, T, bytes>{tiles_.view(), read, places_.data(),
                                                                count_, stretch_, between});
    exec_.template launch<launch_shape>(
        bound_.a.slices,
        spmv_detail::arrive<bound_type, index, T, Combine, Emit, bytes>{bound_,
                                                                        runs_view(),
                                                                        {between, sources_.data()},
                                                                        next_places_.data(),
                                                                        combine,
                                                                        emit,
                                                                        heads,
                                                                        tails});
    if (bound_.a.slices < 2) return;
    using reduction = detail::reduction<T, spmv_detail::value_in_room<T>, Combine, Emit>;
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
    return atoms() * (4 + sizeof(T)) + tiles_.bytes() + (runs_ ? runs_->bytes() : 0) +
           sources_.size() * sizeof(index) + parts_.size() * sizeof(T) +
           cuts_.size() * sizeof(coordinate);
  }

 private:
  [[nodiscard]] std::size_t atoms() const { return static_cast<std::size_t>(count_); }
  [[nodiscard]] spmv_detail::marks_view<index> runs_view() const {
    return runs_ ? runs_->view() : spmv_detail::marks_view<index>{};
  }
  /// As many as there is room for, fewer where that would leave processors idle.
  static std::int64_t stretch_for(const Exec& exec, std::int64_t count) {
    constexpr std::int64_t most = spmv_detail::hop_room<T, sizes::bytes>::capacity;
    constexpr std::int64_t least = 1024;
    const std::int64_t blocks = exec.template describe<launch_shape>().blocks;
    const std::int64_t even =
        ceil_div(ceil_div(count, std::max<std::int64_t>(1, blocks)), std::int64_t{64}) * 64;
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
        spmv_detail::find_places<Offset, index>{order, ranks.data(), offsets.data(), source,
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
  std::unique_ptr<spmv_detail::tile_marks<index>> runs_;
  array<index> sources_;
  bound_type bound_;
  array<coordinate> cuts_;
  array<T> parts_;
};

}  // namespace loops
