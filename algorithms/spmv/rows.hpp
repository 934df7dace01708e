// SPDX-License-Identifier: Apache-2.0
/// What SpMV asks of a format: its rows as a work, what an atom adds, how a row is stored.
#pragma once

#include "algorithms/spmv/functors.hpp"
#include "loops/algorithm/column_sample.hpp"
#include "loops/algorithm/offsets.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/sorted_keys.hpp"
#include "loops/work/uniform.hpp"

namespace loops::spmv_detail {

/// A matrix, whose work over offsets is looked at on a GPU, too: for who reads behind these, or
/// sorts by them, before anybody plans. Waits. Throws: invalid_argument unless the offsets go from
/// 0 to all nonzeros.
template <class Exec, class View, class Work>
const View& with_ends(const Exec& exec, const View& a, const Work& w) {
  loops::detail::check_work(w);
  loops::detail::require_ends(*exec.memory(), w);
  return a;
}

/// The rows of a matrix as SpMV needs them: `of()` the work, `map(x)` and `emit(store)` the
/// functors, `sum` the value of a tile. Formats without row offsets build an index first. Those
/// with `columns()` tell where their nonzeros read `x`.
template <class View>
class rows {
  static_assert(sizeof(View) == 0,
                "SpMV does not know how to go along the rows of this: for CSC include "
                "algorithms/spmv/csc_rows.hpp, for narrow columns narrow_columns.hpp beside it");
};

template <class V, class I, class O>
class rows<csr_view<V, I, O>> {
 public:
  using sum = accumulator_t<V>;
  template <class Exec>
  rows(const Exec&, const csr_view<V, I, O>& a) : a_(a) {}
  [[nodiscard]] auto of() const { return rows_of(a_); }
  [[nodiscard]] auto columns() const {
    return columns_in<I>{a_.indices, static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto map(const V* x) const {
    return nonzero_times_x<V, I>{a_.values, a_.indices, x, static_cast<std::int64_t>(a_.nonzeros),
                                 static_cast<std::int64_t>(a_.cols)};
  }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }

 private:
  csr_view<V, I, O> a_;
};

template <class V, class I, class O>
class rows<ell_view<V, I, O>> {
 public:
  using sum = accumulator_t<V>;
  template <class Exec>
  rows(const Exec&, const ell_view<V, I, O>& a) : a_(a) {}
  [[nodiscard]] auto of() const { return rows_of(a_); }
  [[nodiscard]] auto map(const V* x) const { return ell_entry_times_x<V, I, O>{a_, x}; }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }

 private:
  ell_view<V, I, O> a_;
};

template <class V, class I, class O>
class rows<dia_view<V, I, O>> {
 public:
  using sum = accumulator_t<V>;
  template <class Exec>
  rows(const Exec&, const dia_view<V, I, O>& a) : a_(a) {}
  [[nodiscard]] auto of() const { return rows_of(a_); }
  [[nodiscard]] auto map(const V* x) const { return diagonal_times_x<V, I, O>{a_, x}; }
  [[nodiscard]] auto emit(scaled_store<V> store) const { return store; }

 private:
  dia_view<V, I, O> a_;
};

template <class V, int R, int C, class I, class O>
class rows<bcsr_view<V, R, C, I, O>> {
 public:
  using sum = row_sums<accumulator_t<V>, R>;
  template <class Exec>
  rows(const Exec&, const bcsr_view<V, R, C, I, O>& a) : a_(a) {}
  [[nodiscard]] auto of() const { return block_rows_of(a_); }
  [[nodiscard]] auto map(const V* x) const { return block_times_x<V, R, C, I, O>{a_, x}; }
  [[nodiscard]] auto emit(scaled_store<V> store) const {
    return scaled_block_store<V, R>{store, static_cast<std::int64_t>(a_.rows)};
  }

 private:
  bcsr_view<V, R, C, I, O> a_;
};

}  // namespace loops::spmv_detail
