// SPDX-License-Identifier: Apache-2.0
/// Hopper's programs as engines: those that a GEMM chooses from.
#pragma once

#include "algorithms/gemm/hopper_choice.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace loops::hopper {

/// The program of one tile, in clusters of the shape that a line of the menu has, or usually of
/// this one. Suits a problem that has enough of these for `Percent` of a device's processors.
template <class Tile, int Tall, int Wide, int Percent>
struct engine {
  static constexpr const char* name() { return "hopper"; }
  static constexpr cluster_shape cluster(int form) {
    return form < 0 ? cluster_shape{Tall, Wide} : gemm_menu[form].cluster;
  }
  template <class Problem>
  using program = program_for<Problem, Tile>;
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape(int form) {
    return program<Problem>::tile_of(cluster(form));
  }
  template <class Problem>
  static bool takes(const gpu_executor& exec, const Problem& p) {
    return hopper::takes(p) && has_units(exec);
  }
  template <class Problem>
  static bool suits(const gpu_executor& exec, const Problem& p) {
    if (!takes(exec, p)) return false;
    const cluster_shape c = cluster(-1);
    const std::int64_t blocks = p.tiles(tile_shape<Problem>(-1)).tiles() * c.blocks();
    return 100 * blocks >= Percent * std::int64_t{exec.facts().processors};
  }
  template <class Problem>
  static program<Problem> make(const gpu_executor&, const Problem& p, const gemm_tiles& tiles,
                               int form) {
    return make_program<Tile>(p, tiles, cluster(form));
  }
};

/// The tiles that are compiled for a product under a given schedule; the first that suits is taken.
using engines =
    std::tuple<engine<gemm_tile<128, 256>, 2, 1, 75>, engine<gemm_tile<128, 128>, 1, 1, 75>,
               engine<gemm_tile<64, 128>, 1, 1, 0>>;

namespace detail {
template <std::size_t... Tiles>
std::tuple<engine<std::tuple_element_t<Tiles, menu_tiles>, 1, 1, 0>...> engines_of(
    std::index_sequence<Tiles...>);
}  // namespace detail

/// An engine for each of these tiles of the menu, for products whose tile, cluster and schedule are
/// chosen.
template <class Tiles>
using engines_of = decltype(detail::engines_of(Tiles()));

/// The place there of the engine for a line of the menu. Requires: it has one.
template <std::size_t... Tiles>
constexpr int engine_of(int line, std::index_sequence<Tiles...>) {
  const int tile = gemm_menu[std::size_t(line)].tile;
  int place = 0;
  (void)((int(Tiles) == tile || (++place, false)) || ...);
  return place;
}

}  // namespace loops::hopper
