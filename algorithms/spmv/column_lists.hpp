// SPDX-License-Identifier: Apache-2.0
/// The columns of every stretch of nonzeros, listed once each, and 16-bit places there.
///
/// A block reads the elements of x that it needs once, in the order of memory, and its nonzeros
/// find them in shared memory. Where lists are still too many sectors to read, x is brought to
/// them: a block of another kernel has a slab of x in shared memory and writes what lists want of
/// it side by side.
#pragma once

#include "algorithms/spmv/list_kernels.hpp"
#include "algorithms/spmv/stretched.hpp"
#include "loops/core/error.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/sort.hpp"
#include "loops/format/formats.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace loops {

/// Asks for an index that lists the columns of every block's nonzeros once, so that x is read side
/// by side. For matrices whose rows read all over x, and plans that are used hundreds of times.
/// Bitwise the same on every run.
struct by_lists {
  /// Whether another kernel brings x to the lists, where these have room; what looks cheaper, where
  /// nothing is said.
  std::optional<bool> bring{};
};

namespace spmv_detail {

/// The blocks of sums by lists, in which T are summed.
template <class Exec, class T>
using list_sizes = std::conditional_t<
    !on_gpu<Exec>, hop_sizes<64, 16>,
    hop_sizes<(LOOPS_HIP && sizeof(T) > 8) ? 256 : 512, sizeof(T) <= (LOOPS_HIP ? 4 : 8) ? 16 : 8>>;

/// Bytes of shared memory for a slab of x: two blocks share a processor of NVIDIA's.
inline constexpr int slab_bytes = LOOPS_HIP ? 48 * 1024 : 96 * 1024;
/// Columns of a slab.
template <class Exec, class V>
inline constexpr int slab_columns =
    !on_gpu<Exec> ? 64 : std::min(65536, slab_bytes / int(sizeof(V)));

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

/// Whether a sorted nonzero is the first of its stretch and column, or of its stretch and sector.
struct begins_group {
  const std::int64_t* keys;
  std::int64_t cols;
  std::int64_t width;  ///< columns of a group
  LOOPS_HD std::int64_t operator()(std::int64_t m) const {
    if (m == 0) return 1;
    const std::int64_t now = keys[m];
    const std::int64_t before = keys[m - 1];
    return now / cols != before / cols || now % cols / width != before % cols / width;
  }
};

/// What stretch b of the nonzeros lists of slab s of the columns is part `b * slabs + s`.
template <class Index>
struct list_parts {
  const std::int64_t* keys;
  const Index* groups;  ///< of a sorted nonzero: columns listed before it
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
    return static_cast<std::int64_t>(groups[first_where(
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
template <class I, class Index>
struct write_lists {
  list_parts<Index> parts;
  const Index* ranks;
  const Index* chunks;         ///< before a part
  const Index* turned_chunks;  ///< the same, slab by slab; null where x is not brought
  std::int64_t stretches;
  std::uint16_t* places;
  I* columns;            ///< of entries; null where x is brought
  std::uint16_t* local;  ///< their places in their slab
  Index* targets;        ///< of chunks, slab by slab

  LOOPS_HD void operator()(std::int64_t, std::int64_t m) const {
    const std::int64_t b = parts.keys[m] / parts.cols;
    const std::int64_t column = parts.keys[m] % parts.cols;
    const std::int64_t s = column / parts.slab;
    const std::int64_t part = b * parts.slabs + s;
    const auto listed = static_cast<std::int64_t>(parts.groups[m + 1]) - 1;
    const std::int64_t in_part = listed - parts.before(b, s);
    const auto first = static_cast<std::int64_t>(chunks[part]);
    const std::int64_t entry = first * list_chunk + in_part;
    places[note_of(static_cast<std::int64_t>(ranks[m]))] = static_cast<std::uint16_t>(
        entry - static_cast<std::int64_t>(chunks[b * parts.slabs]) * list_chunk);
    if (parts.groups[m] == parts.groups[m + 1]) return;
    if (columns) {
      columns[entry] = static_cast<I>(column);
      return;
    }
    const auto turned = static_cast<std::int64_t>(turned_chunks[s * stretches + b]);
    local[turned * list_chunk + in_part] = static_cast<std::uint16_t>(column - s * parts.slab);
    if (in_part % list_chunk == 0)
      targets[turned + in_part / list_chunk] = static_cast<Index>(first + in_part / list_chunk);
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

/// Lists of the columns of a matrix's nonzeros. Making them: a sort's time, with 24 bytes per
/// nonzero besides; waits. Holds 2 bytes per nonzero and, per entry of a list, the index of a
/// column, or 2 bytes and a value where x is brought.
template <class Exec, class V, class I, class O>
class column_lists {
 public:
  using sum = accumulator_t<V>;
  using sizes = list_sizes<Exec, sum>;
  using stretched_type = stretched<Exec, sum, O, sizes>;
  using index = typename stretched_type::index;
  using bring_type = bring<V, index, sizes::launch_shape::threads, slab_columns<Exec, V>>;
  static constexpr int list_room = sizes::room / 4 * 5;

  column_lists(const Exec& exec, const csr_view<V, I, O>& a, std::int64_t stretch,
               const by_lists& how)
      : exec_(exec),
        count_(static_cast<std::int64_t>(a.nonzeros)),
        cols_(std::max<std::int64_t>(1, static_cast<std::int64_t>(a.cols))),
        stretch_(stretch),
        stretches_(ceil_div(count_, stretch)),
        places_(static_cast<std::size_t>(ceil_div(count_, chunk) * chunk), exec.memory()) {
    if (stretches_ > std::numeric_limits<std::int64_t>::max() / cols_)
      throw error(errc::overflow, "so many nonzeros over so many columns cannot be numbered");
    if (count_ > 0) make(a, how);
  }

  /// Whether another kernel brings x to them.
  [[nodiscard]] bool brought() const { return values_.size() > 0; }
  /// Entries of all lists, and sectors of x that they lie in.
  [[nodiscard]] std::int64_t entries() const { return entries_; }
  [[nodiscard]] std::int64_t sectors() const { return sectors_; }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return 2 * (places_.size() + local_.size()) + columns_.size() * sizeof(I) +
           values_.size() * sizeof(V) +
           (lists_.size() + targets_.size() + slabs_.size() + first_slabs_.size()) * sizeof(index);
  }

  /// Sums of `sums` over the products of `values` and x.
  template <class Sums>
  void operator()(const V* values, const V* x, const Sums& sums) const {
    using launch_shape = typename sizes::launch_shape;
    if (!brought()) {
      using source = listed_columns<V, I>;
      exec_.template launch<launch_shape>(
          stretches_, sum_listed<Sums, V, index, source, list_room>{
                          values, places_.data(), lists_.data(), {columns_.data(), x}, sums});
      return;
    }
    V* const to = const_cast<V*>(values_.data());
    exec_.template launch<typename bring_type::launch_shape>(
        static_cast<std::int64_t>(first_slabs_.size()) - 1,
        bring_type{x, cols_, slabs_.data(), first_slabs_.data(), per_block_, local_.data(),
                   targets_.data(), to});
    using source = listed_values<V>;
    exec_.template launch_early<launch_shape>(
        stretches_, sum_listed<Sums, V, index, source, list_room>{
                        values, places_.data(), lists_.data(), {to}, sums});
  }

 private:
  /// Every number below n.
  static auto each(std::int64_t n) { return segmented_detail::each_of(n); }
  template <class F>
  void for_each(std::int64_t n, const F& f) const {
    for_each_atom(exec_, schedule::nonzero_split{}, each(n), f);
  }

  void make(const csr_view<V, I, O>& a, const by_lists& how) {
    array<std::int64_t> keys(static_cast<std::size_t>(count_), exec_.memory());
    array<index> ranks(static_cast<std::size_t>(count_), exec_.memory());
    for_each(count_, name_columns<I, index>{a.indices, cols_, stretch_, keys.data(), ranks.data()});
    stable_sort_by_key(exec_, keys, ranks);
    array<index> groups(static_cast<std::size_t>(count_) + 1, exec_.memory());
    entries_ =
        segmented_detail::running_sums(exec_, count_, begins_group{keys.data(), cols_, 1}, groups);
    constexpr std::int64_t sector = sizeof(V) < 32 ? 32 / std::int64_t{sizeof(V)} : 1;
    array<std::int64_t> number(1, exec_.memory());
    reduce_tiles<std::int64_t>(exec_, schedule::merge_path{}, uniform(1, count_),
                               begins_group{keys.data(), cols_, sector}, plus{},
                               store_in<std::int64_t>{number.data()});
    sectors_ = number.to_vector().front();
    const auto parts = [&](std::int64_t slab) {
      return list_parts<index>{keys.data(), groups.data(),         count_, cols_,
                               stretch_,    ceil_div(cols_, slab), slab};
    };
    array<index> chunks;
    if (how.bring.value_or(worth_bringing())) {
      const list_parts<index> in_slabs = parts(bring_type::slab);
      if (count_chunks(in_slabs, chunks) * list_chunk <= list_room) {
        bring_by(in_slabs, ranks, chunks);
        return;
      }
    }
    const list_parts<index> whole = parts(cols_);
    count_chunks(whole, chunks);
    columns_ = array<I>(static_cast<std::size_t>(chunks_ * list_chunk), exec_.memory());
    columns_.fill(0);
    write(whole, ranks, chunks, array<index>());
  }
  /// Reading a sector costs more than writing and reading what it is read for; not so of large
  /// values, of which a sector holds few.
  [[nodiscard]] bool worth_bringing() const {
    const std::int64_t parts = stretches_ * ceil_div(cols_, std::int64_t{bring_type::slab});
    return on_gpu<Exec> && sizeof(V) <= 4 && 4 * sectors_ > 3 * entries_ &&
           parts * list_chunk < entries_;
  }
  /// Chunks before every part; how many the longest list has.
  std::int64_t count_chunks(const list_parts<index>& parts, array<index>& chunks) {
    const std::int64_t all = stretches_ * parts.slabs;
    chunks = array<index>(static_cast<std::size_t>(all) + 1, exec_.memory());
    chunks_ = segmented_detail::running_sums(exec_, all, parts, chunks);
    array<std::int64_t> longest(1, exec_.memory());
    reduce_tiles<std::int64_t>(exec_, schedule::merge_path{}, uniform(1, stretches_),
                               list_length<index>{chunks.data(), parts.slabs}, maximum{},
                               store_in<std::int64_t>{longest.data()});
    lists_ = array<index>(static_cast<std::size_t>(stretches_) + 1, exec_.memory());
    for_each(stretches_ + 1, every<index>{chunks.data(), parts.slabs, lists_.data()});
    return longest.to_vector().front();
  }
  void bring_by(const list_parts<index>& parts, const array<index>& ranks,
                const array<index>& chunks) {
    const std::int64_t all = stretches_ * parts.slabs;
    array<index> turned(static_cast<std::size_t>(all) + 1, exec_.memory());
    segmented_detail::running_sums(
        exec_, all, turned_length<index>{chunks.data(), stretches_, parts.slabs}, turned);
    slabs_ = array<index>(static_cast<std::size_t>(parts.slabs) + 1, exec_.memory());
    for_each(parts.slabs + 1, every<index>{turned.data(), stretches_, slabs_.data()});
    const std::int64_t at_once =
        exec_.template describe<typename bring_type::launch_shape>(0, slab_bytes).blocks;
    per_block_ = ceil_div(chunks_, std::max<std::int64_t>(1, at_once));
    const std::int64_t blocks = ceil_div(chunks_, per_block_);
    first_slabs_ = array<index>(static_cast<std::size_t>(blocks) + 1, exec_.memory());
    for_each(blocks + 1,
             find_slab<index>{slabs_.data(), parts.slabs, per_block_, blocks, first_slabs_.data()});
    const auto entries = static_cast<std::size_t>(chunks_ * list_chunk);
    local_ = array<std::uint16_t>(entries, exec_.memory());
    local_.fill(0);
    targets_ = array<index>(static_cast<std::size_t>(chunks_), exec_.memory());
    values_ = array<V>(entries, exec_.memory());
    write(parts, ranks, chunks, turned);
  }
  void write(const list_parts<index>& parts, const array<index>& ranks, const array<index>& chunks,
             const array<index>& turned) {
    places_.fill(0);
    for_each(count_,
             write_lists<I, index>{parts, ranks.data(), chunks.data(),
                                   turned.size() == 0 ? nullptr : turned.data(), stretches_,
                                   places_.data(), columns_.size() == 0 ? nullptr : columns_.data(),
                                   local_.data(), targets_.data()});
    exec_.synchronize();
  }

  Exec exec_;
  std::int64_t count_;
  std::int64_t cols_;
  std::int64_t stretch_;
  std::int64_t stretches_;
  std::int64_t entries_ = 0;
  std::int64_t sectors_ = 0;
  std::int64_t chunks_ = 0;
  std::int64_t per_block_ = 0;
  array<std::uint16_t> places_;
  array<I> columns_;
  array<index> lists_;
  array<std::uint16_t> local_;
  array<index> targets_;
  array<index> slabs_;
  array<index> first_slabs_;
  array<V> values_;
};

}  // namespace spmv_detail

}  // namespace loops
