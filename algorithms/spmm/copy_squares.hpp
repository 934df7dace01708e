// SPDX-License-Identifier: Apache-2.0
/// Copies a dense matrix into rows of whole packs, square by square.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>

namespace loops::spmm_detail {

/// A tile is a piece of the matrix, `size` elements in columns `width` wide, a power of two up to
/// 32: read as the matrix lies, turned in shared memory, and written as rows. Elements that the
/// matrix does not have are zero.
template <class Bound, class V>
struct copy_squares {
  static constexpr int size = 1024;
  static constexpr int widest = 32;
  static constexpr int wanted_lanes = 0;
  Bound bound;
  dense_view<const V> from;
  V* to;
  std::int64_t stride;
  std::int64_t filled;  ///< elements of a row that are written
  std::int64_t across;  ///< pieces side by side
  int width;

  /// The width for rows of `stride` elements.
  static int width_for(std::int64_t stride) {
    int width = 2;
    while (width < widest && width < stride) width *= 2;
    return width;
  }

  template <class Block>
  struct storage {
    visit_storage visit;
    uninitialized<V, size + size / 2> piece;  ///< one element of padding per row
  };

  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr int each = size / Block::threads;
    const int height = size / width;
    const bool by_rows = from.order == layout::rows;
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const std::int64_t strip = v.tile / across;
      const std::int64_t row = strip * height;
      const std::int64_t col = (v.tile - strip * across) * width;
      V read[each];
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const std::int64_t r = row + (by_rows ? i / width : i & (height - 1));
        const std::int64_t c = col + (by_rows ? i & (width - 1) : i / height);
        read[k] = V(accumulator_t<V>(0));
        if (v.valid && r < from.rows && c < from.cols) read[k] = from(r, c);
      }
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const int r = by_rows ? i / width : i & (height - 1);
        const int c = by_rows ? i & (width - 1) : i / height;
        shared.piece[r * (width + 1) + c] = read[k];
      }
      block.sync();
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const int r = i / width;
        const int c = i & (width - 1);
        if (v.valid && row + r < from.rows && col + c < filled)
          to[(row + r) * stride + col + c] = shared.piece[r * (width + 1) + c];
      }
    });
  }
};

}  // namespace loops::spmm_detail
