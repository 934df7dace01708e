// SPDX-License-Identifier: Apache-2.0
/// Sums of a stretch of atoms whose values wait in a block's shared memory, tile by tile.
#pragma once

#include "algorithms/spmv/tile_marks.hpp"
#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/machine.hpp"

#include <cstdint>
#include <type_traits>

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

/// A block combines the values of consecutive atoms, and emits the tiles that lie inside of them;
/// parts of tiles that are cut are left for `join_slices`.
template <class Work, class Index, class T, class Combine, class Emit, class Sizes>
struct stretch_sums {
  using sizes = Sizes;
  using value_type = T;
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

  /// The stretch of a block.
  template <class Block>
  LOOPS_HD std::int64_t first(const Block& block) const {
    return block.id() * stretch;
  }
  template <class Block>
  LOOPS_HD std::int64_t last(const Block& block) const {
    return first(block) + stretch < w.atoms() ? first(block) + stretch : w.atoms();
  }

  /// Atoms whose values a lane sums. A CPU's only one sums all.
  template <class Block>
  static constexpr int stretch_of_lane = Block::threads == 1 ? Sizes::room : Sizes::each;

  /// Tiles of a stretch, by number, of which a lane emits every so manieth, and where its first one
  /// lies.
  struct share {
    Index number, end;
    std::int64_t tile_first, tile_last;
    std::uint32_t marks;  ///< of the first atoms that the lane sums
  };
  /// A lane's. Whoever has registers to spare asks for it before the block waits for values.
  template <class Block>
  LOOPS_HD share look(const Block& block) const {
    share s{tiles.number(first(block)) + static_cast<Index>(block.lane()),
            tiles.number(last(block) - 1) + 1, 0, 0, marks_of(block)};
    if (s.number < s.end) {
      const std::int64_t tile = tiles.name(s.number);
      s.tile_first = w.offset(tile);
      s.tile_last = w.offset(tile + 1);
    }
    return s;
  }

  /// Of atom `first(block) + i` the value is at Sizes::padded(i). Sync: the block, at first.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared, const share& mine) const {
    block.sync();
    const T open = scan(block, shared, mine.marks);
    block.sync();
    finish(block, shared, open, mine);
  }
  /// The same where registers are short: what the end needs is asked for at the end.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.sync();
    const T open = scan(block, shared, marks_of(block));
    block.sync();
    finish(block, shared, open, look(block));
  }

 private:
  template <class Block>
  LOOPS_HD std::uint32_t marks_of(const Block& block) const {
    const std::int64_t low = first(block) + block.lane() * stretch_of_lane<Block>;
    return low < last(block) ? tiles.words[low >> 5] : 0;
  }
  /// Every lane turns the values of its stretch into what each tile has come to; returns what is
  /// open after the last.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD T scan(Block& block, storage<Block>& shared, std::uint32_t marks) const {
    const std::int64_t begin = first(block);
    const auto count = static_cast<int>(last(block) - begin);
    constexpr int each = Sizes::each;
    T* const room = shared.values.data();
    const T none = combine.template identity<T>();
    const int low = block.lane() * stretch_of_lane<Block>;
    const int high = low + stretch_of_lane<Block> < count ? low + stretch_of_lane<Block> : count;
    T value = none;
    bool closed = false;
    for (int from = low; from < high; from += each) {
      const int atoms = high - from < each ? high - from : each;
      if (from > low) marks = tiles.words[(begin + from) >> 5];
      std::uint32_t begins = marks >> (from & 31);
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
  LOOPS_HD void finish(Block& block, storage<Block>& shared, const T& open, share s) const {
    const std::int64_t begin = first(block);
    const std::int64_t end = last(block);
    while (s.number < s.end) {
      const std::int64_t tile_first = s.tile_first;
      const std::int64_t tile_last = s.tile_last;
      const std::int64_t tile = tiles.name(s.number);
      s.number += static_cast<Index>(Block::threads);
      if (s.number < s.end) {
        const std::int64_t next = tiles.name(s.number);
        s.tile_first = w.offset(next);
        s.tile_last = w.offset(next + 1);
      }
      if (tile_last > end) {
        tails[block.id()] = open;
        continue;
      }
      const int at = static_cast<int>(tile_last - begin) - 1;
      const int lane = at / stretch_of_lane<Block>;
      T value = shared.values[Sizes::padded(at)];
      if (tile_first < begin + lane * stretch_of_lane<Block>)
        value = combine(shared.carry[lane], value);
      if (tile_first < begin) {
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
