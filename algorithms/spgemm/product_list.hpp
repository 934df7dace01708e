// SPDX-License-Identifier: Apache-2.0
/// The products of every entry of C, one after another: then values are sums of consecutive
/// products, which any schedule takes.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spgemm/products.hpp"
#include "algorithms/spgemm/sums.hpp"
#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/error.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/execution/memory.hpp"
#include "loops/work/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

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
    using block = std::remove_cvref_t<decltype(g.block())>;
    for (const met& p : products) {
      if (p.slot < 0) continue;
      if constexpr (block::threads == 1) {
        ++seen[p.slot];
      } else {
        g.block().atomic_add(seen + p.slot, 1);
      }
    }
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

  LOOPS_HD int start(std::int64_t entry, std::int64_t first) const {
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
class product_list {
 public:
  /// Cost and errors: those of `keep_products`.
  template <class Pattern>
  product_list(const Exec& exec, const Schedule& schedule, const Pattern& c)
      : places_(static_cast<std::size_t>(c.entries()) + 1, exec.memory()) {
    // Asked before they are counted entry by entry, in the 32 bits of a slot.
    require(c.products() <= INT32_MAX, errc::overflow,
            "spgemm: there are too many products to keep; use the plan without");
    const auto& where = exec.memory();
    array<std::int64_t> counts(static_cast<std::size_t>(c.entries()), where);
    c.walk(count_products{counts.data()});
    const std::int64_t all =
        segmented_detail::running_sums(exec, c.entries(), element_of{counts.data()}, places_);
    list_ = array<factors<O>>(static_cast<std::size_t>(all), where);
    c.walk(place_products<O>{places_.data(), list_.data()});
    plan_.emplace(exec, schedule, segments<O>(places_.data(), c.entries(), all));
  }

  void operator()(const V* a, const V* b, V* c) const {
    reduce_tiles<accumulator_t<V>>(*plan_, multiply<V, O>{list_.data(), a, b}, loops::plus{},
                                   store_in<V>{c});
  }
  void check() { plan_->check(); }
  [[nodiscard]] std::size_t bytes() const {
    return places_.size() * sizeof(O) + list_.size() * sizeof(factors<O>) + plan_->bytes();
  }

 private:
  array<O> places_;
  array<factors<O>> list_;
  std::optional<tile_plan<Exec, Schedule, segments<O>, accumulator_t<V>>> plan_;
};

}  // namespace loops::spgemm_detail
