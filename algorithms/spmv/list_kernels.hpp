// SPDX-License-Identifier: Apache-2.0
/// The kernels over listed columns: one brings x to lists, one sums what nonzeros find in theirs.
#pragma once

#include "algorithms/spmv/stretch_sums.hpp"
#include "loops/backend/block.hpp"
#include "loops/backend/native.hpp"

#include <cstdint>
#include <type_traits>

namespace loops::spmv_detail {

/// Entries of lists that lie together, in memory and in the order in which x is brought to them.
inline constexpr int list_chunk = 32;

/// Where kernels bring x, or read it: entry i is column columns[i].
template <class V, class I>
struct listed_columns {
  static constexpr bool brought = false;
  const I* columns;
  const V* x;
  template <class To>
  LOOPS_HD void operator()(std::int64_t first, To* to) const {
    const four<I> at = load_four(columns + first);
    four<V> values;
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) values.at[i] = x[at.at[i]];
    *reinterpret_cast<four<V>*>(to) = values;
  }
};
/// The same where another kernel has brought it.
template <class V>
struct listed_values {
  static constexpr bool brought = true;
  const V* values;
  LOOPS_HD void operator()(std::int64_t first, V* to) const {
    *reinterpret_cast<four<V>*>(to) = load_four(values + first);
  }
};

/// Brings x to the lists: a block reads a slab of it, and then for every entry of a list that is a
/// column of this slab its place there. Blocks take equal shares of the chunks, which come slab by
/// slab.
template <class V, class Index, int Lanes, int Slab>
struct bring {
  using launch_shape = shape<Lanes, 1>;
  static constexpr int slab = Slab;
  static_assert(Slab <= 65536, "places are 16-bit");
  const V* x;
  std::int64_t cols;
  const Index* slabs;        ///< first chunk of a slab, and one more
  const Index* first_slabs;  ///< of a block
  std::int64_t per_block;
  const std::uint16_t* places;  ///< in the slab, of entries
  const Index* targets;         ///< of chunks: which chunk of the lists
  V* to;

  template <class Block>
  struct storage {
    uninitialized<V, slab> at;
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    V* const room = shared.at.data();
    std::int64_t s = static_cast<std::int64_t>(first_slabs[block.id()]);
    const std::int64_t end = (block.id() + 1) * per_block;
    for (std::int64_t c = block.id() * per_block; c < end; ++s) {
      const auto next = static_cast<std::int64_t>(slabs[s + 1]);
      const std::int64_t last = next < end ? next : end;
      const std::int64_t columns = cols - s * slab < slab ? cols - s * slab : slab;
      block.sync();
      for (std::int64_t i = block.lane(); i < columns; i += Block::threads)
        room[i] = x[s * slab + i];
      block.sync();
      deliver(block, room, c, last);
      c = last;
      if (s + 1 >= static_cast<std::int64_t>(first_slabs[block.blocks()])) break;
    }
  }

 private:
  static constexpr int together = 8;  ///< chunks
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void deliver(Block& block, const V* room, std::int64_t first, std::int64_t last) const {
    constexpr int lanes = Block::threads < list_chunk ? Block::threads : list_chunk;
    constexpr int groups = Block::threads / lanes;
    const int lane = block.lane() % lanes;
    for (std::int64_t c = first + block.lane() / lanes * together; c < last;
         c += groups * together) {
      std::uint16_t at[together];
      Index target[together];
      for (int l = lane; l < list_chunk; l += lanes) {
        LOOPS_UNROLL
        for (int i = 0; i < together; ++i) {
          const std::int64_t from = c + i < last ? c + i : last - 1;
          at[i] = native::load_once(places + from * list_chunk + l);
          target[i] = targets[from];
        }
        LOOPS_UNROLL
        for (int i = 0; i < together; ++i)
          to[static_cast<std::int64_t>(target[i]) * list_chunk + l] = room[at[i]];
      }
    }
  }
};

/// Sums the products of a stretch of nonzeros with what their columns' list holds.
template <class Sums, class V, class Index, class Source, int ListRoom>
struct sum_listed {
  using sum = typename Sums::value_type;
  using sizes = typename Sums::sizes;
  const V* values;
  const std::uint16_t* places;  ///< in the stretch's list, of nonzeros
  const Index* lists;           ///< first chunk of a stretch's list, and one more
  Source source;
  Sums sums;

  /// Products take the place of the list, once all are made; a lone lane has no other place for
  /// them.
  template <class Block>
  union one_after_the_other {
    alignas(16) uninitialized<V, ListRoom> list;
    typename Sums::template storage<Block> sums;
  };
  template <class Block>
  struct side_by_side {
    alignas(16) uninitialized<V, ListRoom> list;
    typename Sums::template storage<Block> sums;
  };
  template <class Block>
  using storage =
      std::conditional_t<(Block::threads < 32), side_by_side<Block>, one_after_the_other<Block>>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    const std::int64_t first = sums.first(block);
    const std::int64_t last = sums.last(block);
    V* const list = shared.list.data();
    sum* const products = shared.sums.values.data();
    if constexpr (Block::threads < 32) {
      if constexpr (Source::brought) block.await_previous();
      fill(block, list);
      block.sync();
      for (std::int64_t a = first + block.lane(); a < last; a += Block::threads)
        products[sizes::padded(static_cast<int>(a - first))] =
            sum(values[a]) * sum(list[places[note_of(a)]]);
    } else {
      constexpr int groups = Block::threads / 32;
      constexpr int rounds = sizes::room / (Block::threads * 4);
      const int lane = block.lane() & 31;
      const std::int64_t begin = first + (block.lane() >> 5) * chunk;
      four<std::uint16_t> at[rounds];
      V value[rounds][4];
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r) {
        const std::int64_t c = begin + r * groups * chunk;
        at[r] = load_four(places + (c < last ? c : first) + 4 * lane);
        LOOPS_UNROLL
        for (int i = 0; i < 4; ++i) {
          const std::int64_t a = c + 32 * i + lane;
          value[r][i] = native::load_once(values + (a < last ? a : last - 1));
        }
      }
      if constexpr (Source::brought) block.await_previous();
      fill(block, list);
      block.sync();
      sum product[rounds][4];
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r) LOOPS_UNROLL
      for (int i = 0; i < 4; ++i) product[r][i] = sum(value[r][i]) * sum(list[at[r].at[i]]);
      block.sync();
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r) LOOPS_UNROLL
      for (int i = 0; i < 4; ++i) {
        const std::int64_t a = begin + r * groups * chunk + 32 * i + lane;
        if (a < last) products[sizes::padded(static_cast<int>(a - first))] = product[r][i];
      }
    }
    sums(block, shared.sums);
  }

 private:
  /// Copies the list of the block's stretch.
  template <class Block>
  LOOPS_HD void fill(Block& block, V* list) const {
    const std::int64_t from = static_cast<std::int64_t>(lists[block.id()]) * list_chunk;
    const std::int64_t to = static_cast<std::int64_t>(lists[block.id() + 1]) * list_chunk;
    for (std::int64_t i = from + 4 * block.lane(); i < to; i += 4 * Block::threads)
      source(i, list + (i - from));
  }
};

}  // namespace loops::spmv_detail
