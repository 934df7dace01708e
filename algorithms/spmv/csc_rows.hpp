// SPDX-License-Identifier: Apache-2.0
/// SpMV over CSC: in one pass over the rows, in several over parts of the values, in two hops, or
/// in shares.
#pragma once

#include "algorithms/spmv/csc_hops.hpp"
#include "algorithms/spmv/csc_index.hpp"
#include "algorithms/spmv/csc_shares.hpp"
#include "algorithms/spmv/spmv.hpp"
#include "loops/core/error.hpp"
#include "loops/execution/cache_flush.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops {

/// How often SpMV over CSC goes over the rows. Each pass adds what an equal share of the values
/// brings, consecutive ones: few enough to stay in a cache while they are read in row order. One
/// for values narrower than their sums, such as `half`.
struct passes {
  int count = 1;
};

namespace spmv_detail {

/// What decides how many passes pay.
struct pass_facts {
  select::facts rows;       ///< as a selector has seen them
  tile_statistics columns;  ///< of the same nonzeros
  double cache_bytes = 0;   ///< of the last cache
};

/// Bytes that are in use at a time when values are read row by row: x, and of every column the line
/// that its next value lies in, no more than all values. Those of columns much longer than the mean
/// do not count: they are read again so soon that they stay.
[[nodiscard]] constexpr double bytes_in_use(const pass_facts& f) {
  const auto spread = static_cast<double>(f.columns.atoms - f.columns.crowded);
  const auto lines = static_cast<double>(f.columns.tiles * line_bytes);
  const double x = static_cast<double>(f.columns.tiles) * f.rows.value_bytes;
  return std::min(spread * f.rows.value_bytes, lines) + x;
}

/// The passes that pay: as many as leave each two fifths of the cache to use. One where rows read
/// values that lie together; few more than a row has nonzeros, or to read and write y again would
/// cost more than is saved; and one where these would not fit twice the cache all the same.
[[nodiscard]] constexpr int passes_that_pay(const pass_facts& f) {
  const double bytes = bytes_in_use(f);
  const auto wanted = static_cast<std::int64_t>(bytes / (0.4 * f.cache_bytes + 1)) + 1;
  const std::int64_t most = f.rows.seen.atoms / std::max<std::int64_t>(1, f.rows.seen.tiles) + 1;
  const std::int64_t count = std::min({wanted, most, std::int64_t{1} << 10});
  const bool fits = bytes <= 2 * f.cache_bytes * static_cast<double>(count);
  return count > 1 && fits ? static_cast<int>(count) : 1;
}

/// Whether two hops pay: where rows read all over so many values that three launches do not count.
[[nodiscard]] constexpr bool hops_pay(const select::facts& rows, std::int64_t most) {
  constexpr std::int64_t enough = 2'000'000;
  return select::strewn_of(rows) >= select::nearly_all_strewn && rows.seen.atoms >= enough &&
         rows.seen.atoms <= most;
}

/// Part i of n.
template <class V, class I, class O>
csc_part<V, I, O> part_of(const csc_view<V, I, O>& a, std::int64_t i, std::int64_t n) {
  const auto all = static_cast<std::int64_t>(a.nonzeros);
  const auto begin = [&](std::int64_t k) { return all / n * k + std::min(k, all % n); };
  return {a, begin(i), begin(i + 1) - begin(i)};
}

}  // namespace spmv_detail

/// SpMV over CSC prepared for one matrix: a plan for each pass, for two hops, or, on a CPU, for
/// shares. `schedule::automatic` and `measured` choose; other schedules make one pass, unless told
/// otherwise.
template <class Exec, class Schedule, class V, class I, class O>
class spmv_plan<Exec, Schedule, csc_view<V, I, O>> {
  using part = spmv_detail::csc_part<V, I, O>;
  using part_plan = spmv_plan<Exec, Schedule, part>;
  using hops_plan = spmv_hops_plan<Exec, V, I, O>;
  using shares_plan = spmv_shares_plan<Exec, V, I, O>;
  // y keeps what passes have summed so far: it must not round them.
  static constexpr bool keeps_sums = std::is_same_v<V, accumulator_t<V>>;
  static constexpr bool chooses = keeps_sums && requires(const part_plan& p) {
    p.plan().decision();
  };

 public:
  using scalar = accumulator_t<V>;
  using sum = typename part_plan::sum;  ///< of a row, in one pass

  spmv_plan(const Exec& exec, const Schedule& schedule, const csc_view<V, I, O>& a,
            reuse uses = reuse::many_times) {
    if constexpr (chooses && spmv_detail::lanes_are_alone<Exec>) {
      shares_ = std::make_unique<shares_plan>(exec, checked(a), shares_plan::most_that_pay(a));
      if (shares_->ready()) {
        parts_.emplace_back(exec, schedule, part{a, 0, 0});
        return;
      }
      shares_.reset();
    }
    parts_.emplace_back(exec, schedule, spmv_detail::part_of(checked(a), 0, 1), uses);
    if constexpr (chooses) {
      if (uses != reuse::once && cache_bytes(exec) > 0) choose(exec, schedule, a);
    }
  }

  /// In so many passes, but no more than there are nonzeros. Throws: invalid_argument when there is
  /// none; unsupported when there are several, and y would round what they have summed so far.
  spmv_plan(const Exec& exec, const Schedule& schedule, const csc_view<V, I, O>& a,
            loops::passes p) {
    if (p.count < 1)
      throw error(errc::invalid_argument,
                  "SpMV in " + std::to_string(p.count) + " passes; it takes one at least");
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(checked(a).nonzeros));
    const auto count = static_cast<int>(std::min<std::int64_t>(p.count, most));
    if (!keeps_sums && count > 1)
      throw error(errc::unsupported,
                  "SpMV of values narrower than their sums takes one pass, as y would round what " +
                      std::to_string(count) +
                      " passes have summed so far: ask for one, or for two hops (in_hops)");
    make(exec, schedule, a, count);
  }

  /// y = alpha A x + beta y; see `spmv_plan`.
  template <class X, class Y>
  requires vector_argument<const X, const V> && vector_argument<Y, V>
  void operator()(const X& x, Y&& y, scalar alpha = scalar(1), scalar beta = scalar{}) const {
    if (hops_) return (*hops_)(x, std::forward<Y>(y), alpha, beta);
    if constexpr (spmv_detail::lanes_are_alone<Exec>) {
      if (shares_) return (*shares_)(x, std::forward<Y>(y), alpha, beta);
    }
    for (const part_plan& p : parts_) {
      p(x, y, alpha, beta);
      beta = scalar(1);
    }
  }

  /// How many passes over the rows a product takes; 0: it goes in two hops, or in shares.
  [[nodiscard]] int passes() const {
    return hops_ || shares_ ? 0 : static_cast<int>(parts_.size());
  }
  /// The same in words: "in shares".
  [[nodiscard]] std::string way() const {
    if (hops_) return "in two hops";
    if (shares_) return "in shares";
    return "in " + std::to_string(parts_.size()) + (parts_.size() == 1 ? " pass" : " passes");
  }
  /// The schedule's plan for the first of them; one of no atoms where there is none.
  [[nodiscard]] const auto& plan() const { return parts_.front().plan(); }
  void check() {
    if (hops_) hops_->check();
    for (part_plan& p : parts_) p.check();
  }
  /// Bytes of device memory that the schedules' plans hold, or those of two hops or shares.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t all = hops_ ? hops_->bytes() : 0;
    if (shares_) all += shares_->bytes();
    for (const part_plan& p : parts_) all += p.bytes();
    return all;
  }

 private:
  /// Looks at the columns too, where rows read at random and hops do not pay.
  void choose(const Exec& exec, const Schedule& schedule, const csc_view<V, I, O>& a) {
    const select::facts rows = parts_[0].plan().decision().given;
    if (spmv_detail::hops_pay(rows, hops_plan::most_nonzeros)) {
      parts_.clear();  // the index of all nonzeros, before others are made
      parts_.emplace_back(exec, schedule, part{a, 0, 0});
      hops_ = std::make_unique<hops_plan>(exec, a);
    } else if (select::strewn_of(rows) >= select::nearly_all_strewn) {
      const int count = spmv_detail::passes_that_pay(
          {rows, gather_statistics(exec, columns_of(a)), static_cast<double>(cache_bytes(exec))});
      if (count > 1) make(exec, schedule, a, count);
    }
  }
  void make(const Exec& exec, const Schedule& schedule, const csc_view<V, I, O>& a, int count) {
    parts_.clear();
    parts_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      parts_.emplace_back(exec, schedule, spmv_detail::part_of(a, i, count));
  }

  std::vector<part_plan> parts_;
  std::unique_ptr<hops_plan> hops_;
  std::unique_ptr<shares_plan> shares_;
};

/// Prepares y = alpha A x + beta y for repeated use, in so many passes.
template <class Exec, class Schedule, class V, class I, class O>
auto plan_spmv(const Exec& exec, const Schedule& schedule, const csc_view<V, I, O>& a, passes p) {
  return spmv_plan<Exec, Schedule, csc_view<V, I, O>>(exec, schedule, a, p);
}

}  // namespace loops
