// SPDX-License-Identifier: Apache-2.0
/// The columns of every stretch of nonzeros, listed once each, and 16-bit places there.
///
/// Reads of x at random pay a sector for an element. A block of one kernel has a slab of x in
/// shared memory, and writes what lists want of it side by side; a block of another has a list in
/// shared memory, and its nonzeros find their element there.
#pragma once

#include "algorithms/spmv/list_kernels.hpp"
#include "algorithms/spmv/stretched.hpp"
#include "loops/algorithm/first_of.hpp"
#include "loops/core/error.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/sort.hpp"
#include "loops/format/formats.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace loops::spmv_detail {

/// The blocks of sums by lists, in which T are summed.
template <class Exec, class T>
using list_sizes = std::conditional_t<
    !on_gpu<Exec>, hop_sizes<64, 16>,
    hop_sizes<(LOOPS_HIP && sizeof(T) > 8) ? 256 : 512, sizeof(T) <= 4 ? 16 : 8>>;

/// Kernels that bring x by slabs: usual ones, of which several share a processor of NVIDIA's, and
/// wide ones for so many columns that a list would want too little of each.
template <class Exec, class V, class Index>
struct slab_sizes {
  static constexpr int columns(int bytes) { return std::min(65536, bytes / int(sizeof(V))); }
  static constexpr int usual = !on_gpu<Exec> ? 256
                               : LOOPS_HIP   ? columns(48 * 1024)
                                             : columns(sizeof(V) <= 4 ? 64 * 1024 : 96 * 1024);
  static constexpr int wide = !on_gpu<Exec> ? 512
                              : LOOPS_HIP   ? usual
                                            : columns(sizeof(V) <= 4 ? 128 * 1024 : 192 * 1024);
  using bring_usual = bring<V, Index, LOOPS_HIP || !on_gpu<Exec> ? 256 : 512, usual>;
  using bring_wide = std::conditional_t<wide == usual, bring_usual,
                                        bring<V, Index, on_gpu<Exec> ? 1024 : 128, wide>>;
  /// Entries that a list should want of a slab, most of whose chunks are full then.
  static constexpr std::int64_t enough = 100;
};

/// Keys of nonzeros: their stretch, then their column.
template <class I, class Index>
struct name_columns {
  const I* columns;
  std::int64_t cols;
  std::int64_t stretch;
  std::int64_t* keys;
  Index* ranks;
  LOOPS_HD void operator()(std::int64_t, std::int64_t k) const {
    keys[k] = k / stretch * cols + static_cast<std::int64_t>(columns[k]);
    ranks[k] = static_cast<Index>(k);
  }
};

/// Whether a sorted nonzero is the first of its stretch and column.
struct begins_entry {
  const std::int64_t* keys;
  LOOPS_HD std::int64_t operator()(std::int64_t m) const {
    return m == 0 || keys[m] != keys[m - 1] ? 1 : 0;
  }
};

/// What stretch b of the nonzeros lists of slab s of the columns is part `b * slabs + s`.
template <class Index>
struct list_parts {
  const std::int64_t* keys;
  const Index* listed;  ///< of a sorted nonzero: columns listed before it
  std::int64_t count;
  std::int64_t cols;
  std::int64_t stretch;
  std::int64_t slabs;
  std::int64_t slab;  ///< columns of one

  /// Columns listed before a part.
  [[nodiscard]] LOOPS_HD std::int64_t before(std::int64_t b, std::int64_t s) const {
    const std::int64_t first = b * stretch;
    const std::int64_t last = first + stretch < count ? first + stretch : count;
    const std::int64_t column = s * slab < cols ? s * slab : cols;
    return static_cast<std::int64_t>(listed[first_where(
        first, last, [&](std::int64_t m) { return keys[m] >= b * cols + column; })]);
  }
  /// Chunks of a part.
  LOOPS_HD std::int64_t operator()(std::int64_t part) const {
    const std::int64_t b = part / slabs;
    const std::int64_t s = part % slabs;
    return ceil_div(before(b, s + 1) - before(b, s), std::int64_t{list_chunk});
  }
};

/// Chunks of stretch b's list.
template <class Index>
struct list_length {
  const Index* chunks;  ///< before a part
  std::int64_t slabs;
  LOOPS_HD std::int64_t operator()(std::int64_t b) const {
    return static_cast<std::int64_t>(chunks[(b + 1) * slabs]) -
           static_cast<std::int64_t>(chunks[b * slabs]);
  }
};

/// The same of parts slab by slab.
template <class Index>
struct turned_length {
  const Index* chunks;
  std::int64_t stretches;
  std::int64_t slabs;
  LOOPS_HD std::int64_t operator()(std::int64_t turned) const {
    const std::int64_t part = turned % stretches * slabs + turned / stretches;
    return static_cast<std::int64_t>(chunks[part + 1]) - static_cast<std::int64_t>(chunks[part]);
  }
};

/// Where entries of lists lie and what they are, and where nonzeros find theirs.
template <class Index>
struct write_lists {
  list_parts<Index> parts;
  const Index* ranks;
  const Index* chunks;  ///< before a part
  const Index* turned;  ///< the same, slab by slab
  std::int64_t stretches;
  std::uint16_t* places;
  std::uint16_t* columns;  ///< of entries, in their slab
  Index* targets;          ///< of chunks, slab by slab

  LOOPS_HD void operator()(std::int64_t, std::int64_t m) const {
    const std::int64_t b = parts.keys[m] / parts.cols;
    const std::int64_t column = parts.keys[m] % parts.cols;
    const std::int64_t s = column / parts.slab;
    const std::int64_t part = b * parts.slabs + s;
    const std::int64_t in_part =
        static_cast<std::int64_t>(parts.listed[m + 1]) - 1 - parts.before(b, s);
    const auto first = static_cast<std::int64_t>(chunks[part]);
    const auto list = static_cast<std::int64_t>(chunks[b * parts.slabs]);
    places[ranks[m]] = static_cast<std::uint16_t>((first - list) * list_chunk + in_part);
    if (parts.listed[m] == parts.listed[m + 1]) return;
    const auto chunk_of_part = static_cast<std::int64_t>(turned[s * stretches + b]);
    columns[chunk_of_part * list_chunk + in_part] =
        static_cast<std::uint16_t>(column - s * parts.slab);
    if (in_part % list_chunk == 0)
      targets[chunk_of_part + in_part / list_chunk] =
          static_cast<Index>(first + in_part / list_chunk);
  }
};

/// Every `step`-th of some numbers, and one more.
template <class Index>
struct every {
  const Index* from;
  std::int64_t step;
  Index* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const { to[i] = from[i * step]; }
};

/// The slab of a block's first chunk; behind the last block, how many there are.
template <class Index>
struct find_slab {
  const Index* slabs;
  std::int64_t count;
  std::int64_t per_block;
  std::int64_t blocks;
  Index* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    to[i] = static_cast<Index>(
        i == blocks ? count : first_where(std::int64_t{0}, count - 1, [&](std::int64_t s) {
          return static_cast<std::int64_t>(slabs[s + 1]) > i * per_block;
        }));
  }
};

/// Lists of the columns of a matrix's nonzeros. Making them: a sort's time, with 28 bytes per
/// nonzero besides; waits. Holds 2 bytes per nonzero, and per entry of a list 2 bytes and a value.
template <class Exec, class V, class I, class O>
class column_lists {
 public:
  using sum = accumulator_t<V>;
  using sizes = list_sizes<Exec, sum>;
  using stretched_type = stretched<Exec, sum, O, sizes>;
  using index = typename stretched_type::index;
  using launch_shape = typename sizes::launch_shape;
  using slabs = slab_sizes<Exec, V, index>;
  /// Most entries of a list, those counted that fill the last chunk of a slab's.
  static constexpr int list_room = !on_gpu<Exec>    ? 2 * sizes::room
                                   : sizeof(V) <= 4 ? sizes::room / 4 * 5
                                                    : sizes::room / 2 * 3;

  /// Throws: unsupported when a list would be longer; overflow where columns of stretches cannot be
  /// numbered in 64 bits.
  column_lists(const Exec& exec, const csr_view<V, I, O>& a, std::int64_t stretch)
      : exec_(exec),
        count_(static_cast<std::int64_t>(a.nonzeros)),
        cols_(std::max<std::int64_t>(1, static_cast<std::int64_t>(a.cols))),
        stretch_(stretch),
        stretches_(ceil_div(count_, stretch)),
        places_(static_cast<std::size_t>(ceil_div(count_, chunk) * chunk), exec.memory()) {
    if (stretches_ > std::numeric_limits<std::int64_t>::max() / cols_)
      throw error(errc::overflow, "so many nonzeros over so many columns cannot be numbered");
    const std::int64_t parts = stretches_ * ceil_div(cols_, std::int64_t{slabs::usual});
    wide_ = parts > count_ / slabs::enough;
    if (count_ > 0) make(a);
  }

  /// Entries of all lists.
  [[nodiscard]] std::int64_t entries() const { return entries_; }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return 2 * (places_.size() + columns_.size()) + values_.size() * sizeof(V) +
           (lists_.size() + targets_.size() + slabs_.size() + first_slabs_.size()) * sizeof(index);
  }

  /// `sums` of the products of nonzeros with x. Two launches. Requires: there are nonzeros.
  template <class Sums>
  void operator()(const V* values, const V* x, const Sums& sums) const {
    V* const to = const_cast<V*>(values_.data());
    if (wide_) {
      start_bringing<typename slabs::bring_wide>(x, to);
    } else {
      start_bringing<typename slabs::bring_usual>(x, to);
    }
    const bool in_fours = reinterpret_cast<std::uintptr_t>(values) % alignof(four<V>) == 0;
    exec_.template launch_early<launch_shape>(
        stretches_, sum_listed<Sums, V, index, list_room>{values, in_fours, places_.data(),
                                                          lists_.data(), to, sums});
  }

 private:
  template <class Bring>
  void start_bringing(const V* x, V* to) const {
    exec_.template launch<typename Bring::launch_shape>(
        static_cast<std::int64_t>(first_slabs_.size()) - 1,
        Bring{x, cols_, slabs_.data(), first_slabs_.data(), per_block_, columns_.data(),
              targets_.data(), to});
  }
  template <class F>
  void for_each(std::int64_t n, const F& f) const {
    for_each_atom(exec_, schedule::nonzero_split{}, segmented_detail::each_of(n), f);
  }

  void make(const csr_view<V, I, O>& a) {
    array<std::int64_t> keys(static_cast<std::size_t>(count_), exec_.memory());
    array<index> ranks(static_cast<std::size_t>(count_), exec_.memory());
    for_each(count_, name_columns<I, index>{a.indices, cols_, stretch_, keys.data(), ranks.data()});
    stable_sort_by_key(exec_, keys, ranks);
    array<index> listed(static_cast<std::size_t>(count_) + 1, exec_.memory());
    entries_ = segmented_detail::running_sums(exec_, count_, begins_entry{keys.data()}, listed);
    const std::int64_t slab = wide_ ? slabs::wide : slabs::usual;
    const std::int64_t count_of_slabs = ceil_div(cols_, slab);
    const list_parts<index> parts{keys.data(), listed.data(),  count_, cols_,
                                  stretch_,    count_of_slabs, slab};
    const std::int64_t all = stretches_ * count_of_slabs;
    array<index> chunks(static_cast<std::size_t>(all) + 1, exec_.memory());
    array<index> turned(static_cast<std::size_t>(all) + 1, exec_.memory());
    const std::int64_t count = segmented_detail::running_sums(exec_, all, parts, chunks);
    check_room(chunks, count_of_slabs);
    segmented_detail::running_sums(
        exec_, all, turned_length<index>{chunks.data(), stretches_, count_of_slabs}, turned);
    lists_ = array<index>(static_cast<std::size_t>(stretches_) + 1, exec_.memory());
    for_each(stretches_ + 1, every<index>{chunks.data(), count_of_slabs, lists_.data()});
    share_out(turned, count_of_slabs, count);
    const auto entries = static_cast<std::size_t>(count * list_chunk);
    places_.fill(0);  // lanes look up what fills their last four, too
    columns_ = array<std::uint16_t>(entries, exec_.memory());
    columns_.fill(0);
    targets_ = array<index>(static_cast<std::size_t>(count), exec_.memory());
    values_ = array<V>(entries, exec_.memory());
    for_each(count_,
             write_lists<index>{parts, ranks.data(), chunks.data(), turned.data(), stretches_,
                                places_.data(), columns_.data(), targets_.data()});
    exec_.synchronize();
  }
  void check_room(const array<index>& chunks, std::int64_t slab_count) const {
    array<std::int64_t> longest(1, exec_.memory());
    reduce_tiles<std::int64_t>(exec_, schedule::merge_path{}, uniform(1, stretches_),
                               list_length<index>{chunks.data(), slab_count}, maximum{},
                               store_in<std::int64_t>{longest.data()});
    const std::int64_t most = first_of(exec_, longest) * list_chunk;
    if (most > list_room)
      throw error(errc::unsupported,
                  "the columns of " + std::to_string(stretch_) + " consecutive nonzeros take " +
                      std::to_string(most) + " entries of a list, which has room for " +
                      std::to_string(list_room) + ": multiply the matrix as it is");
  }
  template <class Bring>
  [[nodiscard]] std::int64_t blocks_at_once() const {
    using block = typename Exec::template block<typename Bring::launch_shape>;
    constexpr std::size_t storage = sizeof(typename Bring::template storage<block>);
    return exec_.template describe<typename Bring::launch_shape>(Bring::wanted_lanes, storage)
        .blocks;
  }
  /// Equal chunks for blocks that bring x, as many as run at a time.
  void share_out(const array<index>& turned, std::int64_t slab_count, std::int64_t chunks) {
    slabs_ = array<index>(static_cast<std::size_t>(slab_count) + 1, exec_.memory());
    for_each(slab_count + 1, every<index>{turned.data(), stretches_, slabs_.data()});
    const std::int64_t at_once = wide_ ? blocks_at_once<typename slabs::bring_wide>()
                                       : blocks_at_once<typename slabs::bring_usual>();
    per_block_ = ceil_div(chunks, std::max<std::int64_t>(1, at_once));
    const std::int64_t blocks = ceil_div(chunks, per_block_);
    first_slabs_ = array<index>(static_cast<std::size_t>(blocks) + 1, exec_.memory());
    for_each(blocks + 1,
             find_slab<index>{slabs_.data(), slab_count, per_block_, blocks, first_slabs_.data()});
  }

  Exec exec_;
  std::int64_t count_;
  std::int64_t cols_;
  std::int64_t stretch_;
  std::int64_t stretches_;
  bool wide_ = false;
  std::int64_t entries_ = 0;
  std::int64_t per_block_ = 0;
  array<std::uint16_t> places_;
  array<index> lists_;
  array<std::uint16_t> columns_;
  array<index> targets_;
  array<index> slabs_;
  array<index> first_slabs_;
  array<V> values_;
};

}  // namespace loops::spmv_detail
