// SPDX-License-Identifier: Apache-2.0
/// A transposed copy of a matrix by rows, whose values are read anew when they have changed.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spmv/csc_index.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/format/transposed.hpp"
#include "loops/schedule/nonzero_split.hpp"

#include <cstddef>
#include <cstdint>

namespace loops {

namespace spmv_detail {

/// Puts value order[i] at place i.
template <class V, class O>
struct reorder_values {
  const V* values;
  const O* order;
  V* to;
  LOOPS_HD void operator()(std::int64_t, std::int64_t i) const {
    to[i] = values[native::load_once(order + i)];
  }
};

}  // namespace spmv_detail

/// The transpose of A by rows, in memory of its own, and the way there. Cost: a sort of the
/// nonzeros; 8 to 16 bytes per nonzero, and a value. The arrays of A must outlive it.
template <class Exec, class V, class I, class O>
class transposed_copy {
 public:
  transposed_copy(const Exec& exec, const csr_view<V, I, O>& a)
      : a_(checked(a)),
        rows_(exec, spmv_detail::whole(transposed(a))),
        values_(static_cast<std::size_t>(a.nonzeros), exec.memory()),
        each_(exec, schedule::nonzero_split{},
              segmented_detail::each_of(static_cast<std::int64_t>(a.nonzeros))) {
    refresh();
  }

  /// Reads the values of A again. Allocates nothing, waits for nothing, and can be captured into a
  /// graph. Cost: a read of the values in another order than they lie, and of 4 or 8 bytes with
  /// each; a write.
  void refresh() {
    for_each_atom(each_,
                  spmv_detail::reorder_values<V, O>{a_.values, rows_.order(), values_.data()});
  }
  /// Valid while the copy lives, wherever it is moved to.
  [[nodiscard]] csr_view<V, I, O> view() const {
    return {a_.cols,       a_.rows, a_.nonzeros, rows_.offsets(), rows_.columns().columns,
            values_.data()};
  }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return rows_.bytes() + values_.size() * sizeof(V) + each_.bytes();
  }

 private:
  csr_view<V, I, O> a_;
  spmv_detail::rows<spmv_detail::csc_part<V, I, O>> rows_;
  array<V> values_;
  tile_plan<Exec, schedule::nonzero_split, uniform, V> each_;
};

}  // namespace loops
