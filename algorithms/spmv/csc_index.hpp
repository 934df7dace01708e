// SPDX-License-Identifier: Apache-2.0
/// An index that lists consecutive nonzeros of a CSC matrix in row order.
#pragma once

#include "algorithms/spmv/row_index.hpp"
#include "loops/algorithm/column_sample.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/core/error.hpp"
#include "loops/execution/sort.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace loops::spmv_detail {

/// Some consecutive nonzeros of a CSC matrix: all of its rows and columns, and of its values
/// `count` from `first` on.
template <class V, class I, class O>
struct csc_part : csc_view<V, I, O> {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// All of them.
template <class V, class I, class O>
csc_part<V, I, O> whole(const csc_view<V, I, O>& a) {
  return {a, 0, static_cast<std::int64_t>(a.nonzeros)};
}

/// Before the sort: the rows, by which to sort, and the order as it is.
template <class V, class I, class O>
struct prepare_sort {
  csc_part<V, I, O> a;
  I* keys;
  O* order;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i >= a.count) return;
    keys[i] = a.indices[a.first + i];
    order[i] = static_cast<O>(i);
  }
};

/// After it: the column of each.
template <class V, class I, class O>
struct find_columns {
  csc_part<V, I, O> a;
  const O* order;
  I* columns;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i < a.count)
      columns[i] =
          static_cast<I>(tile_of(columns_of(a), a.first + static_cast<std::int64_t>(order[i])));
  }
};

/// Throws invalid_argument unless nonzeros in rows `first` to `last` are in a matrix of so many.
template <class I>
void require_rows(I first, I last, I rows) {
  if (first < 0 || last < 0 || last >= rows)
    throw error(errc::invalid_argument,
                "the nonzeros of a matrix are in rows " + std::to_string(first) + " to " +
                    std::to_string(last) + ", but it has " + std::to_string(rows) +
                    " rows (columns, where it is taken transposed): correct sizes or indices");
}

/// A stable sort by row keeps columns ascending inside a row, so sums are repeatable and need no
/// atomics. Cost: once per plan, a sort of the nonzeros, with 4 or 8 bytes per nonzero besides; 8
/// to 16 bytes per nonzero. Waits. Throws: invalid_argument unless the offsets of the columns go
/// from 0 to all nonzeros, and all indices are rows.
template <class V, class I, class O>
class rows<csc_part<V, I, O>> {
 public:
  using sum = accumulator_t<V>;

  template <class Exec>
  rows(const Exec& exec, const csc_part<V, I, O>& a)
      // The offsets of rows, which are made here, always go from 0 to their atoms.
      : a_(with_ends(exec, a, columns_of(a))),
        order_(static_cast<std::size_t>(a.count), exec.memory()),
        columns_(static_cast<std::size_t>(a.count), exec.memory()),
        offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()) {
    using launch_shape = shape<256, 1>;
    array<I> keys(static_cast<std::size_t>(a.count), exec.memory());
    const int threads = exec.template describe<launch_shape>().threads;
    const std::int64_t blocks = ceil_div(a.count, threads);
    exec.template launch<launch_shape>(blocks,
                                       prepare_sort<V, I, O>{a, keys.data(), order_.data()});
    stable_sort_by_key(exec, keys, order_);
    if (a.count > 0) {
      I ends[2] = {};  // sorted: the first and the last tell
      exec.memory()->download(&ends[0], keys.data(), sizeof(I));
      exec.memory()->download(&ends[1], keys.data() + a.count - 1, sizeof(I));
      require_rows(ends[0], ends[1], a.rows);
    }
    exec.template launch<launch_shape>(blocks,
                                       find_columns<V, I, O>{a, order_.data(), columns_.data()});
    const sorted_keys<I> sorted(keys.data(), static_cast<std::int64_t>(a.rows), a.count);
    exec.template launch<launch_shape>(ceil_div(static_cast<std::int64_t>(a.rows) + 1, threads),
                                       write_offsets<sorted_keys<I>, O>{sorted, offsets_.data()});
  }
  [[nodiscard]] segments<O> of() const {
    return {offsets_.data(), static_cast<std::int64_t>(a_.rows), a_.count};
  }
  /// Which of them comes when, in row order.
  [[nodiscard]] const O* order() const { return order_.data(); }
  /// Where rows begin in that order.
  [[nodiscard]] const O* offsets() const { return offsets_.data(); }
  /// The same for who keeps nothing else of this.
  [[nodiscard]] array<O> take_offsets() { return std::move(offsets_); }
  /// The column of each, in row order.
  [[nodiscard]] columns_in<I> columns() const {
    return {columns_.data(), static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto map(const V* x) const {
    return reordered_times_x<V, I, O>{a_.values + a_.first, order_.data(), columns_.data(), x};
  }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }
  /// Bytes of device memory of the index.
  [[nodiscard]] std::size_t bytes() const {
    return (order_.size() + offsets_.size()) * sizeof(O) + columns_.size() * sizeof(I);
  }

 private:
  csc_part<V, I, O> a_;
  array<O> order_;
  array<I> columns_;
  array<O> offsets_;
};

}  // namespace loops::spmv_detail
