// SPDX-License-Identifier: Apache-2.0
/// Keeps tiles near each other on one die, where a device has several with a cache each.
#pragma once

#include "loops/core/fast_division.hpp"

#include <cstdint>

namespace loops {

/// A permutation of tile numbers. Devices of several dies start workers on them in turn: what runs
/// as number n runs on die n mod `dies`. So of each `dies` x `run` numbers in a row, those of one
/// die stand for `run` consecutive places in the raster; a rest of fewer numbers stays as it is.
/// Every worker takes tiles that are `workers` apart: all on one die where workers are a multiple
/// of dies. Source: HipKittens (Hu et al., 2025), algorithm 1.
class die_order {
 public:
  die_order() = default;
  /// `on_each`: tiles that run on each die at a time. Fewer tiles than fill all dies are spread
  /// evenly.
  constexpr die_order(std::int32_t tiles, int dies, int on_each)
      : dies_(dies > 1 ? dies : 1), run_(run_of(tiles, dies, on_each)) {
    const std::int32_t turn = dies_.value() * run_.value();
    moved_ = dies > 1 ? tiles - tiles % turn : 0;
  }

  /// The place in the raster that tile number n has, 0 <= n < tiles.
  [[nodiscard]] LOOPS_HD constexpr std::int32_t operator()(std::int32_t n) const {
    if (n >= moved_) return n;
    const std::int32_t on_die = dies_.quotient(n);
    const std::int32_t die = n - on_die * dies_.value();
    const std::int32_t turn = run_.quotient(on_die);
    const std::int32_t in_run = on_die - turn * run_.value();
    return (turn * dies_.value() + die) * run_.value() + in_run;
  }

 private:
  static constexpr std::int32_t run_of(std::int32_t tiles, int dies, int on_each) {
    const std::int32_t even = dies > 1 ? tiles / dies : 1;
    const std::int32_t run = on_each < even ? on_each : even;
    return run > 1 ? run : 1;
  }
  fast_divisor dies_{1};
  fast_divisor run_{1};
  std::int32_t moved_ = 0;  ///< how many numbers, from the first, stand for another place
};

}  // namespace loops
