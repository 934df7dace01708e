// SPDX-License-Identifier: Apache-2.0
/// Notes on the device where every slice begins.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/carry_tree.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/algorithm/post.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::detail {

/// The shape of a block that holds a slice in one round: so many steps per lane, or those of
/// `Shape`. Fewer want less shared memory, fewer registers and less code.
template <class Shape, int items>
using short_shape = loops::shape<Shape::threads, (items < Shape::items ? items : Shape::items)>;

/// How many steps per lane there are to choose from.
inline constexpr int few_items = 4;
inline constexpr int some_items = 8;
inline constexpr int most_items = 10;

/// Steps per lane of the least such block for slices that were meant to have `step` steps: it has
/// room for a tile of a step per lane more.
template <class Shape>
constexpr int short_items(std::int64_t step) {
  constexpr int choices[] = {few_items, some_items, most_items};
  for (const int items : choices)
    if (items <= Shape::items && step <= std::int64_t{Shape::threads} * (items - 1)) return items;
  return Shape::items;
}

/// As many as a slice may have been meant to have.
template <class Shape>
inline constexpr int longest_items = (most_items < Shape::items ? most_items : Shape::items) - 1;

/// Where blocks hold slices, a tile of so many atoms is not cut, so that few are.
template <class Shape>
constexpr std::int64_t whole_tile(std::int64_t step) {
  const std::int64_t room = std::int64_t{Shape::threads} * short_items<Shape>(step) - step;
  return room < 2 * Shape::threads ? room : 2 * Shape::threads;
}

/// Who joins the tiles that slices cut.
enum class joiner : char { next_kernel, closing_slice, last_blocks };

/// Whether slices may hand over their parts in boxes, if that pays: the executor can wait, they are
/// those of blocks, or long tiles come first, in order, so that whoever waits does so for earlier
/// ones, and values are small.
template <class Exec, class Bound, class Shape, std::size_t value_bytes>
inline constexpr bool may_post = requires(const Exec& exec) {
  exec.patience();
}
&&(Shape::threads > 1) &&
    Exec::template block<Shape>::threads == Shape::threads&& value_bytes <= 16 &&
    (((std::is_same_v<typename Bound::measure_type, measure::path> ||
       std::is_same_v<typename Bound::measure_type, measure::atoms>)&&std::
          is_same_v<typename Bound::worker_type, worker::block>) ||
     Bound::long_first) &&
    !Bound::order_type::by_arrival && !Bound::order_type::backwards;

/// Whether blocks may hold slices of one round, which join by themselves.
template <class Bound, class Shape>
inline constexpr bool may_hold_slices =
    std::is_same_v<typename Bound::measure_type, measure::path> && (Shape::items > few_items);

/// Whether every slice has a block of its own, and a number of 32 bits.
template <class Assignment>
bool a_block_each(const Assignment& a) {
  return a.slices == a.blocks && a.slices < std::int64_t{1} << 30;
}

/// Whether it pays that whoever closes a tile joins it, for slices of which a block holds one: when
/// all of them run at once, or when tiles are short, so that few slices wait for others and keep
/// later ones from beginning.
template <class Shape, class Work, class Assignment>
bool pays_to_wait(const Work& w, const Assignment& a, const machine& m) {
  constexpr std::int64_t spared = 2 * Shape::threads;
  constexpr std::int64_t times_the_mean = 5;
  if (a.step > std::int64_t{Shape::threads} * longest_items<Shape> || !a_block_each(a))
    return false;
  return a.slices <= m.blocks || w.atoms() / w.tiles() <= spared / times_the_mean;
}

/// Whether it pays that the last blocks of the launch join: where slices take turns. By then, most
/// parts have come.
template <class Assignment>
bool pays_to_join_last(const Assignment& a, const machine& m) {
  return a.slices > m.blocks && a_block_each(a);
}

/// Computes every cut, slices + 1 of them. With boxes, a cut inside a tile of at most `whole` atoms
/// is moved to where the tile begins, and the boxes are made ready. Of a work whose offsets do not
/// end with its atoms, which a plan cannot see on a GPU without waiting, all cuts are the
/// beginning: its slices are empty, and `tile_plan::check` says why nothing came of them, if it
/// can. Where atoms are counted, reductions (`bound::claimed`) and visitors of a work that says by
/// itself which tile an atom belongs to (`bound::at_once`) do not wait for the cuts: they read all
/// atoms that it claims, but reductions emit nothing.
template <class Bound>
struct compute_cuts {
  Bound bound;
  coordinate* cuts;
  post boxes{};
  int words = 0;           ///< per box
  std::int64_t whole = 0;  ///< with boxes: atoms of a tile that is not cut
  carry_tree carries{};    ///< made ready, too

  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i > bound.a.slices) return;
    const bool sound = ends_with_its_atoms(bound.w);
    coordinate c = sound ? bound.a.cut(bound.w, i) : coordinate{0, 0};
    if (boxes.words) {
      std::int64_t begun = -1;
      if (sound && c.tile < bound.w.tiles()) {
        const atom_range atoms = atoms_of(bound.w, c.tile);
        if (atoms.size() <= whole) c.atom = atoms.first;
        if (c.atom > atoms.first) begun = bound.a.slice_of(bound.w, c.tile);
      }
      boxes.begun[i] = static_cast<std::int32_t>(begun);
      for (int k = 0; k < words; ++k) {
        boxes.words[i * words + k] = 0;
        if (boxes.heads) boxes.heads[i * words + k] = 0;
      }
      if (i == 0) *boxes.lost = 0;
    }
    if (carries.words) {
      const std::int64_t all = carry_tree::boxes(carries.slices) * carries.stride;
      for (std::int64_t k = i; k < all; k += bound.a.slices + 1) carries.words[k] = 0;
      if (i == 0) *carries.lost = 0;
    }
    cuts[i] = c;
  }
};

}  // namespace loops::detail
