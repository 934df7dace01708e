// SPDX-License-Identifier: Apache-2.0
/// Row offsets of a sorted coordinate matrix, computed where the matrix lives.
#pragma once

#include "algorithms/spmv/rows.hpp"
#include "loops/core/machine.hpp"
#include "loops/execution/memory.hpp"

#include <cstdint>

namespace loops::spmv_detail {

/// offsets[r] = the first atom of row r, for `tiles` + 1 rows, of any work.
template <class Work, class Offset>
struct write_offsets {
  Work w;
  Offset* offsets;
  template <class Block>
  struct storage {};
  template <class Block>
  LOOPS_HD void operator()(Block& block, storage<Block>&) const {
    const std::int64_t i = block.id() * Block::threads + block.lane();
    if (i <= w.tiles()) offsets[i] = static_cast<Offset>(w.offset(i));
  }
};

/// The row offsets of sorted coordinates, so that a plan need not search for them again. Throws:
/// invalid_argument where the CPU can read the coordinates, and they are not sorted by row.
template <class V, class I, class O>
class rows<coo_view<V, I, O>> {
 public:
  using sum = accumulator_t<V>;

  template <class Exec>
  rows(const Exec& exec, const coo_view<V, I, O>& a)
      : a_(a), offsets_(static_cast<std::size_t>(a.rows) + 1, exec.memory()) {
    if (exec.memory()->on_host()) rows_of(a).require_sorted();
    using launch_shape = shape<256, 1>;
    const std::int64_t count = static_cast<std::int64_t>(a.rows) + 1;
    exec.template launch<launch_shape>(
        ceil_div(count, exec.template describe<launch_shape>().threads),
        write_offsets<sorted_keys<I>, O>{rows_of(a), offsets_.data()});
  }
  [[nodiscard]] segments<O> of() const {
    return {offsets_.data(), static_cast<std::int64_t>(a_.rows),
            static_cast<std::int64_t>(a_.nonzeros)};
  }
  [[nodiscard]] auto map(const V* x) const {
    return nonzero_times_x<V, I>{a_.values, a_.col_indices, x,
                                 static_cast<std::int64_t>(a_.nonzeros),
                                 static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }

 private:
  coo_view<V, I, O> a_;
  array<O> offsets_;
};

}  // namespace loops::spmv_detail
