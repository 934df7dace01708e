// SPDX-License-Identifier: Apache-2.0
/// A schedule of a matrix product as a picture.
#pragma once

#include "loops/core/path.hpp"
#include "loops/schedule/dense_schedules.hpp"

#include <cstdint>
#include <string>

namespace loops::cli {

/// Of a product in elements, of a tile in elements, or of a product in tiles and k-steps.
struct extents {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// A product in tiles and k-steps.
inline extents grid_of(const extents& problem, const extents& tile) {
  return {ceil_div(problem.m, tile.m), ceil_div(problem.n, tile.n), ceil_div(problem.k, tile.k)};
}

/// More tiles, or blocks at a time, than this make no picture.
inline constexpr std::int64_t most_drawn_tiles = 20'000;

/// What became of a schedule, if a k-step takes a unit of time and all else none.
struct gemm_picture {
  std::string svg;
  double used = 1;         ///< share of the blocks' time that is not idle
  std::int64_t end = 0;    ///< k-steps until the last block is done
  std::int64_t parts = 0;  ///< of tiles, that one block leaves for another
};

/// Plays `schedule` for `blocks` blocks at a time, and draws it under `name`.
[[nodiscard]] gemm_picture picture_of(const std::string& name, const any_dense_schedule& schedule,
                                      const extents& problem, const extents& tile,
                                      std::int64_t blocks);

}  // namespace loops::cli
