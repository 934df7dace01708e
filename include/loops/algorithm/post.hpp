// SPDX-License-Identifier: Apache-2.0
/// Values that one slice leaves for a later one of the same launch.
#pragma once

#include "loops/backend/config.hpp"

#include <cstdint>

namespace loops::detail {

/// A box per slice, in device memory. A value lies in it in words that are half value, half mark,
/// each written in one piece: a word is there or it is not, so nothing has to be said about the
/// order of writes, which on a GPU takes longer than the rest. Whoever takes a value empties its
/// box for the next launch.
struct post {
  std::uint64_t* words = nullptr;  ///< the boxes; null: there are none
  /// More of them, for what slices have of the tile that they close, where last blocks join; null:
  /// whoever closes a tile joins it.
  std::uint64_t* heads = nullptr;
  /// Per slice, and one more: the slice with the first atom of the tile that this one begins inside
  /// of, or -1 when it begins with a tile.
  std::int32_t* begun = nullptr;
  std::int64_t* lost = nullptr;  ///< a slice that waited in vain, or 0
  std::int64_t patience = 0;     ///< looks at a box before giving up

  /// The boxes for heads as boxes of their own.
  [[nodiscard]] LOOPS_HD post of_heads() const { return {heads, nullptr, begun, lost, patience}; }
};

/// Words of a box for values of so many bytes.
template <std::size_t bytes>
inline constexpr int words_for = static_cast<int>((bytes + 3) / 4);

inline constexpr std::uint64_t post_mark = std::uint64_t{1} << 32;

/// Puts v into the box of slice s.
template <class Block, class Value>
LOOPS_HD void send(Block& block, const post& p, std::int64_t s, const Value& v) {
  constexpr int words = words_for<sizeof(Value)>;
  std::uint32_t half[words] = {};
  __builtin_memcpy(half, &v, sizeof(Value));
  LOOPS_UNROLL
  for (int k = 0; k < words; ++k) block.store_relaxed(p.words + s * words + k, post_mark | half[k]);
}

/// Combines what slices first, first + stride, … below `last` send, and waits for it: all of them
/// are slices of earlier blocks. Who waits too long says so in `lost` and takes what is there.
LOOPS_CALLS_USER
template <class Value, class Block, class Combine>
LOOPS_HD Value collect(Block& block, const post& p, std::int64_t first, std::int64_t last,
                       std::int64_t stride, const Combine& combine) {
  constexpr int words = words_for<sizeof(Value)>;
  // Boxes at a time: more of one word would cost kernels of small values registers they lack.
  constexpr int batch = words == 1 ? 4 : words < 8 ? 8 / words : 1;
  Value sum = combine.template identity<Value>();
  LOOPS_ROLLED
  for (std::int64_t s = first; s < last; s += batch * stride) {
    std::uint64_t word[batch * words];
    std::int64_t looks = 0;
    LOOPS_ROLLED
    for (;;) {
      std::uint64_t all = post_mark;
      LOOPS_UNROLL
      for (int i = 0; i < batch * words; ++i) {
        const std::int64_t from = s + i / words * stride;
        word[i] = post_mark;
        if (from < last) word[i] = block.load_relaxed(p.words + from * words + i % words);
        all &= word[i];
      }
      if (all != 0) break;
      if (++looks > p.patience) {
        block.store_relaxed(p.lost, last);
        break;
      }
      block.relax();
    }
    LOOPS_UNROLL
    for (int i = 0; i < batch; ++i) {
      const std::int64_t from = s + i * stride;
      if (from >= last) continue;
      std::uint32_t half[words];
      LOOPS_UNROLL
      for (int k = 0; k < words; ++k) {
        half[k] = static_cast<std::uint32_t>(word[i * words + k]);
        block.store_relaxed(p.words + from * words + k, std::uint64_t{0});
      }
      Value v;
      __builtin_memcpy(&v, half, sizeof(Value));
      sum = combine(sum, v);
    }
  }
  return sum;
}

}  // namespace loops::detail
