// SPDX-License-Identifier: Apache-2.0
/// Lists the pieces of a work's long tiles, on the device.
#pragma once

#include "loops/algorithm/binning.hpp"
#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/collective/group.hpp"
#include "loops/core/functional.hpp"
#include "loops/execution/memory.hpp"

#include <algorithm>
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
    const std::int64_t i = block.id() * waves_of<Block> + g.index();
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

/// Every wave lists the pieces of its stretch, of which `before` come first.
template <class Work>
struct list_pieces {
  Work w;
  measure::long_first what;
  stretches all;
  const piece_count* before;
  piece_of_tile* pieces;
  cut_tile* cut;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block> g(block, Block::wave);
    const std::int64_t i = block.id() * waves_of<Block> + g.index();
    if (i >= all.count) return;
    piece_count open = before[i];
    const std::int64_t end = all.first(i + 1);
    for (std::int64_t base = all.first(i); base < end; base += g.size()) {
      const std::int64_t t = base + g.rank();
      const std::int64_t n = t < end ? what.pieces_of(atoms_of(w, t).size()) : 0;
      const auto scan = [&](std::int64_t mine, std::int64_t& through) {
        const auto scanned = g.scan_open(mine, false, through, plus{}, shared.scan);
        g.sync();
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
    }
  }
};

}  // namespace detail

/// The pieces of a work's long tiles on the device, as a `bound` takes them.
class piece_list {
 public:
  piece_list() = default;

  /// Lists those of `w`, and waits until that is done. Throws: invalid_argument when the offsets
  /// are not those of a work. Cost: two reads of the offsets, and two kernels.
  template <class Shape, class Exec, work W>
  static piece_list of(const Exec& exec, const W& w, const measure::long_first& what) {
    using block = typename Exec::template block<Shape>;
    if (w.tiles() == 0) return {};
    const detail::stretches all(w.tiles(), 128, 2048);  // a wave each
    const std::int64_t blocks = ceil_div(all.count, detail::waves_of<block>);
    array<detail::piece_count> before(static_cast<std::size_t>(all.count), exec.staging());
    exec.template launch<Shape>(blocks, detail::count_pieces<W>{w, what, all, before.data()});
    exec.synchronize();
    detail::piece_count sum{};
    for (detail::piece_count& stretch : before) {
      const detail::piece_count here = stretch;
      stretch = sum;
      sum.add(here);
    }
    detail::require_sound(sum.unsound == 0, w.atoms());
    piece_list made;
    made.pieces_ = array<piece_of_tile>(static_cast<std::size_t>(sum.pieces), exec.memory());
    made.cut_ = array<cut_tile>(static_cast<std::size_t>(sum.cut), exec.memory());
    if (sum.pieces == 0) return made;
    exec.template launch<Shape>(
        blocks,
        detail::list_pieces<W>{w, what, all, before.data(), made.pieces_.data(), made.cut_.data()});
    exec.synchronize();
    return made;
  }

  [[nodiscard]] const array<piece_of_tile>& pieces() const { return pieces_; }
  /// The tiles that have several pieces, in order.
  [[nodiscard]] const array<cut_tile>& cut() const { return cut_; }
  /// How many lanes should join the pieces of such a tile: about twice as many as it has pieces, no
  /// more than a wave.
  [[nodiscard]] int lanes_that_join() const {
    constexpr int most = 32;
    int lanes = 1;
    while (lanes < most && static_cast<std::size_t>(lanes) * cut_.size() < 2 * pieces_.size())
      lanes *= 2;
    return lanes;
  }
  [[nodiscard]] std::size_t bytes() const {
    return pieces_.size() * sizeof(piece_of_tile) + cut_.size() * sizeof(cut_tile);
  }

 private:
  array<piece_of_tile> pieces_;
  array<cut_tile> cut_;
};

}  // namespace loops
