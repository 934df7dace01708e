// SPDX-License-Identifier: Apache-2.0
/// The kernels behind `reduce_tiles`: one that takes slices, one that joins tiles cut in two.
#pragma once

#include "loops/algorithm/bound.hpp"
#include "loops/algorithm/join_blocks.hpp"
#include "loops/algorithm/reduce_in_order.hpp"
#include "loops/algorithm/reduction.hpp"
#include "loops/algorithm/short_slices.hpp"
#include "loops/algorithm/slice_reduce.hpp"

#include <cstdint>

namespace loops::detail {

/// Turns a kernel over wide values into that of one share of them.
template <class Kernel>
LOOPS_HD void give_share(Kernel& k, int share, std::int64_t copy) {
  k.reduction.take_share(share);
  if (k.parts.heads.first) {
    k.parts.heads.first += share;
    k.parts.tails.first += share;
  }
  if (k.bound.tickets) k.bound.tickets += copy;
}

/// Leaves a slice's part of a tile for the next kernel. Where long tiles come first, the others,
/// which are whole, have no room.
template <class Bound, class Places, class Value>
LOOPS_HD void keep_part(const Bound& b, const Places& of, std::int64_t slice, const Value& value) {
  if constexpr (Bound::long_first) {
    if (slice >= b.slices_with_parts()) return;
  }
  of[slice] = value;
}

/// Takes slices and emits every tile that lies in one slice; parts of the others are left in
/// `Parts`: partials for the next kernel, or boxes, one slice per block, for blocks that come after
/// these and join.
template <class Bound, class Reduction, class Parts = partials<Reduction>>
struct reduce_slices {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  Parts parts;

  static constexpr bool joins = std::is_same_v<Parts, post>;
  static constexpr bool waits_for_blocks = joins;

  static constexpr bool splits = Bound::measure_type::splits_tiles;
  static constexpr bool single = std::is_same_v<typename Bound::measure_type, measure::one_tile>;
  /// A slice is a tile, or a piece of one.
  static constexpr bool by_tile = single || Bound::long_first;
  static constexpr bool by_lane = std::is_same_v<typename Bound::worker_type, worker::lane>;
  static constexpr bool by_block = std::is_same_v<typename Bound::worker_type, worker::block>;
  static constexpr bool by_tiles = std::is_same_v<typename Bound::measure_type, measure::tiles>;
  /// A tile at a time takes few registers, groups of any size count in them.
  static constexpr int wanted_lanes = sizeof(value_type) > 8 || !(by_tile || by_tiles)
                                          ? slice_lanes<sizeof(value_type)>
                                      : by_tiles                ? 1024
                                      : sizeof(value_type) <= 4 ? 2048
                                                                : 1536;
  /// Makes this the kernel of one share of every value.
  LOOPS_HD void take_share(int share, std::int64_t copy) requires(Reduction::wide) {
    give_share(*this, share, copy);
  }

  template <class Block>
  static constexpr bool walks = Block::threads > 1 && !by_tile && !by_lane;

  struct nothing {};
  template <class Block>
  using work_storage =
      std::conditional_t<walks<Block>, slice_storage<Block, value_type>,
                         std::conditional_t<by_tile, group_storage<Block, value_type>, nothing>>;
  template <class Block>
  struct storage {
    visit_storage visit;
    work_storage<Block> work[members_of<Block>];
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    if constexpr (joins) {
      if (block.id() >= bound.a.slices)
        return join_as_last<value_type>(block, bound, reduction, parts);
      take(block, shared, visited{block.id(), true, Block::threads, block.id()});
    } else {
      // The kernel that joins, or the caller's that follows one of wide values, waits on the
      // device, where it has room as soon as the last blocks run.
      if constexpr (splits || Reduction::wide) block.let_next_start();
      if constexpr (Block::threads == 1) {
        take_in_order(block, shared);
      } else {
        for_each_visit(block, shared.visit, bound,
                       [&](const visited& v) { take(block, shared, v); });
      }
    }
  }

 private:
  /// A CPU. Neighbouring tiles share an offset.
  LOOPS_CALLS_USER
  template <class Block, class Storage>
  LOOPS_HD void take_in_order(Block& block, Storage& shared) const {
    using work_type = typename Bound::work_type;
    constexpr bool in_order = !renamed_work<work_type> && !Bound::binned && !Bound::long_first;
    const auto& map = walker_of<work_type>(block, reduction.map);
    with_lookout<in_order>(bound.w, map, [&](auto& ahead) {
      coordinate known{-1, 0};  // where a tile begins; none yet
      for_each_visit(block, shared.visit, bound, [&](const visited& v) {
        if (!v.valid) return;
        if constexpr (single) {
          if (known.tile != v.tile) {
            known = {v.tile, bound.w.offset(v.tile)};
            ahead.start(known.atom);
          }
          known = reduce_tiles_in_order<value_type>(bound.w,
                                                    slice{known, {v.tile + 1, bound.w.atoms()}},
                                                    map, reduction.combine, reduction.emit, ahead);
        } else {
          const slice range = bound.claimed(v.number);
          ahead.start(range.begin.atom);
          if constexpr (!splits) {
            reduce_tiles_in_order<value_type>(bound.w, range, map, reduction.combine,
                                              reduction.emit, ahead);
          } else {
            reduce_slice_in_order<value_type>(
                bound.w, range, map, reduction.combine, reduction.emit,
                [&](std::int64_t, value_type value) {
                  keep_part(bound, parts.heads, v.number, value);
                },
                [&](value_type value) { keep_part(bound, parts.tails, v.number, value); }, ahead);
          }
        }
      });
    });
  }

  /// What a group takes in one visit.
  LOOPS_CALLS_USER
  template <class Block, class Storage>
  LOOPS_HD void take(Block& block, Storage& shared, const visited& v) const {
    if constexpr (walks<Block>) {
      const slice range = v.valid ? bound.claimed(v.number) : slice{};
      const group<Block, by_block ? Block::threads : 0> g(block, v.lanes);
      const auto head = [&](std::int64_t, const value_type& value) {
        if constexpr (joins) {
          send(block, parts.of_heads(), number_again(block), value);
        } else if constexpr (splits) {
          parts.heads[v.number] = value;
        }
      };
      const auto tail = [&](const value_type& value, [[maybe_unused]] bool open) {
        if constexpr (joins) {
          if (open) send(block, parts, number_again(block), value);
        } else if constexpr (splits) {
          parts.tails[v.number] = value;
        }
      };
      auto& work = shared.work[member_of(block)];
      reduce_slice<value_type>(g, work, bound.w, range, v.valid, reduction.map, reduction.combine,
                               reduction.emit, head, tail);
    } else if constexpr (by_tile) {
      take_tile(block, shared, v);
    } else {
      // A copy of one's own: its members can stay in registers across the caller's stores.
      if (v.valid) reduce_slices(*this).template take_alone<Block>(v.number);
    }
  }

  /// The number of a block's slice, not kept meanwhile: in between, registers are what decides.
  template <class Block>
  static LOOPS_HD std::int64_t number_again(const Block& block) {
    return native::recomputed(static_cast<int>(block.id()));
  }

  /// A group reduces a whole tile, or a piece of one.
  LOOPS_CALLS_USER
  template <class Block, class Storage>
  LOOPS_HD void take_tile(Block& block, Storage& shared, const visited& v) const {
    if constexpr (Bound::long_first) {
      if (v.number < bound.piece_count) {
        const piece_of_tile piece = v.valid ? bound.pieces[v.number] : piece_of_tile{};
        const atom_range atoms{piece.first, piece.first + piece.atoms};
        sum_up(block, shared, v, piece.tile, atoms, [&](const value_type& sum) {
          // Who scans asks what is open behind a slice; of the last piece, nothing is.
          const value_type none = reduction.combine.template identity<value_type>();
          parts.tails[v.number] = piece.last() ? none : sum;
          if (piece.whole()) {
            reduction.emit(tile_id(bound.w, piece.tile), sum);
          } else if (piece.last()) {
            parts.heads[v.number] = sum;
          }
        });
        return;
      }
    }
    const atom_range atoms = v.valid ? atoms_of(bound.w, v.tile) : atom_range{};
    sum_up(block, shared, v, v.tile, atoms,
           [&](const value_type& sum) { reduction.emit(tile_id(bound.w, v.tile), sum); });
  }

  /// Calls `done(sum)` on one lane of a group that has a slice.
  LOOPS_CALLS_USER
  template <class Block, class Storage, class Done>
  LOOPS_HD void sum_up(Block& block, Storage& shared, const visited& v, std::int64_t tile,
                       const atom_range& atoms, const Done& done) const {
    if (v.lanes == 1) {
      const value_type sum = reduce_alone<Block>(tile, atoms.first, atoms.last);
      if (v.valid) done(sum);
      return;
    }
    const group<Block> g(block, v.lanes);
    value_type sum =
        reduce_atoms<value_type, Block>(bound.w, tile, atoms.first + g.rank(), atoms.last, v.lanes,
                                        reduction.map, reduction.combine);
    sum = g.reduce(sum, reduction.combine, shared.work[member_of(block)]);
    if (v.valid && g.rank() == 0) done(sum);
  }

  /// One lane reduces atoms [first, last) of tile t.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD value_type reduce_alone(std::int64_t t, std::int64_t first, std::int64_t last) const {
    return reduce_atoms_alone<value_type, Block>(bound.w, t, first, last, reduction.map,
                                                 reduction.combine);
  }

  /// One lane follows its slice from end to end.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void take_alone(std::int64_t number) const {
    const auto [from, to] = bound.claimed(number);
    std::int64_t atom = from.atom;
    bool begun_before = splits && from.tile < to.tile && atom > bound.w.offset(from.tile);
    // One place that reduces, for whole tiles and for both ends: compilers inline only so much.
    for (std::int64_t t = from.tile;; ++t) {
      const bool open = t == to.tile;
      if (open && !splits) break;
      const std::int64_t end = open ? to.atom : bound.w.offset(t + 1);
      const value_type sum = reduce_alone<Block>(t, atom, end);
      atom = end;
      if (open) {
        parts.tails[number] = sum;
        break;
      }
      if (begun_before) {
        parts.heads[number] = sum;
        begun_before = false;
      } else {
        reduction.emit(tile_id(bound.w, t), sum);
      }
    }
  }
};

/// Emits every tile that was cut: the tails of the slices it ran through, in order, and the head
/// of the slice that closed it. One lane per slice; a tile cut many times is joined by a wave.
template <class Bound, class Reduction>
struct join_slices {
  using value_type = typename Reduction::value_type;
  Bound bound;
  Reduction reduction;
  partials<Reduction> parts;

  static constexpr int wanted_lanes = 0;

  /// Makes this the kernel of one share of every value.
  LOOPS_HD void take_share(int share, std::int64_t copy) requires(Reduction::wide) {
    give_share(*this, share, copy);
  }

  template <class Block>
  struct storage {
    group_storage<Block, value_type> group[members_of<Block>];
  };

  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>& shared) const {
    constexpr std::int64_t few = 4;
    const std::int64_t per_block = Block::threads * Block::batch;
    const std::int64_t slices = bound.slices_with_parts();
    for (std::int64_t base = block.id() * per_block; base < slices;
         base += block.blocks() * per_block) {
      for (int i = 0; i < Block::batch; ++i) {
        const std::int64_t s = base + block.lane() * Block::batch + i;
        std::int64_t first = s;
        coordinate from{};
        bool cut = false;
        if (s > 0 && s < slices) {
          const slice mine = bound.claimed(s);
          from = mine.begin;
          cut = from.tile < mine.end.tile && from.atom > bound.w.offset(from.tile);
          if constexpr (Bound::long_first) {
            if (cut) first = s - ~bound.pieces[s].place;
          } else if (cut) {
            first = bound.a.slice_of(bound.w, from.tile);
          }
        }
        const bool many = Block::threads > 1 && s - first > few;
        block.await_previous();  // what is cut was known before; now the parts are, too
        if (cut && !many) {
          value_type sum = parts.tails[first];
          LOOPS_ROLLED
          for (std::int64_t p = first + 1; p < s; ++p) sum = reduction.combine(sum, parts.tails[p]);
          reduction.emit(tile_id(bound.w, from.tile), reduction.combine(sum, parts.heads[s]));
        }
        if constexpr (Block::threads > 1) join_long(block, shared, many, first, s, from.tile);
      }
    }
  }

  /// Combines tails first, first + stride, … below last; many reads are under way at a time.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD value_type tails(std::int64_t first, std::int64_t last, std::int64_t stride) const {
    constexpr int batch = Block::threads == 1 ? 1 : 16;
    const value_type none = reduction.combine.template identity<value_type>();
    value_type sum = none;
    LOOPS_ROLLED
    for (std::int64_t p = first; p < last; p += batch * stride) {
      value_type v[batch];
      LOOPS_UNROLL
      for (int i = 0; i < batch; ++i) {
        v[i] = none;
        if (p + i * stride < last) v[i] = parts.tails[p + i * stride];
      }
      LOOPS_UNROLL
      for (int i = 0; i < batch; ++i) sum = reduction.combine(sum, v[i]);
    }
    return sum;
  }

  /// The wave joins, one after another, the long runs of its lanes.
  LOOPS_CALLS_USER
  template <class Block>
  LOOPS_HD void join_long(Block& block, storage<Block>& shared, bool many, std::int64_t first,
                          std::int64_t s, std::int64_t tile) const {
    const group<Block, Block::wave> g(block);
    std::uint64_t left = block.ballot(many);
    while (left != 0) {
      const int lane = native::lowest_bit(left);
      left &= left - 1;
      const std::int64_t begin = block.shuffle(first, lane);
      const std::int64_t end = block.shuffle(s, lane);
      const value_type sum = g.reduce(tails<Block>(begin + g.rank(), end, Block::wave),
                                      reduction.combine, shared.group[member_of(block)]);
      const std::int64_t target = block.shuffle(tile, lane);
      if (g.rank() == 0)
        reduction.emit(tile_id(bound.w, target), reduction.combine(sum, parts.heads[end]));
    }
  }
};

}  // namespace loops::detail
