// SPDX-License-Identifier: Apache-2.0
/// What SpMV asks of a format: its rows as a work, what an atom adds, how a row is stored.
#pragma once

#include "algorithms/spmv/functors.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/sorted_keys.hpp"
#include "loops/work/uniform.hpp"

#include <utility>

namespace loops::spmv_detail {

/// A format's rows as SpMV needs them. `prepared` formats first need an index of their rows, which
/// a plan builds once.
template <class View>
struct rows;

template <class V, class I, class O>
struct rows<csr_view<V, I, O>> {
  using work_type = segments<O>;
  using sum = accumulator_t<V>;
  static work_type of(const csr_view<V, I, O>& a) { return rows_of(a); }
  static auto map(const csr_view<V, I, O>& a, const V* x) {
    return nonzero_times_x<V, I>{a.values, a.indices, x};
  }
  static auto emit(const csr_view<V, I, O>&, scaled_store<V> store) { return store; }
};

template <class V, class I, class O>
struct rows<ell_view<V, I, O>> {
  using work_type = uniform;
  using sum = accumulator_t<V>;
  static work_type of(const ell_view<V, I, O>& a) { return rows_of(a); }
  static auto map(const ell_view<V, I, O>& a, const V* x) {
    return ell_entry_times_x<V, I, O>{a, x};
  }
  static auto emit(const ell_view<V, I, O>&, scaled_store<V> store) { return store; }
};

template <class V, class I, class O>
struct rows<dia_view<V, I, O>> {
  using work_type = uniform;
  using sum = accumulator_t<V>;
  static work_type of(const dia_view<V, I, O>& a) { return rows_of(a); }
  static auto map(const dia_view<V, I, O>& a, const V* x) {
    return diagonal_times_x<V, I, O>{a, x};
  }
  static auto emit(const dia_view<V, I, O>&, scaled_store<V> store) { return store; }
};

template <class V, int R, int C, class I, class O>
struct rows<bcsr_view<V, R, C, I, O>> {
  using work_type = segments<O>;
  using sum = row_sums<accumulator_t<V>, R>;
  static work_type of(const bcsr_view<V, R, C, I, O>& a) { return block_rows_of(a); }
  static auto map(const bcsr_view<V, R, C, I, O>& a, const V* x) {
    return block_times_x<V, R, C, I, O>{a, x};
  }
  static auto emit(const bcsr_view<V, R, C, I, O>& a, scaled_store<V> store) {
    return scaled_block_store<V, R>{store, static_cast<std::int64_t>(a.rows)};
  }
};

}  // namespace loops::spmv_detail
