// SPDX-License-Identifier: Apache-2.0
/// Copies a dense matrix into rows of whole packs, square by square.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"

#include <cstdint>

namespace loops::spmm_detail {

/// Elements of a piece, and how the blocks are launched that copy one each.
inline constexpr int piece_bits = 10;
inline constexpr int piece_size = 1 << piece_bits;
using piece_shape = shape<piece_size / 8, 8>;

/// The bits of a piece's width where rows have `stride` elements: a piece is a square at most.
inline int width_bits_for(std::int64_t stride) {
  int bits = 1;
  while (bits < piece_bits / 2 && (1 << bits) < stride) ++bits;
  return bits;
}

/// A tile is a piece of the matrix in columns `width` wide, a power of two: read as the matrix
/// lies, `From`, turned in shared memory, and written as rows. Elements that the matrix does not
/// have are zero.
template <class Bound, class V, layout From>
struct copy_squares {
  /// Lanes wait for memory: many of them, with registers for all that each has to read.
  static constexpr int wanted_lanes = 1024;
  Bound bound;
  dense_view<const V> from;
  V* to;
  std::int64_t stride;
  std::int64_t filled;  ///< elements of a row that are written
  std::int64_t across;  ///< pieces side by side
  int width_bits;

  template <class Block>
  struct storage {
    visit_storage visit;
    uninitialized<V, piece_size + piece_size / 2> piece;  ///< one element of padding per row
  };

  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr int each = piece_size / Block::threads;
    constexpr bool by_rows = From == layout::row_major;
    const int height_bits = piece_bits - width_bits;
    const int width = 1 << width_bits;
    const int height = 1 << height_bits;
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const std::int64_t strip = quotient(v.tile, across);
      const std::int64_t row = strip * height;
      const std::int64_t col = (v.tile - strip * across) * width;
      const int rows = v.valid ? most(height, from.rows - row) : 0;
      const int cols = most(width, from.cols - col);
      const V* const corner = from.data + (!v.valid  ? 0
                                           : by_rows ? row * from.stride + col
                                                     : col * from.stride + row);
      const int written = most(width, filled - col);
      V* const first = to + (row * stride + col);
      if constexpr (Block::threads == 1) {
        copy_alone(corner, rows, cols, first, written, shared.piece.data());
        return;
      }
      V read[each];
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const int r = by_rows ? i >> width_bits : i & (height - 1);
        const int c = by_rows ? i & (width - 1) : i >> height_bits;
        read[k] = V(accumulator_t<V>(0));
        if (r < rows && c < cols)
          read[k] =
              corner[static_cast<std::int64_t>(by_rows ? r : c) * from.stride + (by_rows ? c : r)];
      }
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const int r = by_rows ? i >> width_bits : i & (height - 1);
        const int c = by_rows ? i & (width - 1) : i >> height_bits;
        shared.piece[r * (width + 1) + c] = read[k];
      }
      block.sync();
      LOOPS_UNROLL
      for (int k = 0; k < each; ++k) {
        const int i = block.lane() + k * Block::threads;
        const int r = i >> width_bits;
        const int c = i & (width - 1);
        if (r < rows && c < written)
          first[static_cast<std::int64_t>(r) * stride + c] = shared.piece[r * (width + 1) + c];
      }
    });
  }

 private:
  /// A CPU reads lines of one and writes lines of the other, and turns them in between, where
  /// nothing is far apart.
  LOOPS_HD void copy_alone(const V* corner, int rows, int cols, V* first, int written,
                           V* piece) const {
    constexpr bool by_rows = From == layout::row_major;
    const int pitch = (1 << width_bits) + 1;
    if constexpr (!by_rows) {
      for (int c = 0; c < cols; ++c)
        for (int r = 0; r < rows; ++r) piece[r * pitch + c] = corner[c * from.stride + r];
    }
    for (int r = 0; r < rows; ++r) {
      const V* const row = by_rows ? corner + r * from.stride : piece + r * pitch;
      for (int c = 0; c < written; ++c)
        first[r * stride + c] = c < cols ? row[c] : V(accumulator_t<V>(0));
    }
  }
  /// `left`, but not more than `most`.
  static LOOPS_HD int most(int most, std::int64_t left) {
    return left < most ? static_cast<int>(left) : most;
  }
};

}  // namespace loops::spmm_detail
