// SPDX-License-Identifier: Apache-2.0
/// Notes on the device where every slice begins.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/post.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::detail {

/// The shape of the kernel of short slices: less shared memory, fewer registers.
template <class Shape>
using short_shape = loops::shape<Shape::threads, 4>;

/// In a work of short slices a tile of so many atoms is not cut, so that few are.
inline constexpr std::int64_t whole_tile = 32;

/// Steps that a slice may have been meant to have, so that its block holds them with `whole_tile`
/// atoms more.
template <class Shape>
inline constexpr std::int64_t longest_short =
    std::int64_t{Shape::threads} * short_shape<Shape>::items - whole_tile;

/// Whether slices may hand over their parts in boxes: the executor can wait, they are those of
/// blocks, in order, so that whoever waits does so for earlier ones, and values are small.
template <class Exec, class Bound, class Shape, std::size_t value_bytes>
inline constexpr bool may_post = requires(const Exec& exec) {
  exec.patience();
}
&&(Shape::threads > 1) && Exec::template block<Shape>::threads == Shape::threads &&
    (Shape::items > 4) && value_bytes <= 16 &&
    std::is_same_v<typename Bound::measure_type,
                   measure::path>&& std::is_same_v<typename Bound::worker_type, worker::block> &&
    !Bound::order_type::by_arrival;

/// Computes every cut, slices + 1 of them. With boxes, a cut inside a tile of at most `whole_tile`
/// atoms is moved to where the tile begins, and the boxes are made ready.
template <class Bound>
struct compute_cuts {
  Bound bound;
  coordinate* cuts;
  post boxes{};
  int words = 0;  ///< per box

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i > bound.a.slices) return;
    coordinate c = bound.a.cut(bound.w, i);
    if (boxes.words) {
      std::int64_t begun = -1;
      if (c.tile < bound.w.tiles()) {
        const atom_range atoms = atoms_of(bound.w, c.tile);
        if (atoms.size() <= whole_tile) c.atom = atoms.first;
        if (c.atom > atoms.first) begun = bound.a.slice_of(bound.w, c.tile);
      }
      boxes.begun[i] = static_cast<std::int32_t>(begun);
      for (int k = 0; k < words; ++k) boxes.words[i * words + k] = 0;
      if (i == 0) *boxes.lost = 0;
    }
    cuts[i] = c;
  }
};

}  // namespace loops::detail
