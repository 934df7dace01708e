// SPDX-License-Identifier: Apache-2.0
/// How a slice learns, inside of a launch, what earlier slices left open: a tree of boxes.
#pragma once

#include "loops/algorithm/post.hpp"
#include "loops/backend/native.hpp"
#include "loops/collective/group.hpp"

#include <cstdint>

namespace loops::detail {

/// A box per slice, one per `fan` slices, and one per `fan` of these, in device memory. Many read a
/// box, so nobody can empty it: the mark beside the value, in the same words as in `post`, counts
/// launches. Every slice writes its own box in every launch, so by that box each knows the count.
struct carry_tree {
  static constexpr int bits = 5;
  static constexpr int fan = 1 << bits;
  static constexpr int levels = 3;

  std::uint64_t* words = nullptr;  ///< null: there is none
  std::int64_t* lost = nullptr;    ///< a slice that waited in vain, or 0
  std::int64_t slices = 0;
  int stride = 0;             ///< words from box to box: of a plan's values, which may be larger
  std::int64_t patience = 0;  ///< looks at a box before giving up

  /// How many boxes stand for so many, `up` levels below.
  template <class Count>
  [[nodiscard]] static LOOPS_HD constexpr Count families(Count boxes, int up) {
    const int all = up * bits;
    return (boxes + ((Count{1} << all) - 1)) >> all;
  }
  /// Boxes for so many slices.
  [[nodiscard]] static constexpr std::int64_t boxes(std::int64_t slices) {
    std::int64_t all = 0;
    for (int level = 0; level < levels; ++level, slices = families(slices, 1)) all += slices;
    return all;
  }
  /// The first box of a level.
  [[nodiscard]] LOOPS_HD std::int64_t first(int level) const {
    std::int64_t at = 0;
    std::int64_t count = slices;
    for (int k = 0; k < level; ++k) {
      at += count;
      count = families(count, 1);
    }
    return at;
  }
};

/// What one slice does with the tree; on all lanes of a wave.
template <class Block, class Value>
class carried {
  static constexpr int words = words_for<sizeof(Value)>;
  using box = std::uint32_t;  // which of a level
  static constexpr box fan = carry_tree::fan;

 public:
  /// Before anybody of this block sends.
  LOOPS_HD carried(Block& block, const carry_tree& tree, std::int64_t slice)
      : block_(&block), tree_(&tree), slice_(slice) {
    launch_ =
        static_cast<std::uint32_t>(block.load_relaxed(tree.words + slice * tree.stride) >> 32) + 1;
  }

  /// Says what is open behind the slice. Once per launch, and before anything is collected.
  LOOPS_HD void send(const Value& open) const { put(slice_, open); }

  /// What is open where the slice begins, in a tile whose first atom slice `begun` has; on the
  /// first lane. `open` is what the slice sent, `passes` that no tile ends in it. Combines in the
  /// order of the slices. Lanes: a wave.
  LOOPS_CALLS_USER
  template <class Combine>
  LOOPS_HD Value collect(std::int64_t begun, bool passes, const Value& open,
                         const Combine& combine) const {
    // Offsets may be anything; slices are as many as blocks, which 32 bits count.
    auto high = static_cast<box>(slice_);
    const auto first = static_cast<box>(begun < 0 ? 0 : begun < slice_ ? begun : slice_);
    Value sum = combine.template identity<Value>();
    // Up, from the slice towards the first: every family that ends with it.
    int level = 0;
    LOOPS_ROLLED
    for (;; ++level) {
      const box low = carry_tree::families(first, level);
      const box up = high >> carry_tree::bits;
      const bool top = level == carry_tree::levels - 1 || low >= up * fan;
      sum = combine(await(level, top ? low : up * fan, high, combine), sum);
      // Whoever completes a family says what it comes to. Where a tile ends or begins inside,
      // nobody asks for that.
      passes = passes && level < carry_tree::levels - 1 && high - up * fan == fan - 1;
      if (passes) {
        const Value through = combine(sum, open);
        if (wave_lane() == 0) put(tree_->first(level + 1) + up, through);
      }
      if (top) break;
      high = up;
    }
    // And down, from there to the first.
    LOOPS_ROLLED
    while (--level >= 0) {
      const box low = carry_tree::families(first, level);
      const box next = carry_tree::families(low, 1);
      sum = combine(await(level, low, next * fan, combine), sum);
    }
    return sum;
  }

 private:
  [[nodiscard]] LOOPS_HD int wave_lane() const { return block_->lane() & (Block::wave - 1); }

  LOOPS_HD void put(std::int64_t at, const Value& v) const {
    std::uint32_t half[words] = {};
    __builtin_memcpy(half, &v, sizeof(Value));
    LOOPS_UNROLL
    for (int k = 0; k < words; ++k)
      block_->store_relaxed(tree_->words + at * tree_->stride + k,
                            std::uint64_t{launch_} << 32 | half[k]);
  }

  /// Boxes [first, last) of a level, combined in their order, on the first lane.
  LOOPS_CALLS_USER
  template <class Combine>
  LOOPS_HD Value await(int level, box first, box last, const Combine& combine) const {
    const std::int64_t base = tree_->first(level);
    Value sum = combine.template identity<Value>();
    // Neighbours for every lane: one each, below the highest level.
    const box each = first < last ? (last - first - 1) / Block::wave + 1 : 0;
    const box mine = first + static_cast<box>(wave_lane()) * each;
    LOOPS_ROLLED
    for (box i = mine; i < last && i < mine + each; ++i) sum = combine(sum, take(base + i));
    return chain_in_wave(*block_, sum, combine);
  }

  LOOPS_HD Value take(std::int64_t at) const {
    std::uint32_t half[words];
    std::int64_t looks = 0;
    LOOPS_ROLLED
    for (;;) {
      bool all = true;
      LOOPS_UNROLL
      for (int k = 0; k < words; ++k) {
        const std::uint64_t word = block_->load_relaxed(tree_->words + at * tree_->stride + k);
        half[k] = static_cast<std::uint32_t>(word);
        all = all && word >> 32 == launch_;
      }
      if (all) break;
      if (++looks > tree_->patience) {
        block_->store_relaxed(tree_->lost, slice_ + 1);
        break;
      }
      block_->relax();
    }
    Value v;
    __builtin_memcpy(&v, half, sizeof(Value));
    return v;
  }

  Block* block_;
  const carry_tree* tree_;
  std::int64_t slice_;
  std::uint32_t launch_;
};

}  // namespace loops::detail
