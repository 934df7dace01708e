// SPDX-License-Identifier: Apache-2.0
/// The products of every entry of C, one after another: then values are sums of consecutive
/// products, which any schedule takes.
#pragma once

#include "algorithms/spgemm/entries.hpp"
#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>

namespace loops::spgemm_detail {

/// A nonzero of A times a nonzero of B.
template <class O>
struct alignas(2 * sizeof(O)) factors {
  O a;
  O b;
};

/// Counts the products of an entry.
struct count_products {
  using held_type = int;
  static constexpr bool starts = false;
  static constexpr bool ends = true;
  std::int64_t* counts;

  template <class Group, int N>
  LOOPS_HD void take(const Group& g, int* seen, const met (&products)[N], int, std::int64_t) const {
    for (const met& p : products)
      if (p.slot >= 0) g.block().atomic_add(seen + p.slot, 1);
  }
  LOOPS_HD void end(std::int64_t entry, int count) const { counts[entry] = count; }
};

/// Writes the products of an entry to its place, in the order in which they come.
template <class O>
struct place_products {
  using held_type = int;
  static constexpr bool starts = true;
  static constexpr bool ends = false;
  const O* places;  ///< of the first product of each entry
  factors<O>* list;

  LOOPS_HD int start(std::int64_t entry, std::int64_t first, std::int64_t) const {
    return static_cast<int>(places[entry] - places[first]);
  }
  template <class Group, int N>
  LOOPS_HD void take(const Group& g, int* cursors, const met (&products)[N], int bits,
                     std::int64_t first) const {
    for (const met& p : products) {
      const int place = advance_in_order(g, cursors, p.slot, bits);
      if (p.slot >= 0)
        list[static_cast<std::int64_t>(places[first]) + place] = {static_cast<O>(p.a),
                                                                  static_cast<O>(p.b)};
    }
  }
};

/// The value of a product.
template <class V, class O>
struct multiply {
  using pure = std::true_type;
  const factors<O>* list;
  const V* a;
  const V* b;
  LOOPS_HD accumulator_t<V> operator()(std::int64_t product) const {
    const factors<O> f = list[product];
    return accumulator_t<V>(a[f.a]) * accumulator_t<V>(b[f.b]);
  }
};

/// Products entry by entry, and a plan of who sums which.
template <class Exec, class Schedule, class V, class O>
struct product_list {
  using plan_type = tile_plan<Exec, Schedule, segments<O>, accumulator_t<V>>;
  array<O> places;
  array<factors<O>> list;
  plan_type plan;

  void operator()(const V* a, const V* b, V* c) const {
    reduce_tiles<accumulator_t<V>>(plan, multiply<V, O>{list.data(), a, b}, loops::plus{},
                                   store_in<V>{c});
  }
  [[nodiscard]] std::size_t bytes() const {
    return places.size() * sizeof(O) + list.size() * sizeof(factors<O>) + plan.bytes();
  }
};

}  // namespace loops::spgemm_detail
