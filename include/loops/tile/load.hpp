// SPDX-License-Identifier: Apache-2.0
/// Reads what a lane holds of an operand from a shared tile, as many elements at once as lie there.
#pragma once

#include "loops/tile/atom.hpp"
#include "loops/tile/atoms_wave32.hpp"
#include "loops/tile/shared_tile.hpp"

#include <type_traits>

#if LOOPS_CUDA
#include "loops/backend/cuda/mma.hpp"
#endif

namespace loops::tile {

/// In which order, and how many at once, the elements of a fragment are read from a tile.
template <class Tile, class Fragment>
struct read_plan {
  static constexpr int count = Fragment::count;
  static constexpr bool along_k = Tile::order == major::k;

  /// The elements of a lane in the order of memory.
  struct order_type {
    int at[count];
  };
  static constexpr order_type sorted() {
    order_type o{};
    for (int i = 0; i < count; ++i) {
      int j = i;
      for (; j > 0 && before(i, o.at[j - 1]); --j) o.at[j] = o.at[j - 1];
      o.at[j] = i;
    }
    return o;
  }
  static constexpr order_type order = sorted();

  /// Elements that are neighbours in memory for every lane, aligned, and inside a chunk.
  static constexpr int run() {
    int r = Tile::chunk < count ? Tile::chunk : count;
    while (r > 1 && !neighbours(r)) r /= 2;
    return r;
  }

  /// Whether runs are made of registers of four bytes, in the lane's own order.
  static constexpr bool whole_words() {
    using element = typename Tile::element;
    if (sizeof(element) >= 4 || run() * sizeof(element) < 4) return false;
    constexpr int piece = sizeof(element) < 4 ? 4 / int(sizeof(element)) : 1;
    for (int i = 0; i < count; i += piece)
      for (int j = 0; j < piece; ++j)
        if (order.at[i + j] != order.at[i] + j || order.at[i] % piece != 0) return false;
    return true;
  }

  static LOOPS_HD constexpr int row(operand_place p) { return along_k ? p.outer : p.k; }
  static LOOPS_HD constexpr int along(operand_place p) { return along_k ? p.k : p.outer; }

 private:
  static constexpr bool before(int i, int j) {
    const operand_place p = Fragment::place(0, i);
    const operand_place q = Fragment::place(0, j);
    return row(p) != row(q) ? row(p) < row(q) : along(p) < along(q);
  }
  static constexpr bool neighbours(int r) {
    if (count % r != 0) return false;
    for (int lane = 0; lane < Fragment::atom::wave; ++lane)
      for (int i = 0; i < count; i += r) {
        const operand_place first = Fragment::place(lane, order.at[i]);
        if (along(first) % r != 0) return false;
        for (int j = 1; j < r; ++j) {
          const operand_place p = Fragment::place(lane, order.at[i + j]);
          if (row(p) != row(first) || along(p) != along(first) + j) return false;
        }
      }
    return true;
  }
};

/// The index in the tile where lane `lane` begins to read run `group` of the fragment at (outer,
/// k). Requires: outer and k are multiples of what the fragment covers.
template <class Tile, class Fragment>
LOOPS_HD constexpr int read_index(int lane, int group, int outer, int k) {
  using plan = read_plan<Tile, Fragment>;
  constexpr auto order = plan::sorted();
  const operand_place p = Fragment::place(lane, order.at[group * plan::run()]);
  const int row = plan::row(p);
  const int base_row = plan::along_k ? outer : k;
  const int base_along = plan::along_k ? k : outer;
  // The bases repeat the swizzle's period, so the lane alone decides it.
  const int at = base_along + plan::along(p);
  return (base_row + row) * Tile::width +
         (((at / Tile::chunk) ^ Tile::swizzle::of(row)) * Tile::chunk) + at % Tile::chunk;
}

/// Whether ldmatrix can fill the fragment: registers of four bytes that lie as it hands them out.
template <class Tile, class Fragment>
struct by_matrices {
  static constexpr bool value = false;
};
template <class Tile, class TA, class TB, operand Which>
struct by_matrices<Tile, operand_fragment<mma_m16n8<TA, TB>, Which>> {
  using fragment = operand_fragment<mma_m16n8<TA, TB>, Which>;
  static constexpr bool value =
      std::is_same_v<typename Tile::element, typename fragment::element> &&
      (Tile::order == major::k || sizeof(typename Tile::element) == 2);
  /// 8 x 8 matrices (of 16-bit units) in the fragment.
  static constexpr int matrices = Which == operand::a ? 4 : 2;
  /// The index in the tile of the row of 16 bytes whose address lane `lane` gives.
  static LOOPS_HD constexpr int row_index(int lane, int outer, int k) {
    const int matrix = lane / 8 % matrices;
    // Registers run first down the rows of A, then along k; B's along k only.
    const int down = Which == operand::a ? matrix % 2 : 0;
    const int along = Which == operand::a ? matrix / 2 : matrix;
    if constexpr (Tile::order == major::k) {
      const int row = lane % 8 + 8 * down;
      return (outer + row) * Tile::width +
             (((k / Tile::chunk + along) ^ Tile::swizzle::of(row)) * Tile::chunk);
    } else {
      const int row = lane % 8 + 8 * along;
      return (k + row) * Tile::width +
             (((outer / Tile::chunk + down) ^ Tile::swizzle::of(row)) * Tile::chunk);
    }
  }
};

/// Fills `to` with this lane's elements of the fragment whose corner is (outer, k) in `from`.
/// Elements are converted where the instruction wants another type than the tile holds.
template <class Tile, class Fragment>
LOOPS_HD void load(Fragment& to, const Tile& from, int lane, int outer, int k) {
  using plan = read_plan<Tile, Fragment>;
  using stored = typename Tile::element;
  using wanted = typename Fragment::element;
  constexpr int step = plan::along_k ? Fragment::outer : Fragment::atom::k;
  static_assert(step % Tile::swizzle::period == 0, "the swizzle must repeat at every fragment");
#if LOOPS_CUDA && LOOPS_DEVICE_PASS
  using matrices = by_matrices<Tile, Fragment>;
  if constexpr (matrices::value) {
    std::uint32_t words[matrices::matrices];
    gpu::load_matrices<matrices::matrices, Tile::order == major::outer>(
        words, from.data() + matrices::row_index(lane, outer, k));
    __builtin_memcpy(to.at, words, sizeof(words));
    return;
  }
#endif
  constexpr int run = plan::run();
  constexpr auto order = plan::sorted();
  struct alignas(sizeof(stored) * run) pack {
    stored at[run];
  };
  LOOPS_UNROLL
  for (int g = 0; g < plan::count / run; ++g) {
    const pack p =
        *reinterpret_cast<const pack*>(from.data() + read_index<Tile, Fragment>(lane, g, outer, k));
    if constexpr (std::is_same_v<stored, wanted> && plan::whole_words()) {
      // By registers: compilers are slow to see that 8- and 16-bit pieces make up words.
      constexpr int piece = 4 / int(sizeof(stored));
      LOOPS_UNROLL
      for (int j = 0; j < run; j += piece)
        __builtin_memcpy(&to.at[order.at[g * run + j]], &p.at[j], 4);
    } else {
      LOOPS_UNROLL
      for (int j = 0; j < run; ++j) {
        if constexpr (std::is_same_v<stored, wanted>) {
          to.at[order.at[g * run + j]] = p.at[j];
        } else {
          to.at[order.at[g * run + j]] = wanted(float(p.at[j]));
        }
      }
    }
  }
}

}  // namespace loops::tile
