// SPDX-License-Identifier: Apache-2.0
/// What the lanes of a group do together: barrier, reduction, segmented scan.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>

namespace loops {

/// Shared memory through which groups of several waves pass one value per wave.
template <class Block, class T>
struct group_storage {
  static constexpr int waves = Block::threads / Block::wave;
  uninitialized<T, waves> value;
  uninitialized<bool, waves> flag;
};

namespace detail {

/// Combines over `Distance`, half of it, …, 1, as far as these are below `width`.
template <int Distance, class Block, class T, class Combine>
LOOPS_HD T reduce_from(Block& block, T v, int width, const Combine& combine) {
  if constexpr (Distance > 0) {
    if (Distance < width) v = combine(v, block.shuffle_xor(v, Distance));
    v = reduce_from<Distance / 2>(block, v, width, combine);
  }
  return v;
}

/// Combines over `Distance`, twice of it, … below a wave, the lower lane's first.
template <int Distance, class Block, class T, class Combine>
LOOPS_HD T chain_from(Block& block, T v, const Combine& combine) {
  if constexpr (Distance < Block::wave) {
    v = combine(v, block.shuffle_down(v, Distance));
    v = chain_from<Distance * 2>(block, v, combine);
  }
  return v;
}

}  // namespace detail

/// The combination of `v` over each `width` neighbouring lanes, on all of them. Lanes: all of the
/// wave, which agree on `width`, a power of two.
template <class Block, class T, class Combine>
LOOPS_HD T reduce_in_wave(Block& block, T v, int width, const Combine& combine) {
  if constexpr (native::fixed_distances<Block>) {
    return detail::reduce_from<Block::wave / 2>(block, v, width, combine);
  } else {
    LOOPS_ROLLED
    for (int d = width / 2; d > 0; d /= 2) v = combine(v, block.shuffle_xor(v, d));
    return v;
  }
}

/// The combination of `v` over the lanes of a wave in their order, on its first: for a `combine`
/// that need not be commutative. Lanes: all of the wave.
template <class Block, class T, class Combine>
LOOPS_HD T chain_in_wave(Block& block, T v, const Combine& combine) {
  return detail::chain_from<1>(block, v, combine);
}

/// `lanes` neighbouring lanes of a block, a power of two. Groups of at most a wave synchronise with
/// their wave, larger ones with the block, so all groups of a block call collectives together.
/// `Lanes` > 0 fixes the size at compile time.
template <class Block, int Lanes = 0>
class group {
 public:
  /// Whether the group is the block, known at compile time.
  static constexpr bool whole_block = Lanes == Block::threads;

  LOOPS_HD explicit group(Block& block, int lanes = Lanes) : block_(&block), lanes_(lanes) {}

  [[nodiscard]] LOOPS_HD int size() const { return Lanes > 0 ? Lanes : lanes_; }
  /// This lane's number within the group.
  [[nodiscard]] LOOPS_HD int rank() const { return block_->lane() & (size() - 1); }
  /// The group's number within the block.
  [[nodiscard]] LOOPS_HD int index() const { return block_->lane() / size(); }
  [[nodiscard]] LOOPS_HD bool within_wave() const { return size() <= Block::wave; }
  [[nodiscard]] LOOPS_HD Block& block() const { return *block_; }

  /// Orders shared memory among the lanes of the group.
  LOOPS_HD void sync(site where = site::here()) const {
    if (size() == 1) return;
    if (within_wave()) {
      block_->wave_sync(where);
    } else {
      block_->sync(where);
    }
  }

  /// For a `p` that all lanes of the group agree on: whether it holds for any group that
  /// synchronises with this one. A barrier unless this group is alone.
  [[nodiscard]] LOOPS_HD bool any(bool p, site where = site::here()) const {
    if (whole_block || size() == Block::wave || size() == Block::threads) return p;
    return within_wave() ? block_->ballot(p, where) != 0 : block_->sync_any(p, where);
  }

  /// The combination of `v` over the group, on rank 0. Lanes: all. Sync: two barriers when larger
  /// than a wave. The order of combination depends on the size alone.
  template <class T, class Combine>
  LOOPS_HD T reduce(T v, const Combine& combine, group_storage<Block, T>& shared) const {
    const int width = size() < Block::wave ? size() : Block::wave;
    if constexpr (native::fixed_distances<Block>) {
      v = reduce_in_wave(*block_, v, width, combine);
    } else {
      for (int d = width / 2; d > 0; d /= 2) v = combine(v, block_->shuffle_down(v, d));
    }
    if constexpr (Block::threads > Block::wave) {
      if (!within_wave()) {
        const int wave = block_->lane() / Block::wave;
        block_->sync();
        if (block_->lane() % Block::wave == 0) shared.value[wave] = v;
        block_->sync();
        if (rank() == 0)
          for (int w = 1; w < size() / Block::wave; ++w) v = combine(v, shared.value[wave + w]);
      }
    }
    return v;
  }

  /// What a segmented scan leaves on a lane.
  template <class T>
  struct scanned {
    T before;  ///< everything open before this lane, back to the last lane that closed
    T total;   ///< everything open after the last lane; on all lanes
  };

  /// Segmented exclusive scan. Each lane brings what it left open (`open`) and whether it closed a
  /// segment before that (`closed`); `initial` is open before rank 0. Combines in lane order.
  /// Lanes: all. Sync: when larger than a wave one barrier, and shared memory is free again after
  /// the next one; a wave needs neither.
  template <class T, class Combine>
  LOOPS_HD scanned<T> scan_open(T open, bool closed, T initial, const Combine& combine,
                                group_storage<Block, T>& shared) const {
    if constexpr (Block::threads == 1) {
      return {initial, closed ? open : combine(initial, open)};
    } else {
      const int width = size() < Block::wave ? size() : Block::wave;
      const int lane = block_->lane() & (width - 1);
      for (int d = 1; d < width; d *= 2) {
        const T left = block_->shuffle_up(open, d);
        const bool left_closed = block_->shuffle_up(static_cast<int>(closed), d) != 0;
        if (lane >= d) {
          if (!closed) open = combine(left, open);
          closed = closed || left_closed;
        }
      }
      // Inclusive values now; what a lane needs is its left neighbour's.
      T before = block_->shuffle_up(open, 1);
      bool before_closed = block_->shuffle_up(static_cast<int>(closed), 1) != 0;
      T outer = initial;
      T total = initial;
      if (within_wave()) {
        const int last = (block_->lane() & (Block::wave - 1)) | (width - 1);
        const T last_open = block_->shuffle(open, last);
        const bool last_closed = block_->shuffle(static_cast<int>(closed), last) != 0;
        total = last_closed ? last_open : combine(initial, last_open);
      } else {
        const int wave = block_->lane() / Block::wave;
        if (lane == Block::wave - 1) {
          shared.value[wave] = open;
          shared.flag[wave] = closed;
        }
        block_->sync();
        const int first = wave & ~(size() / Block::wave - 1);
        for (int w = first; w < first + size() / Block::wave; ++w) {
          if (w == wave) outer = total;
          total = shared.flag[w] ? shared.value[w] : combine(total, shared.value[w]);
        }
      }
      if (lane == 0) return {outer, total};
      return {before_closed ? before : combine(outer, before), total};
    }
  }

 private:
  Block* block_;
  int lanes_;
};

}  // namespace loops
