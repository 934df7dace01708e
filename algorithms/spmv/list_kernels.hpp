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

/// Brings x to the lists: a block reads a slab of it, and then for every entry of a list that is a
/// column of this slab its place there. Blocks take equal shares of the chunks, which come slab by
/// slab.
template <class V, class Index, int Lanes, int Slab>
struct bring {
  using launch_shape = shape<Lanes, 1>;
  static constexpr int wanted_lanes = 1024;
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
  /// A lane's entries of some chunks.
  struct entries {
    std::uint16_t at[together];
    Index target[together];
  };
  LOOPS_HD entries ask(int lane, std::int64_t c, std::int64_t last) const {
    entries e{};
    const std::uint16_t* const from = places + c * list_chunk + lane;
    const Index* const of = targets + c;
    const auto left = static_cast<int>(last - c < together ? last - c : together);
    LOOPS_UNROLL
    for (int i = 0; i < together; ++i) {
      if (i >= left) continue;
      e.at[i] = native::load_once(from + i * list_chunk);
      e.target[i] = of[i];
    }
    return e;
  }
  /// Writes a slab's elements to chunks of entries; those of the next chunks are under way.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void deliver(Block& block, const V* room, std::int64_t first, std::int64_t last) const {
    constexpr int lanes = Block::threads < list_chunk ? Block::threads : list_chunk;
    constexpr int step = Block::threads / lanes * together;
    for (int lane = block.lane() % lanes; lane < list_chunk; lane += lanes) {
      std::int64_t c = first + block.lane() / lanes * together;
      if (c >= last) return;
      entries next = ask(lane, c, last);
      for (; c < last; c += step) {
        const entries now = next;
        if (c + step < last) next = ask(lane, c + step, last);
        LOOPS_UNROLL
        for (int i = 0; i < together; ++i)
          if (c + i < last)
            to[static_cast<std::int64_t>(now.target[i]) * list_chunk + lane] = room[now.at[i]];
      }
    }
  }
};

/// Sums the products of a stretch of nonzeros with what its list holds.
template <class Sums, class V, class Index, int ListRoom>
struct sum_listed {
  using sum = typename Sums::value_type;
  using sizes = typename Sums::sizes;
  static constexpr int wanted_lanes = 1024;
  const V* values;
  bool in_fours;                ///< whether the first value lies where four are read at once
  const std::uint16_t* places;  ///< in the stretch's list, of nonzeros
  const Index* lists;           ///< first chunk of a stretch's list, and one more
  const V* listed;
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
      std::conditional_t<(Block::threads == 1), side_by_side<Block>, one_after_the_other<Block>>;

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    block.let_next_start();
    const std::int64_t list_first = static_cast<std::int64_t>(lists[block.id()]) * list_chunk;
    const std::int64_t list_last = static_cast<std::int64_t>(lists[block.id() + 1]) * list_chunk;
    const std::int64_t first = sums.first(block);
    const auto count = static_cast<int>(sums.last(block) - first);
    const auto entries = static_cast<int>(list_last - list_first);
    V* const list = shared.list.data();
    sum* const products = shared.sums.values.data();
    if constexpr (Block::threads == 1) {
      block.await_previous();
      for (int i = 0; i < entries; i += 4) put(list + i, load_four(listed + list_first + i));
      for (int i = 0; i < count; ++i)
        products[sizes::padded(i)] = sum(values[first + i]) * sum(list[places[first + i]]);
      sums(block, shared.sums);
    } else {
      // A lane takes four neighbours a round. All that is asked for is under way before anything is
      // waited for.
      constexpr int step = Block::threads * 4;
      constexpr int rounds = sizes::room / step;
      constexpr int most = (ListRoom + step - 1) / step;
      const int lane = 4 * block.lane();
      four<V> value[rounds];
      four<std::uint16_t> at[rounds];
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r) {
        const int left = count - lane - r * step;
        if (left <= 0) continue;
        at[r] = load_four(places + (first + lane + r * step));
        value[r] = read(values + (first + lane + r * step), left);
      }
      const auto mine = sums.look(block);
      block.await_previous();
      four<V> brought[most];
      LOOPS_UNROLL
      for (int i = 0; i < most; ++i)
        if (lane + i * step < entries)
          brought[i] = load_four(listed + (list_first + lane + i * step));
      LOOPS_UNROLL
      for (int i = 0; i < most; ++i)
        if (lane + i * step < entries) put(list + (lane + i * step), brought[i]);
      block.sync();
      four<sum> product[rounds];
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r)
        if (lane + r * step < count) product[r] = products_of(value[r], at[r], list);
      block.sync();
      // Neither do fours cross a gap, nor do rounds begin inside of what a lane sums.
      static_assert(sizes::each % 4 == 0 && step % sizes::each == 0);
      sum* const to = products + sizes::padded(lane);
      LOOPS_UNROLL
      for (int r = 0; r < rounds; ++r)
        if (lane + r * step < count) put_apart(to + sizes::padded(r * step), product[r]);
      sums(block, shared.sums, mine);
    }
  }

 private:
  static LOOPS_HD void put(V* to, const four<V>& values) {
    *reinterpret_cast<four<V>*>(to) = values;
  }
  /// The same where four do not begin on 16 bytes.
  static LOOPS_HD void put_apart(sum* to, const four<sum>& values) {
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) to[i] = values.at[i];
  }
  static LOOPS_HD four<sum> products_of(const four<V>& values, const four<std::uint16_t>& at,
                                        const V* list) {
    four<sum> out;
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i) out.at[i] = sum(values.at[i]) * sum(list[at.at[i]]);
    return out;
  }
  /// Four values, or the `left` that there are.
  LOOPS_HD four<V> read(const V* from, int left) const {
    four<V> out{};
    if (in_fours && left >= 4) return native::load_once(reinterpret_cast<const four<V>*>(from));
    LOOPS_UNROLL
    for (int i = 0; i < 4; ++i)
      if (i < left) out.at[i] = native::load_once(from + i);
    return out;
  }
};

}  // namespace loops::spmv_detail
