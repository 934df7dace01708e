// SPDX-License-Identifier: Apache-2.0
/// Hopper's programs as engines: those that a GEMM with a schedule of the caller's chooses from.
#pragma once

#include "algorithms/gemm/hopper_plan.hpp"

#include <cstdint>

namespace loops::hopper {

/// Whether an executor's device has the units that the programs use.
inline bool has_units(const gpu_executor& exec) {
  return exec.facts().architecture == "sm_90";
}

/// The program of one tile. Suits a problem that has enough of them for `Percent` of a device's
/// processors.
template <class Tile, int Percent>
struct engine {
  static constexpr const char* name() { return "hopper"; }
  template <class Problem>
  using program = program_for<Problem, Tile>;
  template <class Problem>
  static bool suits(const gpu_executor& exec, const Problem& p) {
    if (!takes(p) || !has_units(exec)) return false;
    const std::int64_t blocks = p.tiles(program<Problem>::tile_shape).tiles() * Tile::sharing;
    return 100 * blocks >= Percent * std::int64_t{exec.facts().processors};
  }
  template <class Problem>
  static program<Problem> make(const gpu_executor&, const Problem& p, const gemm_tiles& tiles) {
    return make_program<Tile>(p, tiles);
  }
};

}  // namespace loops::hopper
