// SPDX-License-Identifier: Apache-2.0
/// Sorts tiles by bin, on the device, stably: the same bins whoever comes first.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/stretches.hpp"
#include "loops/collective/peers.hpp"
#include "loops/collective/running_sums.hpp"
#include "loops/execution/memory.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops {

namespace detail {

/// The sizes of a work's tiles.
template <class Work>
struct sizes_of_tiles {
  Work w;
  LOOPS_HD std::int64_t operator()(std::int64_t t) const { return atoms_of(w, t).size(); }
};

/// Every wave counts, per bin, the tiles of one stretch: counts[bin * stretches + wave].
template <class Sizes>
struct count_bins {
  static constexpr int bins = worker::by_bin::bins;
  Sizes size_of;
  stretches all;
  std::int64_t* counts;

  template <class Block>
  struct storage {
    int count[waves_of<Block>][bins];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block> g(block, Block::wave);
    const std::int64_t i = stretches::taken_by(g);
    if (i >= all.count) return;
    int* const count = shared.count[g.index()];
    for (int b = g.rank(); b < bins; b += g.size()) count[b] = 0;
    g.sync();
    for (std::int64_t t = all.first(i) + g.rank(); t < all.first(i + 1); t += g.size())
      block.atomic_add(&count[worker::by_bin::bin_of(size_of(t))], 1);
    g.sync();
    for (int b = g.rank(); b < bins; b += g.size()) counts[b * all.count + i] = count[b];
  }
};

/// A wave per bin turns its counts into places within the bin.
struct scan_bins {
  std::int64_t* counts;
  std::int64_t* totals;  ///< per bin
  std::int64_t stretches;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block> g(block, Block::wave);
    const std::int64_t bin = block.id() * waves_of<Block> + g.index();
    if (bin >= worker::by_bin::bins) return;
    std::int64_t* const row = counts + bin * stretches;
    const std::int64_t total = running_sums(
        g, 0, stretches, std::int64_t{0}, shared.scan, [&](std::int64_t i) { return row[i]; },
        [&](std::int64_t i, std::int64_t before, std::int64_t) { row[i] = before; });
    if (g.rank() == 0) totals[bin] = total;
  }
};

/// Every wave puts the tiles of its stretch where they belong; the first block fills in the table.
template <class Sizes>
struct scatter_bins {
  static constexpr int bins = worker::by_bin::bins;
  Sizes size_of;
  stretches all;
  const std::int64_t* places;
  const std::int64_t* totals;
  worker::by_bin who;
  machine m;
  bin_table* table;
  std::int64_t* tiles;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
    std::int64_t first[bins + 1];
    std::int64_t next[waves_of<Block>][bins];
  };
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> whole(block);
    const auto sum_up = [&](const auto& count, std::int64_t* sums) {
      const std::int64_t total = running_sums(
          whole, 0, bins, std::int64_t{0}, shared.scan, count,
          [&](std::int64_t b, std::int64_t before, std::int64_t) { sums[b] = before; });
      if (block.lane() == 0) sums[bins] = total;
    };
    sum_up([&](std::int64_t b) { return totals[b]; }, shared.first);
    if (block.id() == 0) {
      sum_up(
          [&](std::int64_t b) {
            const int lanes = who.lanes(static_cast<int>(b), m);
            table->lanes[b] = lanes;
            return ceil_div(totals[b], std::int64_t{m.threads} / lanes * m.batch);
          },
          table->visit);
      for (int b = block.lane(); b < bins; b += Block::threads) table->first[b] = shared.first[b];
      if (block.lane() == 0) table->first[bins] = all.tiles;
    }
    const group<Block> g(block, Block::wave);
    const std::int64_t i = stretches::taken_by(g);
    if (i < all.count) put(g, shared.first, shared.next[g.index()], i);
  }

 private:
  static constexpr int key_bits = std::bit_width(static_cast<unsigned>(bins - 1));
  template <class Group>
  LOOPS_HD void put(const Group& g, const std::int64_t* first, std::int64_t* next,
                    std::int64_t i) const {
    using block_type = std::remove_reference_t<decltype(g.block())>;
    using word = lane_bits<block_type>;
    for (int b = g.rank(); b < bins; b += g.size()) next[b] = first[b] + places[b * all.count + i];
    g.sync();
    const std::int64_t end = all.first(i + 1);
    for (std::int64_t base = all.first(i); base < end; base += g.size()) {
      const std::int64_t t = base + g.rank();
      const int bin = t < end ? worker::by_bin::bin_of(size_of(t)) : -1;
      const word peers = peers_of(g, bin, key_bits);
      const int earlier = std::popcount(peers & ((word{1} << g.rank()) - 1));
      if (bin >= 0) tiles[next[bin] + earlier] = t;
      g.sync();
      if (bin >= 0 && earlier == 0) next[bin] += std::popcount(peers);
      g.sync();
    }
  }
};

}  // namespace detail

/// Tiles in bins, on the device, as a `bound` takes them.
class binned_tiles {
 public:
  binned_tiles() = default;
  /// Sorts the tiles 0 … `tiles` - 1 by the bins of their sizes, `size_of(t)`, which are on the
  /// device; tiles of a bin stay in order. `who` says how many lanes of the machine `m` take a tile
  /// of a bin. Waits for nothing. Cost: two reads of every size, and three kernels.
  template <class Shape, class Exec, class Sizes>
  static binned_tiles sorted(const Exec& exec, std::int64_t tiles, const Sizes& size_of,
                             const worker::by_bin& who, const machine& m) {
    constexpr int bins = worker::by_bin::bins;
    using block = typename Exec::template block<Shape>;
    const auto& where = exec.memory();
    const detail::stretches all(tiles, 128, 4096);  // a wave each
    binned_tiles made;
    made.table_ = array<bin_table>(1, where);
    made.tiles_ = array<std::int64_t>(static_cast<std::size_t>(tiles), where);
    array<std::int64_t> counts(static_cast<std::size_t>((all.count + 1) * bins), where);
    std::int64_t* const totals = counts.data();
    std::int64_t* const places = totals + bins;
    const std::int64_t blocks = all.blocks<block>();
    exec.template launch<Shape>(blocks, detail::count_bins<Sizes>{size_of, all, places});
    exec.template launch<Shape>(ceil_div(bins, detail::waves_of<block>),
                                detail::scan_bins{places, totals, all.count});
    exec.template launch<Shape>(
        blocks > 0 ? blocks : 1,
        detail::scatter_bins<Sizes>{size_of, all, places, totals, who, m, made.table_.data(),
                                    made.tiles_.data()});
    return made;
  }

  [[nodiscard]] const bin_table* table() const { return table_.data(); }
  [[nodiscard]] const std::int64_t* tiles() const { return tiles_.data(); }
  [[nodiscard]] std::size_t bytes() const {
    return table_.size() * sizeof(bin_table) + tiles_.size() * sizeof(std::int64_t);
  }

 private:
  array<bin_table> table_;
  array<std::int64_t> tiles_;
};

}  // namespace loops
