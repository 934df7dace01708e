// SPDX-License-Identifier: Apache-2.0
/// Points in two or three dimensions, and who is beside whom.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "generators.hpp"

namespace loops::datasets {

/// A grid of points whose x runs fastest, of the parameters nx, ny and, in three dimensions, nz.
class grid {
 public:
  /// `rows_of_a_point`: how many rows of the matrix each becomes.
  grid(const parameters& p, int dimensions, std::int64_t rows_of_a_point = 1)
      : nx_(p.integer("nx", 1, most / rows_of_a_point)),
        ny_(p.integer("ny", 1, most / rows_of_a_point / nx_)),
        nz_(dimensions == 3 ? p.integer("nz", 1, most / rows_of_a_point / nx_ / ny_) : 1) {}
  [[nodiscard]] std::int64_t points() const { return nx_ * ny_ * nz_; }
  /// Calls `f(q)` for `point` and those around it, ascending; those across corners and edges only
  /// with `diagonals`.
  template <class F>
  void neighbours(std::int64_t point, bool diagonals, const F& f) const {
    const std::int64_t x = point % nx_;
    const std::int64_t y = point / nx_ % ny_;
    const std::int64_t z = point / nx_ / ny_;
    for (int dz = z > 0 ? -1 : 0; dz <= (z + 1 < nz_ ? 1 : 0); ++dz)
      for (int dy = y > 0 ? -1 : 0; dy <= (y + 1 < ny_ ? 1 : 0); ++dy)
        for (int dx = x > 0 ? -1 : 0; dx <= (x + 1 < nx_ ? 1 : 0); ++dx)
          if (diagonals || std::abs(dx) + std::abs(dy) + std::abs(dz) <= 1)
            f(point + (dz * ny_ + dy) * nx_ + dx);
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 48;
  std::int64_t nx_, ny_, nz_;
};

}  // namespace loops::datasets
