// SPDX-License-Identifier: Apache-2.0
/// A work cut into equal chunks of atoms, whatever its tiles were.
#pragma once

#include "loops/work/work.hpp"

namespace loops {

/// Tiles of `width` consecutive atoms of `base` (the last may be shorter); `base_tile` leads back.
/// With a width that is not positive there are -1 tiles, which every plan refuses. Chunks cross the
/// tiles of the base, so atoms keep their numbers: a base that renames them (a selection) is
/// refused.
template <work Base>
requires(!renamed_work<Base>) class flattened {
 public:
  flattened() = default;
  LOOPS_HD constexpr flattened(Base base, std::int64_t width)
      : base_(base),
        width_(width <= base.atoms() ? width
               : base.atoms() > 0    ? base.atoms()
                                     : 1),
        tiles_(width > 0 ? ceil_div(base.atoms(), width) : -1) {}
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return base_.atoms(); }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return t < tiles() ? t * width_ : atoms();
  }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tile_of(std::int64_t a) const { return a / width_; }
  [[nodiscard]] LOOPS_HD constexpr coordinate cut(std::int64_t diagonal) const {
    // Only the last chunk can be short, and its end marker is the last step of all.
    const std::int64_t whole = diagonal / (width_ + 1);
    const std::int64_t last = tiles() - 1;
    if (whole < last || tiles() == 0) return {whole < tiles() ? whole : 0, diagonal - whole};
    const std::int64_t t = diagonal >= tiles() + atoms() ? tiles() : last;
    return {t, diagonal - t};
  }
  /// The tile of the base that owns atom a.
  [[nodiscard]] LOOPS_HD constexpr std::int64_t base_tile(std::int64_t a) const {
    return loops::tile_of(base_, a);
  }

 private:
  Base base_{};
  std::int64_t width_ = 1;
  std::int64_t tiles_ = 0;
};

}  // namespace loops
