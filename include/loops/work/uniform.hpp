// SPDX-License-Identifier: Apache-2.0
/// Tiles of equal size: dense grids, ELL and DIA rows, output tiles of a GEMM.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

#include <cstdint>

namespace loops {

/// `tiles` tiles of `width` atoms each; every question is a division. Atoms that cannot be counted
/// in 64 bits are -1, which every plan refuses.
class uniform {
 public:
  uniform() = default;
  LOOPS_HD constexpr uniform(std::int64_t tiles, std::int64_t width)
      : tiles_(tiles),
        width_(width),
        atoms_(tiles < 0 || width < 0 || (width > 0 && tiles > INT64_MAX / width) ? -1
                                                                                  : tiles * width) {
  }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t width() const { return width_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return atoms_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const { return t * width_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tile_of(std::int64_t a) const {
    return quotient(a, width_);
  }
  [[nodiscard]] LOOPS_HD constexpr coordinate cut(std::int64_t diagonal) const {
    const std::int64_t whole = quotient(diagonal, width_ + 1);
    const std::int64_t t = whole < tiles_ ? whole : tiles_;
    return {t, diagonal - t};
  }

 private:
  std::int64_t tiles_ = 0;
  std::int64_t width_ = 0;
  std::int64_t atoms_ = 0;
};

/// Rows of an ELL matrix as tiles, entries (padding included) as atoms.
template <class V, class I, class O>
constexpr uniform rows_of(const ell_view<V, I, O>& a) {
  return {static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.width)};
}

/// Rows of a DIA matrix as tiles, stored diagonals as atoms.
template <class V, class I, class O>
constexpr uniform rows_of(const dia_view<V, I, O>& a) {
  return {static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.count)};
}

static_assert(closed_form_work<uniform> && equal_tiles<uniform>);

}  // namespace loops
