// SPDX-License-Identifier: Apache-2.0
/// Bundles: neighbouring lanes that act as one, each holding its share of values wider than a lane.
#pragma once

#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>

namespace loops {

/// A block whose lanes are bundles of `Width` lanes of `Block`, a power of two up to the wave. All
/// members of a bundle see the same lane number and so do the same; what they hold differs. The
/// grid may hold several copies of itself, `blocks` blocks each, for values that are wider than a
/// bundle: member m of copy c holds share c * Width + m. Copies follow each other; on a CPU those
/// of a block do, so that each finds in the caches what the one before has read. A kernel that
/// combines values share by share need not know that it runs in bundles.
template <class Block, int Width>
class bundle_block {
  static_assert(Width > 0 && (Width & (Width - 1)) == 0 && Width <= Block::wave,
                "the lanes of a bundle: a power of two, at most a wave");

 public:
  static constexpr int threads = Block::threads / Width;
  static constexpr int wave = Block::wave / Width;
  static constexpr int items = Block::items;
  static constexpr int batch = Block::batch;
  static constexpr int members = Width;

  LOOPS_HD bundle_block(Block& block, std::int64_t blocks)
      : block_(&block),
        blocks_(blocks),
        copy_(alone ? block.id() % copies() : block.id() / blocks) {}

  [[nodiscard]] LOOPS_HD int lane() const { return block_->lane() / Width; }
  [[nodiscard]] LOOPS_HD std::int64_t id() const {
    return alone ? block_->id() / copies() : block_->id() - copy_ * blocks_;
  }
  [[nodiscard]] LOOPS_HD std::int64_t blocks() const { return blocks_; }
  /// Which lane of its bundle this is.
  [[nodiscard]] LOOPS_HD int member() const { return block_->lane() & (Width - 1); }
  /// Which copy of the grid this block belongs to.
  [[nodiscard]] LOOPS_HD std::int64_t copy() const { return copy_; }
  /// Which share of every value this lane holds.
  [[nodiscard]] LOOPS_HD int share() const { return static_cast<int>(copy_) * Width + member(); }

  LOOPS_HD void sync(site where = site::here()) const { block_->sync(where); }
  LOOPS_HD bool sync_any(bool p, site where = site::here()) const {
    return block_->sync_any(p, where);
  }
  LOOPS_HD void wave_sync(site where = site::here()) const { block_->wave_sync(where); }
  template <class T>
  LOOPS_HD T shuffle(T v, int lane, site where = site::here()) const {
    return block_->shuffle(v, lane * Width + member(), where);
  }
  template <class T>
  LOOPS_HD T shuffle_up(T v, int d, site where = site::here()) const {
    return block_->shuffle_up(v, d * Width, where);
  }
  template <class T>
  LOOPS_HD T shuffle_down(T v, int d, site where = site::here()) const {
    return block_->shuffle_down(v, d * Width, where);
  }
  template <class T>
  LOOPS_HD T shuffle_xor(T v, int d, site where = site::here()) const {
    return block_->shuffle_xor(v, d * Width, where);
  }
  /// Of all lanes of all copies of the grid, which this is, and how many there are.
  [[nodiscard]] LOOPS_HD std::int64_t lane_of_grid() const {
    return block_->id() * Block::threads + block_->lane();
  }
  [[nodiscard]] LOOPS_HD std::int64_t lanes_of_grid() const {
    return block_->blocks() * Block::threads;
  }

  /// Bit l set where p holds on bundle l of the wave; the members of a bundle agree on p.
  LOOPS_HD std::uint64_t ballot(bool p, site where = site::here()) const {
    const std::uint64_t lanes = block_->ballot(p, where);
    if constexpr (Width == 1) return lanes;
    std::uint64_t bundles = 0;
    for (int i = 0; i < wave; ++i) bundles |= (lanes >> (i * Width) & 1u) << i;
    return bundles;
  }

  /// Whether `p` holds on any lane of the wave.
  LOOPS_HD bool any_in_wave(bool p, site where = site::here()) const {
    return block_->ballot(p, where) != 0;
  }
  /// What member m has. Lanes: all of the wave.
  template <class T>
  LOOPS_HD T from_member(T v, int m, site where = site::here()) const {
    if constexpr (Width == 1) return v;
    return block_->shuffle(v, lane() % wave * Width + m, where);
  }

  /// The combination of `v` over the members of each bundle, on all of them. Lanes: all of the
  /// wave.
  template <class T, class Combine>
  LOOPS_HD T reduce_members(T v, const Combine& combine, site where = site::here()) const {
    LOOPS_UNROLL
    for (int d = Width / 2; d > 0; d /= 2) v = combine(v, block_->shuffle_xor(v, d, where));
    return v;
  }

  /// Atomics are each member's own: what a bundle should do once, its member 0 does.
  template <class T>
  LOOPS_HD T atomic_add(T* at, T v) const {
    return block_->atomic_add(at, v);
  }
  template <class T>
  LOOPS_HD T add_together(T* at, T v) const {
    return block_->add_together(at, v);
  }
  template <class T>
  LOOPS_HD void accumulate(T* at, T v) const {
    block_->accumulate(at, v);
  }
  template <class T>
  LOOPS_HD T atomic_max(T* at, T v) const {
    return block_->atomic_max(at, v);
  }
  template <class T>
  LOOPS_HD T atomic_min(T* at, T v) const {
    return block_->atomic_min(at, v);
  }
  template <class T>
  LOOPS_HD T atomic_or(T* at, T v) const {
    return block_->atomic_or(at, v);
  }
  template <class T>
  LOOPS_HD T load_acquire(T* at) const {
    return block_->load_acquire(at);
  }
  template <class T>
  LOOPS_HD void store_release(T* at, T v) const {
    block_->store_release(at, v);
  }
  template <class T>
  LOOPS_HD T load_relaxed(T* at) const {
    return block_->load_relaxed(at);
  }
  template <class T>
  LOOPS_HD void store_relaxed(T* at, T v) const {
    block_->store_relaxed(at, v);
  }
  template <class T>
  LOOPS_HD void answer(T* at, T v) const {
    block_->answer(at, v);
  }
  template <class T>
  LOOPS_HD bool reached(T* at, T v) const {
    return block_->reached(at, v);
  }
  /// v as it is: members may hold different values where lanes agree.
  template <class T>
  LOOPS_HD T uniform(T v, site = site::here()) const {
    return v;
  }
  LOOPS_HD void let_next_start() const { block_->let_next_start(); }
  LOOPS_HD void relax() const { block_->relax(); }
  LOOPS_HD void await_previous() const { block_->await_previous(); }

 private:
  static constexpr bool alone = Block::threads == 1;
  [[nodiscard]] LOOPS_HD std::int64_t copies() const { return block_->blocks() / blocks_; }

  Block* block_;
  std::int64_t blocks_;
  std::int64_t copy_;
};

/// Whether `p` holds on any lane of the wave. Lanes: all of it.
template <class Block>
LOOPS_HD bool any_in_wave(const Block& block, bool p, site where = site::here()) {
  return block.ballot(p, where) != 0;
}
template <class Block, int Width>
LOOPS_HD bool any_in_wave(const bundle_block<Block, Width>& block, bool p,
                          site where = site::here()) {
  return block.any_in_wave(p, where);
}

/// What member m of the caller's bundle has. Lanes: all of the wave.
template <class Block, class T>
LOOPS_HD T from_member(const Block&, T v, int, site = site::here()) {
  return v;
}
template <class Block, int Width, class T>
LOOPS_HD T from_member(const bundle_block<Block, Width>& block, T v, int m,
                       site where = site::here()) {
  return block.from_member(v, m, where);
}

/// Lanes that share a lane number in a `Block`: more than one in bundles only.
template <class Block>
inline constexpr int members_of = 1;
template <class Block, int Width>
inline constexpr int members_of<bundle_block<Block, Width>> = Width;

namespace native {
template <class Block, int Width>
inline constexpr bool tested_loads_overlap<bundle_block<Block, Width>> =
    tested_loads_overlap<Block>;
template <class Block, int Width>
inline constexpr bool fixed_distances<bundle_block<Block, Width>> = fixed_distances<Block>;
}  // namespace native

/// Which of the lanes of this number the caller is.
template <class Block>
LOOPS_HD int member_of([[maybe_unused]] const Block& block) {
  if constexpr (members_of < Block >> 1) {
    return block.member();
  } else {
    return 0;
  }
}

/// Which lane of the grid the caller is: with bundles, of all copies of it, member by member.
template <class Block>
LOOPS_HD std::int64_t lane_of_grid(const Block& block) {
  if constexpr (requires { block.lane_of_grid(); }) {
    return block.lane_of_grid();
  } else {
    return block.id() * Block::threads + block.lane();
  }
}
/// How many these are.
template <class Block>
LOOPS_HD std::int64_t lanes_of_grid(const Block& block) {
  if constexpr (requires { block.lanes_of_grid(); }) {
    return block.lanes_of_grid();
  } else {
    return block.blocks() * Block::threads;
  }
}

}  // namespace loops
