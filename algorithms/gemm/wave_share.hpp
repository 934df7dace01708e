// SPDX-License-Identifier: Apache-2.0
/// Waves that have sums of the same elements: each adds up, and keeps, its share of them.
#pragma once

#include "loops/backend/config.hpp"
#include "loops/tile/register_tile.hpp"

namespace loops::gemm_detail {

/// Sums `first` and following of what a wave holds as `Sums`, of `Waves` that hold as many.
template <class Sums, int Waves>
struct wave_share {
  static_assert(Sums::count % Waves == 0, "all waves keep equally many sums");
  using atom = typename Sums::atom;
  using element = typename Sums::element;
  static constexpr int count = Sums::count / Waves;
  static constexpr int span() { return Sums::span() < count ? Sums::span() : count; }

  element at[count];
  int first = 0;

  LOOPS_HD element& flat(int i) { return at[i]; }
  [[nodiscard]] LOOPS_HD const element& flat(int i) const { return at[i]; }
  [[nodiscard]] LOOPS_HD constexpr tile::result_place place(int lane, int i) const {
    return Sums::place(lane, first + i);
  }
  /// Nothing yet of the share of wave `wave`.
  LOOPS_HD void clear(int wave) {
    first = wave * count;
    LOOPS_UNROLL
    for (int i = 0; i < count; ++i) at[i] = element(0);
  }
};

/// Adds up what waves of `Waves` groups of `Lanes` lanes hold, each its share, by shared memory for
/// Waves - 1 times what all lanes of a group hold. `sync()`: the barrier of all of them.
template <int Waves, int Lanes, class Sums, class Sync>
LOOPS_HD wave_share<Sums, Waves> add_shares(const Sums& sums, typename Sums::element* shared,
                                            int group, int lane, const Sync& sync) {
  using share = wave_share<Sums, Waves>;
  const auto place_of = [&](int owner, int giver) {
    return shared + (owner * (Waves - 1) + giver) * (share::count * Lanes);
  };
  share own;
  own.clear(group);
  sync();  // what was left before has been read
  LOOPS_UNROLL
  for (int owner = 0; owner < Waves; ++owner) {
    share part;
    LOOPS_UNROLL
    for (int i = 0; i < share::count; ++i) part.at[i] = sums.flat(owner * share::count + i);
    LOOPS_UNROLL
    for (int i = 0; i < share::count; ++i)
      if (owner == group) own.at[i] = part.at[i];
    if (owner != group)
      tile::store_lanes<Lanes>(part, place_of(owner, group < owner ? group : group - 1), lane);
  }
  sync();
  LOOPS_UNROLL
  for (int giver = 0; giver < Waves - 1; ++giver)
    tile::add_lanes<Lanes>(own, place_of(group, giver), lane);
  return own;
}

}  // namespace loops::gemm_detail
