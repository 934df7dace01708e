// SPDX-License-Identifier: Apache-2.0
/// The kernel behind `reduce_wide` where lanes come in groups.
#pragma once

#include "loops/algorithm/lines.hpp"
#include "loops/algorithm/reduce_kernels.hpp"
#include "loops/algorithm/walk_slice.hpp"

#include <cstdint>

namespace loops::detail {

/// Lanes per processor that the kernel below is built for. Slices are cut for as many: blocks that
/// have to wait for room begin when the others are through.
inline constexpr int wide_slice_lanes = 768;

/// Takes slices of wide values and emits every tile that lies in one slice.
template <class Bound, class Reduction>
struct reduce_wide_slices {
  using value_type = typename Reduction::value_type;
  using map_type = decltype(Reduction::map);
  using emit_type = decltype(Reduction::emit);
  Bound bound;
  Reduction reduction;
  partials<Reduction> parts;

  static constexpr bool splits = Bound::measure_type::splits_tiles;
  static constexpr bool by_block = std::is_same_v<typename Bound::worker_type, worker::block>;
  static constexpr int wanted_lanes = wide_slice_lanes;

  /// Makes this the kernel of one share of every value.
  LOOPS_HD void take_share(int share, std::int64_t copy) { give_share(*this, share, copy); }

  template <class Block>
  struct storage {
    visit_storage visit;
    walk_storage<Block, value_type, map_type, emit_type> work;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (knows_its_lines<map_type>) {
      if (reads_little(reduction.map)) fetch_lines(block, reduction.map);
    }
    // The kernel that joins waits on the device, where it has room as soon as the last blocks run.
    if constexpr (splits) block.let_next_start();
    for_each_visit(block, shared.visit, bound, [&](const visited& v) {
      const slice range = v.valid ? bound.claimed(v.number) : slice{};
      const group<Block, by_block ? Block::threads : 0> g(block, v.lanes);
      walk_slice<value_type>(
          g, shared.work, bound.w, range, v.valid, reduction.map, reduction.combine, reduction.emit,
          [&](std::int64_t, const value_type& value) {
            if constexpr (splits) parts.heads[v.number] = value;
          },
          [&](const value_type& value) {
            if constexpr (splits) parts.tails[v.number] = value;
          });
    });
  }
};

}  // namespace loops::detail
