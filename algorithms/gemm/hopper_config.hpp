// SPDX-License-Identifier: Apache-2.0
/// How a block multiplies on Hopper: tile, stages, clusters; and the configurations to choose from.
#pragma once

#include <tuple>

namespace loops::hopper {

/// A tile of Rows x Columns per block, a step 128 bytes deep, Stages steps in flight. The blocks of
/// a cluster form a tile of the work, Tall of them below each other and Wide beside each other:
/// each fetches its part of A for those beside it, and its part of B for those above and below. And
/// `Split` such groups share the steps and join their sums through distributed shared memory.
template <int Rows, int Columns, int Stages, int Tall = 1, int Wide = 1, int Split = 1>
struct gemm_tile {
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int stages = Stages;
  static constexpr int tall = Tall;
  static constexpr int wide = Wide;
  static constexpr int split = Split;
  static_assert(Rows == 64 || Rows == 128 || Rows == 256, "rows per block: 64, 128 or 256");
  static_assert(Tall * Wide * Split <= 8, "every device takes clusters of up to 8 blocks");
  static_assert(Columns % (8 * Split) == 0, "blocks that share steps finish 8 columns at a time");
};

/// The tiles that a plan chooses from; a number in `gemm_choice` counts in this list. Large tiles
/// and clusters move fewer bytes per multiplication, small ones leave fewer processors idle, and
/// shared steps are for few tiles of many steps.
using gemm_menu =
    std::tuple<gemm_tile<128, 256, 4, 2>, gemm_tile<128, 256, 4, 2, 2>, gemm_tile<128, 256, 4>,
               gemm_tile<256, 192, 3, 1, 2>, gemm_tile<256, 192, 3>, gemm_tile<256, 128, 4>,
               gemm_tile<128, 192, 4, 2>, gemm_tile<128, 128, 6>, gemm_tile<128, 128, 6, 2, 2>,
               gemm_tile<128, 128, 6, 1, 4>, gemm_tile<128, 128, 6, 4, 2>, gemm_tile<64, 192, 6>,
               gemm_tile<64, 128, 8>, gemm_tile<64, 128, 8, 2, 2>, gemm_tile<64, 128, 8, 4, 2>,
               gemm_tile<64, 64, 13>, gemm_tile<128, 128, 5, 2, 1, 4>,
               gemm_tile<64, 128, 8, 2, 1, 4>, gemm_tile<64, 64, 13, 1, 1, 4>,
               gemm_tile<64, 64, 13, 1, 1, 8>, gemm_tile<128, 224, 4, 4, 2>, gemm_tile<128, 160, 5>,
               gemm_tile<128, 160, 5, 4, 2>, gemm_tile<128, 160, 5, 2, 4>,
               gemm_tile<128, 160, 4, 1, 1, 4>, gemm_tile<64, 96, 10, 1, 1, 4>>;

/// Whether a tile of so many columns can be of a B that is contiguous along them.
constexpr bool takes_turned_b(int columns) {
  return columns % 64 == 0;
}

/// The facts of one line of the menu.
struct config_facts {
  int rows = 0;
  int columns = 0;
  int stages = 0;
  int tall = 1;
  int wide = 1;
  int split = 1;
};

inline constexpr int gemm_configs = static_cast<int>(std::tuple_size_v<gemm_menu>);

namespace detail {
template <class... Tiles>
constexpr auto facts_of(std::tuple<Tiles...>*) {
  struct list {
    config_facts at[sizeof...(Tiles)];
  };
  return list{
      {{Tiles::rows, Tiles::columns, Tiles::stages, Tiles::tall, Tiles::wide, Tiles::split}...}};
}
inline constexpr auto menu_facts = facts_of(static_cast<gemm_menu*>(nullptr));
}  // namespace detail

/// Lines of the menu that an operand B can use, always the first ones.
constexpr int lines_for(bool b_turned) {
  int lines = 0;
  while (lines < gemm_configs &&
         (!b_turned || takes_turned_b(detail::menu_facts.at[lines].columns)))
    ++lines;
  return lines;
}

/// Line `config` of the menu.
constexpr const config_facts& facts(int config) {
  return detail::menu_facts.at[config];
}

/// A tile for operands of one kind. A turned operand is contiguous along its rows (A) or columns
/// (B) instead of along the depth.
template <class Tile, class Kind, bool ATurned, bool BTurned>
struct gemm_config : Tile {
  using kind = Kind;
  static constexpr bool a_turned = ATurned;
  static constexpr bool b_turned = BTurned;

  static constexpr int cluster = Tile::tall * Tile::wide * Tile::split;
  static constexpr int depth = 4 * Kind::depth;  ///< elements of a step
  static constexpr int element_bytes = 128 / depth;
  static constexpr int consumers = Tile::rows == 64 ? 1 : 2;  ///< warpgroups that multiply
  static constexpr int threads = 128 * (consumers + 1);
  static constexpr int row_blocks = Tile::rows / (64 * consumers);  ///< of 64 rows, per warpgroup
  static constexpr int per_lane = Tile::columns / 2;                ///< values of a row block
  static constexpr int a_bytes = Tile::rows * 128;
  static constexpr int b_bytes = Tile::columns * 128;
  /// Large tiles take registers from the warpgroup that copies.
  static constexpr bool moves_registers = row_blocks * per_lane > 64;

  static_assert(!(ATurned || BTurned) || element_bytes == 2, "only 16-bit operands can be turned");
  static_assert(takes_turned_b(Tile::columns) || !BTurned,
                "a turned B is copied in blocks of 64 columns");
};

}  // namespace loops::hopper
