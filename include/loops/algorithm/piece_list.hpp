// SPDX-License-Identifier: Apache-2.0
/// Lists the pieces of a work's long tiles, on the device.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/algorithm/post.hpp"
#include "loops/algorithm/stretches.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace loops {

namespace detail {

/// What is counted of tiles: their pieces, those that have several, and those whose offsets
/// decrease.
struct piece_count {
  std::int64_t pieces;
  std::int64_t cut;
  std::int64_t unsound;
  LOOPS_HD constexpr void add(const piece_count& other) {
    pieces += other.pieces;
    cut += other.cut;
    unsound += other.unsound;
  }
};

/// Every wave counts the pieces of one stretch of tiles.
template <class Work>
struct count_pieces {
  Work w;
  measure::long_first what;
  stretches all;
  piece_count* counts;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> reduce;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block> g(block, Block::wave);
    const std::int64_t i = stretches::taken_by(g);
    if (i >= all.count) return;
    piece_count mine{0, 0, i == 0 && g.rank() == 0 && !ends_with_its_atoms(w)};
    for (std::int64_t t = all.first(i) + g.rank(); t < all.first(i + 1); t += g.size()) {
      const std::int64_t atoms = atoms_of(w, t).size();
      const std::int64_t n = what.pieces_of(atoms);
      mine.add({n, n > 1, atoms < 0});
    }
    const auto sum = [&](std::int64_t v) { return g.reduce(v, plus{}, shared.reduce); };
    mine = {sum(mine.pieces), sum(mine.cut), sum(mine.unsound)};
    if (g.rank() == 0) counts[i] = mine;
  }
};

/// Every wave lists the pieces of its stretch, of which `before` come first. If there are boxes,
/// they are made ready.
template <class Work>
struct list_pieces {
  Work w;
  measure::long_first what;
  stretches all;
  const piece_count* before;
  piece_of_tile* pieces;
  cut_tile* cut;
  post boxes{};
  int words = 0;  ///< per box

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block> g(block, Block::wave);
    const std::int64_t i = stretches::taken_by(g);
    if (i >= all.count) return;
    if (boxes.words && i == 0 && g.rank() == 0) *boxes.lost = 0;
    piece_count open = before[i];
    const std::int64_t end = all.first(i + 1);
    for (std::int64_t base = all.first(i); base < end; base += g.size()) {
      const std::int64_t t = base + g.rank();
      const std::int64_t n = t < end ? what.pieces_of(atoms_of(w, t).size()) : 0;
      const auto scan = [&](std::int64_t mine, std::int64_t& through) {
        const auto scanned = g.scan_open(mine, false, through, plus{}, shared.scan);
        through = scanned.total;
        return scanned.before;
      };
      const std::int64_t first = scan(n, open.pieces);
      const std::int64_t cut_before = scan(n > 1, open.cut);
      if (n > 1) cut[cut_before] = {t, first, first + n};
      if constexpr (Block::threads == 1) {
        put(g, t, first, n);
      } else {
        // Long tiles, one after another, by the whole wave.
        std::uint64_t left = block.ballot(n > 0);
        while (left != 0) {
          const int lane = native::lowest_bit(left);
          left &= left - 1;
          put(g, base + lane, block.shuffle(first, lane), block.shuffle(n, lane));
        }
      }
    }
  }

 private:
  template <class Group>
  LOOPS_HD void put(const Group& g, std::int64_t t, std::int64_t first, std::int64_t n) const {
    const atom_range atoms = atoms_of(w, t);
    for (std::int64_t i = g.rank(); i < n; i += g.size()) {
      const atom_range piece = measure::long_first::piece(atoms, i, n);
      const auto place = static_cast<std::int32_t>(i);
      pieces[first + i] = {t, piece.first, static_cast<std::int32_t>(piece.size()),
                           i + 1 < n ? place : ~place};
      for (int k = 0; boxes.words && k < words; ++k) boxes.words[(first + i) * words + k] = 0;
    }
  }
};

}  // namespace detail

/// How many pieces the long tiles of a work have, and where they are listed.
class piece_list {
 public:
  piece_list() = default;

  /// Counts those of `w`, and waits for their number. Throws: invalid_argument when the offsets are
  /// not those of a work. Cost: a read of the offsets.
  template <class Shape, class Exec, work W>
  static piece_list counted(const Exec& exec, const W& w, const measure::long_first& what) {
    piece_list made;
    if (w.tiles() == 0) return made;
    const detail::stretches all = stretches_of(w);
    made.before_ = array<detail::piece_count>(static_cast<std::size_t>(all.count), exec.staging());
    exec.template launch<Shape>(all.blocks<typename Exec::template block<Shape>>(),
                                detail::count_pieces<W>{w, what, all, made.before_.data()});
    exec.synchronize();
    detail::piece_count sum{};
    for (detail::piece_count& stretch : made.before_) {
      const detail::piece_count here = stretch;
      stretch = sum;
      sum.add(here);
    }
    detail::require_sound(sum.unsound == 0, w.atoms());
    made.pieces_ = sum.pieces;
    made.cut_ = sum.cut;
    return made;
  }

  [[nodiscard]] std::int64_t pieces() const { return pieces_; }
  /// Tiles that have several.
  [[nodiscard]] std::int64_t cut_tiles() const { return cut_; }
  /// How many lanes should join the pieces of such a tile: about twice as many as it has pieces, no
  /// more than a wave.
  [[nodiscard]] int lanes_that_join() const {
    constexpr int most = 32;
    int lanes = 1;
    while (lanes < most && lanes * cut_ < 2 * pieces_) lanes *= 2;
    return lanes;
  }

  /// Starts to list them in `pieces` and, in the order of tiles, those that have several in `cut`:
  /// there is room for as many as were counted, for boxes, if any, of so many words, too. The list
  /// must stay until that is done. Cost: another read of the offsets.
  template <class Shape, class Exec, work W>
  void list(const Exec& exec, const W& w, const measure::long_first& what, piece_of_tile* pieces,
            cut_tile* cut, const detail::post& boxes = {}, int words = 0) const {
    if (pieces_ == 0) return;
    const detail::stretches all = stretches_of(w);
    exec.template launch<Shape>(
        all.blocks<typename Exec::template block<Shape>>(),
        detail::list_pieces<W>{w, what, all, before_.data(), pieces, cut, boxes, words});
  }

 private:
  /// A wave each.
  template <work W>
  static detail::stretches stretches_of(const W& w) {
    return {w.tiles(), 128, 2048};
  }

  /// By stretch, where the host writes and kernels read, which may do so when this is given back.
  array<detail::piece_count> before_;
  std::int64_t pieces_ = 0;
  std::int64_t cut_ = 0;
};

}  // namespace loops
