// SPDX-License-Identifier: Apache-2.0
/// The kernels of two hops: one leaves values where the other fetches them, and sums them.
#pragma once

#include "algorithms/spmv/tile_marks.hpp"
#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/machine.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops::spmv_detail {

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
/// Two blocks share a processor of NVIDIA's, so that one fetches while the other sums; AMD's has
/// shared memory for one.
template <class Exec, class T>
using usual_hops =
    std::conditional_t<!on_gpu<Exec>, hop_sizes<64, 16>,
                       hop_sizes<(LOOPS_HIP && sizeof(T) > 8) ? 256 : 512,
                                 (LOOPS_HIP ? 64 : 128) / (sizeof(T) < 4 ? 4 : int(sizeof(T)))>>;

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

}  // namespace loops::spmv_detail
