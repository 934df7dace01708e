// SPDX-License-Identifier: Apache-2.0
/// A GEMM as a work: tiles of C are the tiles, steps along k the atoms.
#pragma once

#include "algorithms/gemm/die_order.hpp"
#include "loops/core/error.hpp"
#include "loops/core/fast_division.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace loops {

/// How large the tiles are: `m` x `n` of C, `k` elements of the sum per step.
struct gemm_tile_shape {
  int m = 0;
  int n = 0;
  int k = 0;
};

/// Steps of a block from which on an early start of several blocks to a processor costs more than
/// it gains, where these do not fill the machine: as measured on an H200.
inline constexpr int crowding_steps = 8;

/// In which order tiles are numbered. Tiles near each other in number run at the same time, so
/// a window of tiles `window` wide along one side keeps operands in the cache.
struct raster {
  enum class side { m, n };
  side along = side::m;  ///< the side along which the window is cut
  int window = 0;        ///< tiles; 1 runs through the other side first; 0: as suits the device
  int dies = 0;          ///< that tiles go to in turn; 0: as the device does, where that is known
  int on_each = 0;       ///< tiles at a time on each die; 0: as many as it has processors
};

/// An order whose window was left open, for a device that runs `at_a_time` tiles at a time: these
/// form a patch about as high as wide, cut along the shorter side of a tile, so that neighbours in
/// number share the longer one's elements. Windows are of equal width, as far as they can be.
inline raster in_patches(raster order, gemm_tile_shape tile, std::int64_t m, std::int64_t n,
                         std::int64_t at_a_time) {
  if (order.window > 0 || tile.m <= 0 || tile.n <= 0) return order;
  order.along = tile.m <= tile.n ? raster::side::m : raster::side::n;
  const bool along_m = order.along == raster::side::m;
  const double stretch = along_m ? double(tile.n) / tile.m : double(tile.m) / tile.n;
  const double wanted = std::sqrt(stretch * double(std::max<std::int64_t>(at_a_time, 1)));
  const std::int64_t count =
      std::max<std::int64_t>(along_m ? ceil_div(m, tile.m) : ceil_div(n, tile.n), 1);
  const auto windows = static_cast<std::int64_t>(double(count) / wanted + 0.5);
  order.window = static_cast<int>(
      std::min<std::int64_t>(ceil_div(count, std::max<std::int64_t>(windows, 1)), INT32_MAX));
  return order;
}

/// Where a tile is: in tiles, and in which matrix of the batch.
struct tile_place {
  std::int32_t row = 0;
  std::int32_t col = 0;
  std::int32_t batch = 0;
};

/// Numbers the tiles of a grid window by window; 32-bit multiplications, no division.
class tile_raster {
 public:
  tile_raster() = default;
  constexpr tile_raster(std::int32_t rows, std::int32_t cols, raster r)
      : along_m_(r.along == raster::side::m),
        per_matrix_(rows * cols > 0 ? rows * cols : 1),
        // The window counts on the `short` side; the other one is run through inside a window.
        short_(along_m_ ? rows : cols),
        window_(clamp(r.window > 0 ? r.window : 8, short_)),
        per_window_(positive(window_.value() * (along_m_ ? cols : rows))),
        last_(
            positive(short_ % window_.value() == 0 ? window_.value() : short_ % window_.value())) {}

  [[nodiscard]] LOOPS_HD constexpr tile_place at(std::int32_t tile) const {
    const std::int32_t batch = per_matrix_.quotient(tile);
    const std::int32_t inside = tile - batch * per_matrix_.value();
    const std::int32_t group = per_window_.quotient(inside);
    const std::int32_t local = inside - group * per_window_.value();
    const std::int32_t first = group * window_.value();
    const fast_divisor width = first + window_.value() <= short_ ? window_ : last_;
    const std::int32_t far = width.quotient(local);
    const std::int32_t near = first + local - far * width.value();
    return along_m_ ? tile_place{near, far, batch} : tile_place{far, near, batch};
  }

 private:
  static constexpr std::int32_t positive(std::int32_t v) { return v > 0 ? v : 1; }
  static constexpr std::int32_t clamp(std::int32_t v, std::int32_t most) {
    return positive(v < most ? v : most);
  }
  bool along_m_ = true;
  fast_divisor per_matrix_;
  std::int32_t short_ = 1;
  fast_divisor window_;
  fast_divisor per_window_;
  fast_divisor last_;
};

/// The tiles of `batch` products of m x k by k x n matrices, and their steps. A work: every tile
/// has the same number of steps, the last of which may be short; none when k is zero.
class gemm_tiles : public uniform {
 public:
  gemm_tiles() = default;
  /// Throws: invalid_argument for negative sizes; overflow when there are 2^31 tiles or matrices or
  /// more, or a side reaches 2^31 elements with a tile more.
  gemm_tiles(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
             gemm_tile_shape shape, raster order = {}, source_place where = source_place::here())
      : uniform(count(m, n, k, batch, shape, where), ceil_div(k, shape.k)),
        m_(static_cast<std::int32_t>(m)),
        n_(static_cast<std::int32_t>(n)),
        k_(static_cast<std::int32_t>(k)),
        shape_(shape),
        raster_(static_cast<std::int32_t>(ceil_div(m, shape.m)),
                static_cast<std::int32_t>(ceil_div(n, shape.n)), order),
        dies_(static_cast<std::int32_t>(tiles()), order.dies, order.on_each) {}

  [[nodiscard]] LOOPS_HD constexpr std::int32_t m() const { return m_; }
  [[nodiscard]] LOOPS_HD constexpr std::int32_t n() const { return n_; }
  [[nodiscard]] LOOPS_HD constexpr std::int32_t k() const { return k_; }
  [[nodiscard]] LOOPS_HD constexpr gemm_tile_shape shape() const { return shape_; }
  /// Steps per tile.
  [[nodiscard]] LOOPS_HD constexpr std::int32_t steps() const {
    return static_cast<std::int32_t>(width());
  }
  /// The order of the places, apart from dies.
  [[nodiscard]] constexpr const tile_raster& order() const { return raster_; }
  /// Where tile t is.
  [[nodiscard]] LOOPS_HD constexpr tile_place at(std::int64_t t) const {
    return raster_.at(dies_(static_cast<std::int32_t>(t)));
  }

 private:
  static std::int64_t count(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                            gemm_tile_shape shape, source_place where) {
    const std::string sizes = std::to_string(m) + " x " + std::to_string(n) + " x " +
                              std::to_string(k) + ", batch " + std::to_string(batch);
    if (m < 0 || n < 0 || k < 0 || batch < 0)
      throw error(errc::invalid_argument, "a product of " + sizes + " has a negative size", where);
    constexpr std::int64_t limit = INT32_MAX;
    // Rounded up to whole tiles, coordinates must still be 32-bit numbers.
    if (m > limit - shape.m || n > limit - shape.n || k > limit - shape.k)
      throw error(errc::overflow,
                  "a product of " + sizes +
                      " has a side that reaches 2^31 with a tile more: compute it in parts",
                  where);
    if (batch > limit)
      throw error(errc::overflow,
                  "a product of " + sizes + " has 2^31 matrices or more: compute it in parts",
                  where);
    const std::int64_t grid = ceil_div(m, shape.m) * ceil_div(n, shape.n);
    if (grid > limit || (grid > 0 && batch > limit / grid))
      throw error(errc::overflow,
                  "a product of " + sizes +
                      " has 2^31 tiles or more: take larger tiles, or "
                      "compute it in parts",
                  where);
    return grid * batch;
  }
  std::int32_t m_ = 0;
  std::int32_t n_ = 0;
  std::int32_t k_ = 0;
  gemm_tile_shape shape_{};
  tile_raster raster_;
  die_order dies_;
};

static_assert(closed_form_work<gemm_tiles>);

}  // namespace loops
