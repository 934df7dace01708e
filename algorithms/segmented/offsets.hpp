// SPDX-License-Identifier: Apache-2.0
/// Running sums of sizes, which make the offsets of a work; and the tile of every atom.
#pragma once

#include "loops/algorithm/binning.hpp"
#include "loops/collective/running_sums.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/validate.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>

namespace loops::segmented_detail {

/// The numbers 0 … n - 1 as atoms of one tile, for what is done once per number.
inline uniform each_of(std::int64_t n) {
  return {n > 0 ? 1 : 0, n};
}

/// Notes the tile of every atom: with `for_each_atom`, the row of every nonzero.
template <class I>
struct note_tile {
  I* tiles;
  LOOPS_HD void operator()(std::int64_t tile, std::int64_t atom) const {
    tiles[atom] = static_cast<I>(tile);
  }
};

/// Sums the sizes of every stretch.
template <class Size>
struct sum_stretches {
  Size size_of;
  detail::stretches all;
  std::int64_t* sums;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> sum;
  };
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    const std::int64_t last = all.first(block.id() + 1);
    std::int64_t sum = 0;
    for (std::int64_t i = all.first(block.id()) + block.lane(); i < last; i += Block::threads)
      sum += size_of(i);
    sum = g.reduce(sum, plus{}, shared.sum);
    if (block.lane() == 0) sums[block.id()] = sum;
  }
};

/// Writes the running sums of the sizes, and the sum of all.
template <class Size, class O>
struct write_running_sums {
  Size size_of;
  detail::stretches all;
  const std::int64_t* sums;
  O* offsets;
  std::int64_t* total;

  template <class Block>
  struct storage {
    group_storage<Block, std::int64_t> scan;
    std::int64_t before;
  };
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    const group<Block, Block::threads> g(block);
    std::int64_t before = 0;
    for (std::int64_t i = block.lane(); i < block.id(); i += Block::threads) before += sums[i];
    before = g.reduce(before, plus{}, shared.scan);
    if (block.lane() == 0) shared.before = before;
    block.sync();
    const std::int64_t through = loops::running_sums(
        g, all.first(block.id()), all.first(block.id() + 1), shared.before, shared.scan, size_of,
        [&](std::int64_t i, std::int64_t sum, std::int64_t) { offsets[i] = static_cast<O>(sum); });
    if (block.id() + 1 == block.blocks() && block.lane() == 0) {
      offsets[all.tiles] = static_cast<O>(through);
      *total = through;
    }
  }
};

/// offsets[i] = the sum of `size_of(j)` over j < i, for i up to n: n + 1 of them; and the sum of
/// all, on the device, which tells whether they fit. Cost: two calls of `size_of` per number, in
/// two kernels. Waits for nothing.
template <class Exec, class Size, class O>
void sum_into(const Exec& exec, std::int64_t n, const Size& size_of, O* offsets,
              std::int64_t* total) {
  using kernel_shape = shape<128, 8>;
  const std::int64_t blocks = exec.template describe<kernel_shape>().blocks;
  const detail::stretches all(n, 512, blocks);  // a block each
  array<std::int64_t> sums(static_cast<std::size_t>(all.count), exec.memory());
  exec.template launch<kernel_shape>(all.count, sum_stretches<Size>{size_of, all, sums.data()});
  exec.template launch<kernel_shape>(
      all.count > 0 ? all.count : 1,
      write_running_sums<Size, O>{size_of, all, sums.data(), offsets, total});
}

/// The same, and waits for the sum of all. Throws: overflow when it does not fit `O`.
template <class Exec, class Size, class O>
std::int64_t running_sums(const Exec& exec, std::int64_t n, const Size& size_of,
                          array<O>& offsets) {
  array<std::int64_t> total(1, exec.memory());
  sum_into(exec, n, size_of, offsets.data(), total.data());
  const std::int64_t sum = total.to_vector().front();
  (void)loops::detail::narrow<O>(sum, "a sum of sizes");
  return sum;
}

}  // namespace loops::segmented_detail
