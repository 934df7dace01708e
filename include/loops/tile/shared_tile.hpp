// SPDX-License-Identifier: Apache-2.0
/// A tile in shared memory: rows of 16-byte chunks, permuted so that lanes meet no bank twice.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/tile/atom.hpp"

#include <cstdint>

namespace loops::tile {

/// Chunk c of row r lies at c ^ f(r), f(r) = ((r >> Shift) & (2^Bits - 1)) << Lift.
template <int Shift, int Bits, int Lift = 0>
struct xor_swizzle {
  /// Rows after which f repeats.
  static constexpr int period = Bits > 0 ? 1 << (Shift + Bits) : 1;
  static constexpr int largest = ((1 << Bits) - 1) << Lift;
  static LOOPS_HD constexpr int of(int row) { return ((row >> Shift) & ((1 << Bits) - 1)) << Lift; }
};
using no_swizzle = xor_swizzle<0, 0>;

/// The direction in which a tile of an operand is contiguous in shared memory: along k, or along
/// the rows of A (columns of B).
enum class major { k, outer };

/// `Outer` x `K` elements of an operand. Chunks of 16 bytes stay whole, whatever the swizzle.
template <class T, int Outer, int K, major Major, class Swizzle>
struct shared_tile {
  using element = T;
  using swizzle = Swizzle;
  static constexpr major order = Major;
  static constexpr int outer = Outer;
  static constexpr int k = K;
  /// Rows of chunks, and elements in a row.
  static constexpr int rows = Major == major::k ? Outer : K;
  static constexpr int width = Major == major::k ? K : Outer;
  /// Elements in a chunk of 16 bytes.
  static constexpr int chunk = 16 / int(sizeof(T));
  static constexpr int chunks = width / chunk;
  static_assert(Swizzle::largest == 0 ||
                    (chunks > Swizzle::largest && (chunks & (chunks - 1)) == 0),
                "the swizzle moves chunks out of their row");
  static_assert(width % chunk == 0, "rows of a shared tile are whole chunks of 16 bytes");

  // Bytes, because shared memory runs no constructors.
  alignas(128) unsigned char bytes[sizeof(T) * rows * width];
  [[nodiscard]] LOOPS_HD T* data() { return reinterpret_cast<T*>(bytes); }
  [[nodiscard]] LOOPS_HD const T* data() const { return reinterpret_cast<const T*>(bytes); }

  /// The index in `data()` of element (row, at), `at` counted along the row.
  static LOOPS_HD constexpr int index_in_row(int row, int at) {
    return row * width + (((at / chunk) ^ Swizzle::of(row)) * chunk) + at % chunk;
  }
  /// The index in `data()` of an element of the operand.
  static LOOPS_HD constexpr int index(operand_place p) {
    if constexpr (Major == major::k) {
      return index_in_row(p.outer, p.k);
    } else {
      return index_in_row(p.k, p.outer);
    }
  }
};

}  // namespace loops::tile
