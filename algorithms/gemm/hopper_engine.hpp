// SPDX-License-Identifier: Apache-2.0
/// Hopper's programs as engines: those that a GEMM chooses from.
#pragma once

#include "algorithms/gemm/hopper_choice.hpp"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace loops::hopper {

/// Whether an executor's device has the units that the programs use.
inline bool has_units(const gpu_executor& exec) {
  return exec.facts().architecture == "sm_90";
}

/// The program of one tile in clusters of one shape. Suits a problem that has enough of them for
/// `Percent` of a device's processors.
template <class Tile, int Tall, int Wide, int Percent>
struct engine {
  using tile = Tile;
  static constexpr cluster_shape cluster{Tall, Wide};
  static constexpr const char* name() { return "hopper"; }
  template <class Problem>
  using program = program_for<Problem, Tile>;
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape = program<Problem>::tile_of(cluster);
  template <class Problem>
  static bool takes(const gpu_executor& exec, const Problem& p) {
    return hopper::takes(p) && has_units(exec);
  }
  template <class Problem>
  static bool suits(const gpu_executor& exec, const Problem& p) {
    if (!takes(exec, p)) return false;
    const std::int64_t blocks = p.tiles(tile_shape<Problem>).tiles() * cluster.blocks();
    return 100 * blocks >= Percent * std::int64_t{exec.facts().processors};
  }
  template <class Problem>
  static program<Problem> make(const gpu_executor&, const Problem& p, const gemm_tiles& tiles) {
    return make_program<Tile>(p, tiles, cluster);
  }
};

/// A few tiles of the menu, each of which is compiled for every product that is written down: the
/// first that suits is taken, or the one that the cost model prefers.
using engines =
    std::tuple<engine<gemm_tile<128, 256>, 2, 1, 75>, engine<gemm_tile<128, 128>, 1, 1, 75>,
               engine<gemm_tile<64, 128>, 1, 1, 0>>;

/// What the cost model prefers among `engines`, by their places in it. Requires: `takes(p)`.
template <class Problem>
gemm_choice choose_engine(const gpu_executor& exec, const Problem& p) {
  const auto menu = []<class... E>(std::tuple<E...>*) {
    return std::vector<select::gemm_costs>{{tiling_of<typename E::tile>(E::cluster), 0, 0, {}}...};
  }(static_cast<engines*>(nullptr));
  const select::menu_table costs(
      menu, *select::gemm_table_for(exec.facts().name, cost_name<typename Problem::a_type>()));
  const select::gemm_candidate best = select::cheapest(*costs, size_of(p)).choice;
  return {best.config, best.waves};
}

}  // namespace loops::hopper
