// SPDX-License-Identifier: Apache-2.0
/// The rows of a CSC matrix: an index that lists its nonzeros in row order.
#pragma once

#include "algorithms/spmv/row_index.hpp"
#include "loops/algorithm/column_sample.hpp"
#include "loops/execution/sort.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::spmv_detail {

/// For atom a of the row order: where its value is, and its column. Also writes the identity
/// order and the sort keys before the sort.
template <class V, class I, class O>
struct prepare_sort {
  csc_view<V, I, O> a;
  I* keys;
  O* order;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i >= a.nonzeros) return;
    keys[i] = a.indices[i];
    order[i] = static_cast<O>(i);
  }
};

template <class V, class I, class O>
struct find_columns {
  csc_view<V, I, O> a;
  const O* order;
  I* columns;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i < a.nonzeros) columns[i] = static_cast<I>(tile_of(columns_of(a), order[i]));
  }
};

/// A stable sort by row keeps columns ascending inside a row, so sums are repeatable and need no
/// atomics. Cost: once per plan, a sort of the nonzeros, with 4 or 8 bytes per nonzero besides; 8
/// to 16 bytes per nonzero.
template <class V, class I, class O>
class rows<csc_view<V, I, O>> {
 public:
  using sum = accumulator_t<V>;

  template <class Exec>
  rows(const Exec& exec, const csc_view<V, I, O>& a)
      : a_(a),
        order_(static_cast<std::size_t>(a.nonzeros), exec.memory()),
        columns_(static_cast<std::size_t>(a.nonzeros), exec.memory()),
        offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()) {
    using launch_shape = shape<256, 1>;
    array<I> keys(static_cast<std::size_t>(a.nonzeros), exec.memory());
    const int threads = exec.template describe<launch_shape>().threads;
    const std::int64_t nonzeros = static_cast<std::int64_t>(a.nonzeros);
    const std::int64_t blocks = ceil_div(nonzeros, threads);
    exec.template launch<launch_shape>(blocks,
                                       prepare_sort<V, I, O>{a, keys.data(), order_.data()});
    stable_sort_by_key(exec, keys, order_);
    exec.template launch<launch_shape>(blocks,
                                       find_columns<V, I, O>{a, order_.data(), columns_.data()});
    const sorted_keys<I> sorted(keys.data(), static_cast<std::int64_t>(a.rows), nonzeros);
    exec.template launch<launch_shape>(ceil_div(static_cast<std::int64_t>(a.rows) + 1, threads),
                                       write_offsets<sorted_keys<I>, O>{sorted, offsets_.data()});
  }
  [[nodiscard]] segments<O> of() const {
    return {offsets_.data(), static_cast<std::int64_t>(a_.rows),
            static_cast<std::int64_t>(a_.nonzeros)};
  }
  /// Which nonzero of the CSC arrays comes when, in row order.
  [[nodiscard]] const O* order() const { return order_.data(); }
  /// Where rows begin in that order.
  [[nodiscard]] const O* offsets() const { return offsets_.data(); }
  /// The column of every nonzero, in row order.
  [[nodiscard]] columns_in<I> columns() const { return {columns_.data()}; }
  [[nodiscard]] auto map(const V* x) const {
    return reordered_times_x<V, I, O>{a_.values, order_.data(), columns_.data(), x};
  }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }
  /// Bytes of device memory of the index.
  [[nodiscard]] std::size_t bytes() const {
    return (order_.size() + offsets_.size()) * sizeof(O) + columns_.size() * sizeof(I);
  }

 private:
  csc_view<V, I, O> a_;
  array<O> order_;
  array<I> columns_;
  array<O> offsets_;
};

}  // namespace loops::spmv_detail
