// SPDX-License-Identifier: Apache-2.0
/// How a block multiplies on Hopper: tiles, their shapes and stages.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"

#include <algorithm>
#include <cstddef>

namespace loops::hopper {

/// Which operand the rows of a block's tile come from. The matrix units take rows by the 64 and
/// columns by the 8: `swapped`, it is the columns of C that come by the 64.
enum class roles { straight, swapped };

/// A tile of Rows x Columns per block, a step 128 bytes deep. Up to `Deepest` blocks of a cluster
/// share the steps of a tile and join their sums. Two `Teams` of a warpgroup each take whole tiles
/// in turn, so that one multiplies while the other stores.
template <int Rows, int Columns, roles Roles = roles::straight, int Deepest = 1, int Teams = 1>
struct gemm_tile {
  static constexpr int rows = Rows;        ///< in the matrix units, by the 64
  static constexpr int columns = Columns;  ///< in the matrix units, by the 8
  static constexpr bool swapped = Roles == roles::swapped;
  static constexpr int deepest = Deepest;
  static constexpr int teams = Teams;
  static constexpr int consumers = Teams > 1     ? Teams
                                   : Rows == 64  ? 1
                                   : Rows == 192 ? 3
                                                 : 2;  ///< warpgroups that multiply
  static constexpr int team = consumers / Teams;       ///< those that have a tile together
  static constexpr int threads = 128 * (consumers + 1);
  static constexpr int row_blocks = Rows / (64 * team);  ///< of 64 rows, per warpgroup
  static constexpr int per_lane = Columns / 2;           ///< values of a row block
  static constexpr int a_bytes = Rows * 128;
  /// A B that is copied in whole blocks of so many columns, whatever the tile has of the last one.
  static constexpr int b_bytes(int block = 8) {
    return (Columns + block - 1) / block * block * 128;
  }
  static constexpr int groups = Columns / 8;  ///< of columns that are finished together
  /// Whether that many blocks can share the steps of a tile. Seven leave as many processors idle
  /// as eight: groups of 16 or 18 hold two such clusters.
  static constexpr bool can_be(int deep) {
    return deep == 1 || (deep > 0 && deep <= Deepest && deep != 7);
  }
  /// Groups for which a block has room to get the sums of others: all get as many, up to one part.
  static constexpr int room_groups = [] {
    int most = 1;
    for (int deep = 2; deep <= Deepest; ++deep)
      if (const int room = (deep - 1) * ((groups + deep - 1) / deep); can_be(deep) && room > most)
        most = room;
    return most;
  }();
  /// Where results wait to be stored, or the sums of blocks that share steps meet.
  static constexpr int staging_bytes =
      Deepest > 1 ? room_groups* Rows * 8 * 4 : consumers * 2 * 64 * 128;
  /// Steps in flight: as many as shared memory holds beside these and the barriers.
  static constexpr int stages(int b_block = 8) {
    return (227 * 1024 - 1024 - staging_bytes) / (a_bytes + b_bytes(b_block));
  }

  /// Whether clusters of this shape can share its operands: in equal parts of whole lines, as the
  /// swizzle goes by addresses, and of no more blocks than every device takes.
  static constexpr bool in_clusters(cluster_shape c) {
    return Columns % c.tall == 0 && Rows % c.wide == 0 && can_be(c.deep) && c.blocks() <= 8;
  }

  static_assert(Rows == 64 || Rows == 128 || Rows == 192 || Rows == 256,
                "rows per block: 64, 128, 192 or 256");
  static_assert(Teams == 1 || (Teams == 2 && Deepest == 1),
                "two teams, each of which has its tiles for itself");
  static_assert(row_blocks * per_lane <= 192, "the sums of a tile do not fit the registers");
};

/// A tile for operands of one kind. A turned operand is contiguous along its rows (A) or columns
/// (B) instead of along the depth, and copied in blocks of 128 bytes of these by the depth of a
/// step, squares of elements; A and B are those of the matrix units.
template <class Tile, class Kind, bool ATurned, bool BTurned>
struct gemm_config : Tile {
  using kind = Kind;
  using sum_type = typename Kind::sum;
  static constexpr bool a_turned = ATurned;
  static constexpr bool b_turned = BTurned;

  static constexpr int depth = 4 * Kind::depth;  ///< elements of a step
  static constexpr int element_bytes = 128 / depth;
  static constexpr int b_bytes = Tile::b_bytes(BTurned ? depth : 8);
  static constexpr int stages = Tile::stages(BTurned ? depth : 8);
  /// The matrix units turn elements of 16 bits themselves. Of larger ones, who multiplies reads A
  /// into registers, from where the units take it, too; B, which they read from shared memory only,
  /// is turned there by the waves of the first warpgroup that do not copy.
  static constexpr bool a_in_registers = ATurned && element_bytes > 2;
  static constexpr bool turns_stages = BTurned && element_bytes > 2;
  /// Large tiles take registers from the warpgroup that copies.
  static constexpr bool moves_registers = Tile::row_blocks * Tile::per_lane > 64;
  /// A processor has 512 for each lane of a warpgroup: so many for the one that copies, more where
  /// it copies squares or turns them and the sums leave as many, and so many for each of the
  /// others.
  static constexpr int sums = Tile::row_blocks * Tile::per_lane;
  static constexpr int copying_registers = turns_stages && sums <= 128                       ? 88
                                           : (turns_stages || a_in_registers) && sums <= 168 ? 56
                                           : Tile::consumers == 3                            ? 32
                                                                                             : 40;
  static constexpr int multiplying_registers =
      std::min(232, (512 - copying_registers) / Tile::consumers / 8 * 8);

  static_assert(!(ATurned || BTurned) || element_bytes >= 2, "8-bit operands cannot be turned");
  static_assert(Tile::deepest == 1 ||
                    stages * (Tile::a_bytes + b_bytes) >= Tile::rows * Tile::columns * 4,
                "sums are handed over through the memory of the stages");
  static_assert(stages > 2, "too few steps in flight");
};

}  // namespace loops::hopper
