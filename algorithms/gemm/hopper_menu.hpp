// SPDX-License-Identifier: Apache-2.0
/// The tiles and clusters that a GEMM on Hopper chooses from.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"

#include <iterator>
#include <tuple>

namespace loops::hopper {

/// The tiles, each of which is a kernel: first those whose columns are whole blocks of 64, as
/// turned operands want them.
using menu_tiles =
    std::tuple<gemm_tile<256, 192>, gemm_tile<256, 128>, gemm_tile<128, 256>, gemm_tile<128, 192>,
               gemm_tile<128, 128>, gemm_tile<64, 128>, gemm_tile<64, 64>,
               gemm_tile<128, 192, roles::swapped>, gemm_tile<64, 128, roles::swapped>,
               gemm_tile<128, 128, roles::straight, 8>, gemm_tile<64, 128, roles::straight, 8>,
               gemm_tile<64, 64, roles::straight, 8>, gemm_tile<128, 224>, gemm_tile<128, 208>,
               gemm_tile<128, 144>, gemm_tile<128, 80>, gemm_tile<64, 96>,
               gemm_tile<128, 208, roles::swapped>, gemm_tile<128, 176, roles::swapped>,
               gemm_tile<128, 160, roles::swapped>, gemm_tile<128, 144, roles::swapped>,
               gemm_tile<128, 112, roles::swapped>, gemm_tile<128, 96, roles::swapped>,
               gemm_tile<128, 80, roles::swapped>, gemm_tile<64, 112, roles::swapped>,
               gemm_tile<64, 96, roles::swapped>, gemm_tile<64, 80, roles::swapped>,
               gemm_tile<128, 160, roles::straight, 4>, gemm_tile<64, 96, roles::straight, 8>,
               gemm_tile<128, 96, roles::straight, 8>>;

/// A tile by its place in `menu_tiles`, and how the blocks of a cluster lie.
struct menu_line {
  int tile;
  cluster_shape cluster;
};

/// What a plan chooses from, in the order of the tiles; a number in `gemm_choice` counts in this
/// list. Large tiles and clusters move fewer bytes per multiplication, small ones leave fewer
/// processors idle, and shared steps are for few tiles of many steps.
inline constexpr menu_line gemm_menu[] = {
    {0, {1, 1}},     {0, {2, 1}},     {0, {1, 2}},     {1, {1, 1}},     {1, {1, 2}},
    {1, {1, 4}},     {2, {1, 1}},     {2, {2, 1}},     {2, {1, 2}},     {2, {4, 1}},
    {3, {1, 1}},     {3, {2, 1}},     {3, {1, 2}},     {4, {1, 1}},     {4, {1, 2}},
    {4, {4, 1}},     {4, {1, 4}},     {4, {4, 2}},     {5, {1, 1}},     {5, {2, 1}},
    {5, {4, 1}},     {6, {1, 1}},     {6, {1, 2}},     {6, {4, 1}},     {6, {2, 2}},
    {7, {1, 1}},     {7, {2, 1}},     {7, {4, 1}},     {8, {1, 1}},     {8, {4, 1}},
    {9, {1, 1, 3}},  {9, {1, 1, 4}},  {9, {1, 1, 5}},  {9, {1, 1, 6}},  {9, {2, 1, 4}},
    {10, {1, 1, 2}}, {10, {1, 1, 3}}, {10, {1, 1, 4}}, {10, {1, 1, 5}}, {10, {1, 1, 6}},
    {10, {2, 1, 4}}, {11, {1, 1, 2}}, {11, {1, 1, 3}}, {11, {1, 1, 4}}, {11, {1, 1, 5}},
    {11, {1, 1, 6}}, {11, {1, 1, 8}}, {11, {2, 1, 4}}, {12, {1, 1}},    {12, {2, 1}},
    {12, {4, 2}},    {13, {1, 1}},    {13, {2, 1}},    {14, {1, 1}},    {14, {1, 2}},
    {14, {2, 2}},    {15, {1, 1}},    {15, {1, 2}},    {15, {1, 4}},    {16, {1, 2}},
    {17, {1, 1}},    {17, {2, 1}},    {17, {1, 4}},    {18, {1, 1}},    {18, {2, 2}},
    {18, {2, 4}},    {19, {1, 1}},    {19, {2, 1}},    {19, {2, 2}},    {19, {1, 4}},
    {20, {1, 1}},    {20, {2, 2}},    {21, {1, 1}},    {21, {1, 2}},    {21, {1, 4}},
    {22, {1, 1}},    {22, {1, 2}},    {22, {4, 1}},    {22, {2, 2}},    {22, {1, 4}},
    {22, {4, 2}},    {23, {1, 1}},    {23, {1, 2}},    {23, {1, 4}},    {24, {1, 1}},
    {24, {2, 4}},    {25, {1, 1}},    {25, {4, 1}},    {26, {1, 1}},    {26, {2, 1}},
    {26, {1, 2}},    {26, {2, 4}},    {27, {2, 1, 4}}, {28, {1, 1, 4}}, {28, {1, 1, 8}},
    {28, {2, 1, 4}}, {29, {1, 1, 3}}, {29, {1, 1, 4}}, {29, {1, 1, 5}}};

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

}  // namespace loops::hopper
