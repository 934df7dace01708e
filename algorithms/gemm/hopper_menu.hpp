// SPDX-License-Identifier: Apache-2.0
/// The tiles and clusters that a GEMM on Hopper chooses from.
#pragma once

#include "algorithms/gemm/hopper_cluster.hpp"
#include "algorithms/gemm/hopper_config.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace loops::hopper {

/// The tiles, each of which is a kernel.
using menu_tiles = std::tuple<
    gemm_tile<256, 192>, gemm_tile<256, 128>, gemm_tile<192, 128>, gemm_tile<128, 256>,
    gemm_tile<128, 192>, gemm_tile<128, 128>, gemm_tile<64, 128>, gemm_tile<64, 64>,
    gemm_tile<192, 192, roles::swapped>, gemm_tile<64, 128, roles::swapped>,
    gemm_tile<128, 128, roles::straight, 8>, gemm_tile<64, 128, roles::straight, 8>,
    gemm_tile<64, 64, roles::straight, 8>, gemm_tile<64, 64, roles::swapped, 8>,
    gemm_tile<192, 192>, gemm_tile<192, 80>, gemm_tile<128, 224>, gemm_tile<128, 208>,
    gemm_tile<128, 144>, gemm_tile<128, 96>, gemm_tile<128, 80>, gemm_tile<64, 160>,
    gemm_tile<64, 144>, gemm_tile<64, 80>, gemm_tile<256, 176, roles::swapped>,
    gemm_tile<256, 160, roles::swapped>, gemm_tile<192, 144, roles::swapped>,
    gemm_tile<192, 80, roles::swapped>, gemm_tile<128, 240, roles::swapped>,
    gemm_tile<128, 224, roles::swapped>, gemm_tile<128, 208, roles::swapped>,
    gemm_tile<128, 176, roles::swapped>, gemm_tile<128, 160, roles::swapped>,
    gemm_tile<128, 144, roles::swapped>, gemm_tile<128, 112, roles::swapped>,
    gemm_tile<128, 96, roles::swapped>, gemm_tile<128, 80, roles::swapped>,
    gemm_tile<64, 144, roles::swapped>, gemm_tile<64, 112, roles::swapped>,
    gemm_tile<64, 96, roles::swapped>, gemm_tile<64, 48, roles::swapped>,
    gemm_tile<128, 112, roles::straight, 8>, gemm_tile<128, 96, roles::straight, 8>,
    gemm_tile<64, 80, roles::straight, 8>, gemm_tile<128, 96, roles::swapped, 8>,
    gemm_tile<64, 112, roles::swapped, 8>, gemm_tile<64, 96, roles::swapped, 8>,
    gemm_tile<64, 48, roles::swapped, 8>, gemm_tile<192, 160>, gemm_tile<192, 160, roles::swapped>,
    gemm_tile<192, 112, roles::swapped>, gemm_tile<192, 112>, gemm_tile<192, 88, roles::swapped>,
    gemm_tile<192, 152, roles::swapped>, gemm_tile<128, 112>, gemm_tile<128, 104>,
    gemm_tile<128, 152, roles::swapped>, gemm_tile<128, 136>, gemm_tile<128, 168>,
    gemm_tile<256, 160>, gemm_tile<128, 160>, gemm_tile<64, 96>, gemm_tile<64, 112>,
    gemm_tile<64, 72>, gemm_tile<64, 88>, gemm_tile<64, 72, roles::swapped>,
    gemm_tile<64, 80, roles::swapped>, gemm_tile<64, 88, roles::swapped>,
    gemm_tile<64, 104, roles::swapped>, gemm_tile<128, 88>, gemm_tile<128, 88, roles::swapped>,
    gemm_tile<128, 104, roles::swapped>, gemm_tile<128, 120>, gemm_tile<128, 120, roles::swapped>,
    gemm_tile<128, 136, roles::swapped>, gemm_tile<192, 176>, gemm_tile<192, 176, roles::swapped>,
    gemm_tile<128, 192, roles::straight, 1, 2>, gemm_tile<128, 192, roles::swapped, 1, 2>,
    gemm_tile<128, 160, roles::straight, 1, 2>, gemm_tile<128, 160, roles::swapped, 1, 2>,
    gemm_tile<128, 176, roles::straight, 1, 2>, gemm_tile<128, 144, roles::swapped, 1, 2>,
    gemm_tile<128, 128, roles::straight, 1, 2>, gemm_tile<128, 112, roles::swapped, 1, 2>,
    gemm_tile<64, 256, roles::straight, 1, 2>, gemm_tile<64, 192, roles::swapped, 1, 2>,
    gemm_tile<128, 168, roles::straight, 1, 2>>;

/// A tile by its place in `menu_tiles`, and how the blocks of a cluster lie.
struct menu_line {
  int tile = 0;
  cluster_shape cluster{};
};

/// The clusters that tiles come in. Large ones move fewer bytes per multiplication, small ones
/// leave fewer processors idle, and shared steps are for few tiles of many steps.
inline constexpr cluster_shape menu_clusters[] = {{1, 1}, {1, 2}, {2, 1}, {1, 4}, {4, 1},
                                                  {2, 2}, {1, 8}, {8, 1}, {2, 4}, {4, 2}};
inline constexpr cluster_shape menu_deep_clusters[] = {{1, 1, 2}, {1, 1, 3}, {1, 1, 4}, {1, 1, 5},
                                                       {1, 1, 6}, {1, 1, 8}, {1, 2, 2}, {2, 1, 2},
                                                       {1, 2, 3}, {2, 1, 3}, {1, 2, 4}, {2, 1, 4}};

namespace detail {

/// Calls f(line) for every line there is, in the order of the tiles. Tiles that share steps are in
/// no other clusters, and large tiles in none of eight blocks, which would be larger than most C.
template <class F, class... Tiles>
constexpr void for_each_line(const F& f, std::tuple<Tiles...>*) {
  int tile = 0;
  const auto lines = [&]<class Tile>(std::type_identity<Tile>) {
    constexpr bool large = Tile::rows * Tile::columns > 128 * 128;
    if constexpr (Tile::deepest > 1) {
      for (const cluster_shape& c : menu_deep_clusters)
        if (Tile::in_clusters(c)) f(menu_line{tile, c});
    } else {
      for (const cluster_shape& c : menu_clusters)
        if (Tile::in_clusters(c) && !(large && c.blocks() == 8)) f(menu_line{tile, c});
    }
    ++tile;
  };
  (lines(std::type_identity<Tiles>()), ...);
}

constexpr int count_lines() {
  int lines = 0;
  for_each_line([&](const menu_line&) { ++lines; }, static_cast<menu_tiles*>(nullptr));
  return lines;
}

}  // namespace detail

inline constexpr int gemm_configs = detail::count_lines();

/// What a plan chooses from, in the order of the tiles; a number in `gemm_choice` counts in this
/// list. Whether a line is worth a look, tables of costs know.
inline constexpr auto gemm_menu = [] {
  std::array<menu_line, gemm_configs> lines{};
  int next = 0;
  detail::for_each_line([&](const menu_line& line) { lines[std::size_t(next++)] = line; },
                        static_cast<menu_tiles*>(nullptr));
  return lines;
}();

/// Places in `menu_tiles`: of all tiles, and of the few that serve most products nearly as well,
/// for those who cannot wait for a compiler. Those go by what is turned on its way, A by columns
/// and B by rows: a turned operand that the matrix units take by the 8 columns costs copies of
/// whole blocks of 64, and one of elements that they cannot turn (`large`) is turned in its stage.
using all_tiles = std::make_index_sequence<std::tuple_size_v<menu_tiles>>;
namespace few {
using nt = std::index_sequence<1, 2, 5, 6, 7, 13, 14, 15, 17, 18, 20, 23, 25, 26, 29, 34, 35, 36,
                               39, 40, 41, 42, 46, 49, 50, 56, 60, 69, 74, 77>;
using nn = std::index_sequence<2, 3, 5, 6, 7, 9, 13, 14, 22, 29, 31, 32, 34, 35, 36, 38, 39, 40, 44,
                               45, 46, 47, 49, 50, 56, 66, 67, 70, 77, 83>;
using tt = std::index_sequence<2, 3, 5, 6, 7, 9, 13, 14, 17, 19, 20, 23, 29, 34, 40, 41, 43, 45, 47,
                               48, 50, 55, 57, 60, 61, 63, 69, 77, 83, 86>;
using tn = std::index_sequence<0, 1, 2, 4, 5, 6, 7, 9, 13, 14, 16, 17, 20, 22, 24, 28, 29, 32, 34,
                               35, 39, 40, 44, 45, 47, 50, 77, 78, 83, 86>;
namespace large {
using nn = std::index_sequence<8, 13, 26, 27, 28, 30, 31, 32, 33, 35, 36, 37, 38, 40, 44, 45, 46,
                               47, 49, 50, 52, 53, 56, 65, 67, 70, 71, 73, 76, 82>;
using tt = std::index_sequence<3, 4, 5, 6, 7, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 41, 42,
                               43, 48, 54, 55, 57, 58, 60, 61, 63, 69, 75, 79>;
using tn = std::index_sequence<1, 2, 4, 5, 6, 7, 10, 11, 12, 13, 14, 19, 20, 32, 35, 36, 41, 42, 44,
                               45, 46, 47, 48, 51, 53, 54, 57, 60, 61, 83>;
}  // namespace large
template <class Nt, class Nn, class Tt, class Tn, bool ATurned, bool BTurned>
using one_of = std::conditional_t<ATurned, std::conditional_t<BTurned, Tn, Tt>,
                                  std::conditional_t<BTurned, Nn, Nt>>;
}  // namespace few
template <bool ATurned, bool BTurned, int Bytes>
using few_tiles = std::conditional_t<
    (Bytes > 2),
    few::one_of<few::nt, few::large::nn, few::large::tt, few::large::tn, ATurned, BTurned>,
    few::one_of<few::nt, few::nn, few::tt, few::tn, ATurned, BTurned>>;

/// Those for parts of k, which few products of few tiles need, and which store sums of 4 bytes, as
/// tiles whose roles are swapped do slowly. By the costs of bf16 operands along k, eight of them
/// have nearly all that there is to gain. Where columns are turned, those in blocks of 64; none
/// where B would be turned in its stage.
namespace split {
using straight = std::index_sequence<2, 5, 6, 7, 20, 57, 63, 69>;
using in_blocks = std::index_sequence<5, 6, 7>;
}  // namespace split
template <bool BTurned, int Bytes>
using split_tiles =
    std::conditional_t<!BTurned, split::straight,
                       std::conditional_t<(Bytes > 2), std::index_sequence<>, split::in_blocks>>;

/// Whether the matrix units take a tile's columns: by the 8, and of integers by the 16.
template <class Tile, class T>
inline constexpr bool takes_columns = !std::is_integral_v<T> || Tile::columns % 16 == 0;

namespace detail {
template <std::size_t... First, std::size_t... Second>
std::index_sequence<First..., Second...> joined(std::index_sequence<First...>,
                                                std::index_sequence<Second...>);
template <class T>
std::index_sequence<> taken(std::index_sequence<>);
template <class T, std::size_t Tile, std::size_t... Others>
auto taken(std::index_sequence<Tile, Others...>) {
  using others = decltype(taken<T>(std::index_sequence<Others...>()));
  if constexpr (takes_columns<std::tuple_element_t<Tile, menu_tiles>, T>)
    return decltype(joined(std::index_sequence<Tile>(), others()))();
  else
    return others();
}
}  // namespace detail
/// Those of some tiles that operands of a type can have.
template <class Tiles, class T>
using tiles_for = decltype(detail::taken<T>(Tiles()));

/// Calls f(type_identity<Tile>) with the tile of line `config` of the menu, if it is among `Tiles`.
template <class F, std::size_t... Tiles>
void with_tile(int config, const F& f, std::index_sequence<Tiles...>) {
  const int tile = gemm_menu[std::size_t(config)].tile;
  (void)((tile == int(Tiles) &&
          (f(std::type_identity<std::tuple_element_t<Tiles, menu_tiles>>{}), true)) ||
         ...);
}

}  // namespace loops::hopper
