// SPDX-License-Identifier: Apache-2.0
/// The tiles and clusters that a GEMM on Hopper chooses from.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace loops::hopper {

/// The tiles, each of which is a kernel: first those whose columns are whole blocks of 64, as
/// turned operands want them.
using menu_tiles = std::tuple<
    gemm_tile<256, 192>, gemm_tile<256, 128>, gemm_tile<192, 128>, gemm_tile<128, 256>,
    gemm_tile<128, 192>, gemm_tile<128, 128>, gemm_tile<64, 128>, gemm_tile<64, 64>,
    gemm_tile<192, 192, roles::swapped>, gemm_tile<64, 128, roles::swapped>,
    gemm_tile<128, 128, roles::straight, 8>, gemm_tile<64, 128, roles::straight, 8>,
    gemm_tile<64, 64, roles::straight, 8>, gemm_tile<64, 64, roles::swapped, 8>, gemm_tile<192, 80>,
    gemm_tile<128, 224>, gemm_tile<128, 208>, gemm_tile<128, 144>, gemm_tile<128, 96>,
    gemm_tile<128, 80>, gemm_tile<64, 160>, gemm_tile<64, 144>, gemm_tile<64, 80>,
    gemm_tile<256, 176, roles::swapped>, gemm_tile<256, 160, roles::swapped>,
    gemm_tile<192, 144, roles::swapped>, gemm_tile<192, 80, roles::swapped>,
    gemm_tile<128, 240, roles::swapped>, gemm_tile<128, 224, roles::swapped>,
    gemm_tile<128, 208, roles::swapped>, gemm_tile<128, 176, roles::swapped>,
    gemm_tile<128, 160, roles::swapped>, gemm_tile<128, 144, roles::swapped>,
    gemm_tile<128, 112, roles::swapped>, gemm_tile<128, 96, roles::swapped>,
    gemm_tile<128, 80, roles::swapped>, gemm_tile<64, 144, roles::swapped>,
    gemm_tile<64, 112, roles::swapped>, gemm_tile<64, 96, roles::swapped>,
    gemm_tile<64, 48, roles::swapped>, gemm_tile<128, 112, roles::straight, 8>,
    gemm_tile<128, 96, roles::straight, 8>, gemm_tile<64, 80, roles::straight, 8>,
    gemm_tile<128, 96, roles::swapped, 8>, gemm_tile<64, 112, roles::swapped, 8>,
    gemm_tile<64, 96, roles::swapped, 8>, gemm_tile<64, 48, roles::swapped, 8>, gemm_tile<192, 160>,
    gemm_tile<192, 160, roles::swapped>, gemm_tile<192, 112, roles::swapped>, gemm_tile<192, 112>,
    gemm_tile<192, 88, roles::swapped>, gemm_tile<192, 152, roles::swapped>, gemm_tile<128, 112>,
    gemm_tile<128, 104>, gemm_tile<128, 152, roles::swapped>, gemm_tile<128, 136>,
    gemm_tile<128, 168>, gemm_tile<256, 160>, gemm_tile<128, 160>>;

/// A tile by its place in `menu_tiles`, and how the blocks of a cluster lie.
struct menu_line {
  int tile;
  cluster_shape cluster;
};

/// What a plan chooses from, in the order of the tiles; a number in `gemm_choice` counts in this
/// list. Large tiles and clusters move fewer bytes per multiplication, small ones leave fewer
/// processors idle, and shared steps are for few tiles of many steps.
inline constexpr menu_line gemm_menu[] = {
    {0, {1, 1}},     {0, {1, 2}},     {0, {2, 1}},     {1, {1, 1}},     {1, {1, 2}},
    {1, {1, 4}},     {1, {2, 1}},     {2, {1, 1}},     {2, {1, 2}},     {2, {1, 4}},
    {3, {1, 1}},     {3, {1, 2}},     {3, {2, 1}},     {3, {4, 1}},     {4, {1, 1}},
    {4, {2, 1}},     {4, {4, 1}},     {5, {1, 1}},     {5, {1, 4}},     {5, {2, 2}},
    {5, {2, 4}},     {5, {4, 1}},     {6, {1, 1}},     {6, {1, 4}},     {6, {4, 1}},
    {7, {1, 1}},     {7, {4, 1}},     {7, {4, 2}},     {8, {1, 1}},     {8, {1, 2}},
    {8, {2, 1}},     {9, {1, 1}},     {9, {2, 4}},     {9, {4, 1}},     {10, {1, 1, 3}},
    {10, {1, 1, 4}}, {10, {1, 1, 5}}, {10, {1, 1, 6}}, {10, {2, 1, 4}}, {11, {1, 1, 2}},
    {11, {1, 1, 3}}, {11, {1, 1, 4}}, {11, {1, 1, 5}}, {11, {1, 1, 6}}, {11, {2, 1, 4}},
    {12, {1, 1, 2}}, {12, {1, 1, 3}}, {12, {1, 1, 4}}, {12, {1, 1, 5}}, {12, {1, 1, 6}},
    {12, {1, 1, 8}}, {12, {2, 1, 4}}, {13, {1, 1, 2}}, {13, {1, 1, 3}}, {13, {1, 1, 4}},
    {13, {1, 1, 8}}, {14, {1, 1}},    {15, {2, 1}},    {15, {2, 2}},    {15, {4, 1}},
    {16, {1, 1}},    {16, {2, 1}},    {17, {1, 2}},    {17, {1, 4}},    {17, {2, 1}},
    {17, {2, 2}},    {18, {1, 1}},    {18, {1, 2}},    {18, {1, 4}},    {18, {2, 2}},
    {19, {1, 1}},    {19, {1, 4}},    {19, {2, 4}},    {20, {4, 1}},    {21, {1, 1}},
    {21, {1, 2}},    {21, {2, 4}},    {22, {1, 1}},    {22, {2, 4}},    {23, {1, 1}},
    {23, {1, 2}},    {24, {1, 2}},    {25, {1, 1}},    {25, {1, 2}},    {25, {1, 4}},
    {25, {2, 1}},    {26, {1, 1}},    {26, {1, 4}},    {27, {1, 1}},    {27, {2, 1}},
    {28, {1, 1}},    {28, {2, 1}},    {29, {1, 1}},    {29, {2, 1}},    {29, {2, 2}},
    {30, {1, 1}},    {30, {1, 2}},    {30, {1, 4}},    {30, {2, 1}},    {30, {2, 4}},
    {31, {1, 1}},    {31, {1, 2}},    {31, {4, 1}},    {32, {1, 1}},    {32, {1, 2}},
    {32, {1, 4}},    {32, {2, 2}},    {32, {2, 4}},    {33, {1, 1}},    {33, {1, 2}},
    {33, {1, 4}},    {34, {1, 1}},    {34, {1, 4}},    {34, {4, 1}},    {34, {4, 2}},
    {35, {1, 1}},    {35, {1, 2}},    {35, {1, 4}},    {35, {2, 2}},    {35, {2, 4}},
    {36, {1, 1}},    {37, {1, 1}},    {37, {2, 1}},    {37, {2, 2}},    {37, {2, 4}},
    {38, {1, 1}},    {38, {4, 1}},    {38, {4, 2}},    {39, {1, 1}},    {39, {1, 4}},
    {40, {1, 2, 2}}, {40, {1, 2, 3}}, {40, {1, 2, 4}}, {41, {1, 1, 2}}, {41, {1, 2, 2}},
    {41, {1, 2, 4}}, {42, {1, 1, 4}}, {42, {1, 1, 5}}, {42, {1, 1, 8}}, {43, {1, 1, 3}},
    {43, {1, 1, 4}}, {43, {1, 2, 2}}, {43, {1, 2, 4}}, {44, {1, 1, 2}}, {44, {1, 1, 4}},
    {44, {1, 1, 5}}, {44, {2, 1, 2}}, {44, {2, 1, 3}}, {44, {2, 1, 4}}, {45, {1, 1, 2}},
    {45, {1, 1, 3}}, {45, {1, 1, 5}}, {45, {2, 1, 2}}, {45, {2, 1, 4}}, {46, {1, 1, 3}},
    {46, {1, 1, 4}}, {46, {1, 1, 5}}, {46, {1, 1, 6}}, {47, {1, 1}},    {47, {1, 2}},
    {47, {2, 1}},    {48, {1, 1}},    {48, {1, 2}},    {48, {2, 1}},    {49, {1, 1}},
    {49, {1, 2}},    {50, {1, 1}},    {50, {2, 1}},    {51, {1, 2}},    {51, {1, 4}},
    {52, {1, 2}},    {53, {1, 1}},    {53, {2, 2}},    {53, {4, 2}},    {54, {1, 1}},
    {54, {1, 2}},    {54, {1, 4}},    {55, {1, 1}},    {55, {1, 2}},    {56, {1, 1}},
    {56, {1, 4}},    {57, {1, 1}},    {57, {1, 2}},    {58, {1, 1}},    {58, {1, 2}},
    {59, {1, 1}},    {59, {2, 1}}};

inline constexpr int gemm_configs = static_cast<int>(std::size(gemm_menu));

namespace detail {
template <class... Tiles>
constexpr bool every_line_can_be(std::tuple<Tiles...>*) {
  constexpr bool (*can[])(cluster_shape) = {&Tiles::in_clusters...};
  for (const menu_line& line : gemm_menu)
    if (!can[line.tile](line.cluster)) return false;
  return true;
}
static_assert(every_line_can_be(static_cast<menu_tiles*>(nullptr)));
}  // namespace detail

/// The first tiles of the menu, and the first lines: those that any operands can use, or, where
/// neither operand is turned, all.
constexpr int tiles_for(bool turned) {
  const auto count = []<class... Tiles>(std::tuple<Tiles...>*) {
    int first = 0;
    bool whole = true;
    ((whole = whole && Tiles::columns % 64 == 0, first += whole), ...);
    return first;
  };
  return turned ? count(static_cast<menu_tiles*>(nullptr))
                : static_cast<int>(std::tuple_size_v<menu_tiles>);
}
constexpr int lines_for(bool turned) {
  int lines = 0;
  while (lines < gemm_configs && gemm_menu[lines].tile < tiles_for(turned)) ++lines;
  return lines;
}

/// Places in `menu_tiles`: of all tiles that operands can use, and of the few that serve most
/// products nearly as well, for those who cannot wait for a compiler.
template <bool Turned>
using all_tiles = std::make_index_sequence<std::size_t(tiles_for(Turned))>;
template <bool Turned>
using few_tiles = std::conditional_t<Turned, std::index_sequence<2, 3, 5, 7, 12, 13>,
                                     std::index_sequence<2, 3, 5, 7, 12, 34, 35, 43>>;

/// Calls f(type_identity<Tile>) with the tile of line `config` of the menu, if it is among `Tiles`.
template <class F, std::size_t... Tiles>
void with_tile(int config, const F& f, std::index_sequence<Tiles...>) {
  const int tile = gemm_menu[config].tile;
  (void)((tile == int(Tiles) &&
          (f(std::type_identity<std::tuple_element_t<Tiles, menu_tiles>>{}), true)) ||
         ...);
}

}  // namespace loops::hopper
