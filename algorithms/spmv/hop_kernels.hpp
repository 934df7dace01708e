// SPDX-License-Identifier: Apache-2.0
/// The kernels of two hops: one leaves values where the other fetches them, and sums them.
#pragma once

#include "algorithms/spmv/stretch_sums.hpp"
#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace loops::spmv_detail {

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

/// Lanes per processor that kernels of hops want: those of `usual_hops`.
inline constexpr int hop_lanes = LOOPS_CUDA ? 1024 : 0;

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

/// The second hop: a block fetches the values of consecutive atoms and combines its tiles.
template <class Sums, class Index>
struct arrive {
  static constexpr int wanted_lanes = hop_lanes;
  using value_type = typename Sums::value_type;
  marks_view<Index> runs;
  read_run<value_type, Index> read;
  const std::uint16_t* places;
  Sums sums;

  template <class Block>
  using storage = typename Sums::template storage<Block>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    room_filler<Block, Index, read_run<value_type, Index>, value_type>{
        runs, read, places, shared.values.data()}(block, sums.first(block), sums.last(block));
    sums(block, shared);
  }
};

}  // namespace loops::spmv_detail
