// SPDX-License-Identifier: Apache-2.0
/// A work whose atoms know their tile: rows of CSR where the row of every nonzero is at hand too.
#pragma once

#include "loops/work/work.hpp"

#include <cstdint>

namespace loops {

/// `base`, of whose atom a `tiles[a]` is the tile. For schedules that cut inside tiles: whoever
/// takes atoms reads their tiles side by side in place of a search.
template <work Base, class Index>
requires(!renamed_work<Base>) class noted {
 public:
  noted() = default;
  LOOPS_HD constexpr noted(Base base, const Index* tiles) : base_(base), tiles_(tiles) {}
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return base_.tiles(); }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return base_.atoms(); }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return base_.offset(t);
  }
  [[nodiscard]] LOOPS_HD constexpr Index noted_tile(std::int64_t a) const { return tiles_[a]; }
  /// Where the offsets of the base lie, and the notes.
  [[nodiscard]] LOOPS_HD constexpr auto offsets() const requires requires(const Base& base) {
    base.offsets();
  }
  { return base_.offsets(); }
  [[nodiscard]] LOOPS_HD constexpr const Index* notes() const { return tiles_; }

 private:
  Base base_{};
  const Index* tiles_ = nullptr;
};

}  // namespace loops
