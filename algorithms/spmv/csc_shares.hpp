// SPDX-License-Identifier: Apache-2.0
/// SpMV over CSC by lanes that are alone, as on a CPU: each goes along an equal share of the
/// columns and adds to sums of its own; then the sums are added up.
#pragma once

#include "algorithms/spmv/csc_index.hpp"
#include "algorithms/spmv/functors.hpp"
#include "loops/core/numeric.hpp"
#include "loops/core/path.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/format/formats.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/work.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace loops {

namespace spmv_detail {

/// A block is one lane, whatever its shape: memory of its own is for few.
template <class Exec>
inline constexpr bool lanes_are_alone = Exec::template block<shape<256, 1>>::threads == 1;

/// A stretch of the path through the columns, and the rows in which it has nonzeros: `low` …
/// `high` - 1. Its sums begin at `place`.
struct share_of_columns {
  coordinate begin;
  coordinate end;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t place = 0;
};

/// Calls `f(column, first, last)` for the nonzeros of a share, column by column.
template <class O, class F>
void along(const share_of_columns& s, const O* offsets, const F& f) {
  std::int64_t atom = s.begin.atom;
  for (std::int64_t t = s.begin.tile; atom < s.end.atom; ++t) {
    const std::int64_t last = std::min(static_cast<std::int64_t>(offsets[t + 1]), s.end.atom);
    f(t, atom, last);
    atom = last;
  }
}

/// Finds the rows in which every share has nonzeros; a block each.
template <class I>
struct look_at_shares {
  const I* rows;
  share_of_columns* shares;
  template <class Block>
  struct storage {};
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    share_of_columns& s = shares[block.id()];
    if (s.begin.atom == s.end.atom) return;
    const auto [least, most] = std::minmax_element(rows + s.begin.atom, rows + s.end.atom);
    s.low = static_cast<std::int64_t>(*least);
    s.high = static_cast<std::int64_t>(*most) + 1;
  }
};

/// Adds the products of a share to its sums; a block each.
template <class V, class I, class O>
struct add_along_share {
  csc_view<V, I, O> a;
  const V* x;
  const share_of_columns* shares;
  accumulator_t<V>* sums;
  template <class Block>
  struct storage {};
  template <class Block>
  void operator()(Block& block, storage<Block>&) const {
    using sum = accumulator_t<V>;
    const share_of_columns& s = shares[block.id()];
    sum* const mine = sums + s.place - s.low;
    along(s, a.offsets, [&](std::int64_t column, std::int64_t first, std::int64_t last) {
      const auto factor = sum(x[column]);
      // Four at a time, read before the first is added: a processor that sees writes in between
      // reads no further until it knows where they go.
      std::int64_t k = first;
      for (; k + 4 <= last; k += 4) add<4>(mine, k, factor);
      for (; k < last; ++k) add<1>(mine, k, factor);
    });
  }

 private:
  template <int N>
  void add(accumulator_t<V>* mine, std::int64_t k, const accumulator_t<V>& factor) const {
    I rows[N];
    accumulator_t<V> products[N];
    for (int i = 0; i < N; ++i) {
      rows[i] = a.indices[k + i];
      products[i] = accumulator_t<V>(a.values[k + i]) * factor;
    }
    for (int i = 0; i < N; ++i) mine[rows[i]] = mine[rows[i]] + products[i];
  }
};

/// Adds up what the shares have for some rows, in the order of shares, and leaves zeros behind.
template <class V>
struct add_up_shares {
  static constexpr std::int64_t at_a_time = 1024;
  using sum = accumulator_t<V>;
  const share_of_columns* shares;
  std::int64_t count;
  sum* sums;
  std::int64_t rows;
  scaled_store<V> store;
  template <class Block>
  struct storage {
    sum total[at_a_time];
  };
  template <class Block>
  void operator()(Block& block, storage<Block>& shared) const {
    const std::int64_t first = block.id() * at_a_time;
    const std::int64_t last = std::min(first + at_a_time, rows);
    sum* const total = shared.total;
    std::fill_n(total, at_a_time, sum{});
    for (std::int64_t p = 0; p < count; ++p) {
      const share_of_columns& s = shares[p];
      const std::int64_t end = std::min(last, s.high);
      for (std::int64_t r = std::max(first, s.low); r < end; ++r) {
        sum& from = sums[s.place + (r - s.low)];
        total[r - first] = total[r - first] + from;
        from = sum{};
      }
    }
    for (std::int64_t r = first; r < last; ++r) store(r, total[r - first]);
  }
};

}  // namespace spmv_detail

/// SpMV over CSC in shares, prepared for one matrix. Reads values and rows once, in their order;
/// nothing is sorted, and no index is kept. Holds a view: the matrix must outlive it; its values
/// may change between uses, its pattern may not. Executors whose blocks are one lane. Memory: a sum
/// for every row between the first and the last of each share.
template <class Exec, class V, class I, class O>
class spmv_shares_plan {
  using sum = accumulator_t<V>;

 public:
  using scalar = accumulator_t<V>;

  /// Cost: a read of the rows of all nonzeros. Where sums would take more than `most` places, the
  /// plan is not `ready`. Throws: invalid_argument as `plan_spmv`, and for a nonzero outside of the
  /// rows.
  spmv_shares_plan(const Exec& exec, const csc_view<V, I, O>& a, std::int64_t most = INT64_MAX)
      : exec_(exec),
        a_(checked(a)),
        shares_(static_cast<std::size_t>(exec.template describe<shape<1, 1>>().blocks),
                exec.memory()) {
    detail::check_work(exec, columns_of(a_));
    const auto w = columns_of(a_);
    const auto count = static_cast<std::int64_t>(shares_.size());
    const std::int64_t steps = w.tiles() + w.atoms();
    coordinate at{};
    for (std::int64_t p = 0; p < count; ++p) {
      const coordinate next =
          path_cut(w, steps / count * (p + 1) + steps % count * (p + 1) / count);
      shares_[static_cast<std::size_t>(p)] = {at, next, 0, 0, 0};
      at = next;
    }
    exec_.template launch<shape<1, 1>>(count,
                                       spmv_detail::look_at_shares<I>{a_.indices, shares_.data()});
    std::int64_t places = 0;
    for (auto& s : shares_) {
      s.place = places;
      places += s.high - s.low;
      if (s.high > s.low)
        spmv_detail::require_rows<std::int64_t>(s.low, s.high - 1,
                                                static_cast<std::int64_t>(a.rows));
    }
    ready_ = places <= most;
    if (!ready_) return;
    sums_ = array<sum>(static_cast<std::size_t>(places), exec.memory());
    sums_.fill(0);
  }

  /// How many places pay: a use reads and clears them.
  static std::int64_t most_that_pay(const csc_view<V, I, O>& a) {
    return 4 * static_cast<std::int64_t>(a.nonzeros);
  }
  /// Whether it can be used.
  [[nodiscard]] bool ready() const { return ready_; }

  /// y = alpha A x + beta y; see `spmv_plan`. Requires: `ready`.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    const auto [from, to] =
        spmv_detail::vectors_of<V>(x, static_cast<std::int64_t>(a_.cols), std::forward<Y>(y),
                                   static_cast<std::int64_t>(a_.rows));
    using adds_up = spmv_detail::add_up_shares<V>;
    const auto count = static_cast<std::int64_t>(shares_.size());
    const auto rows = static_cast<std::int64_t>(a_.rows);
    exec_.template launch<shape<1, 1>>(
        count, spmv_detail::add_along_share<V, I, O>{a_, from, shares_.data(), sums_.data()});
    exec_.template launch<shape<1, 1>>(
        ceil_div(rows, adds_up::at_a_time),
        adds_up{shares_.data(), count, sums_.data(), rows, {to, alpha, beta}});
  }

  /// Bytes it holds.
  [[nodiscard]] std::size_t bytes() const {
    return sums_.size() * sizeof(sum) + shares_.size() * sizeof(spmv_detail::share_of_columns);
  }

 private:
  Exec exec_;
  csc_view<V, I, O> a_;
  array<spmv_detail::share_of_columns> shares_;
  bool ready_ = false;
  mutable array<sum> sums_;
};

}  // namespace loops
