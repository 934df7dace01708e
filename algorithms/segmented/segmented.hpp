// SPDX-License-Identifier: Apache-2.0
/// Over the values of every segment of an array: a reduction, the place of the largest, a scan.
#pragma once

#include "loops/algorithm/automatic_plan.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/float16.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace loops {

namespace segmented_detail {

/// The type of an atom's position: as wide as the offsets of the work are, where these count what
/// positions do.
template <class W>
struct position_of {
  using type = std::int64_t;
};
template <class W>
requires(!renamed_work<W> && requires(const W& w) {
  { *w.offsets() } -> std::convertible_to<std::int64_t>;
}) struct position_of<W> {
  using offset = std::remove_cvref_t<decltype(*std::declval<const W&>().offsets())>;
  using type =
      std::conditional_t<std::is_integral_v<offset> && sizeof(offset) == 4, offset, std::int64_t>;
};

/// A value and where it is. Nowhere is the last position there is, of the least value.
template <class T, class Position>
struct placed {
  LOOPS_HD static constexpr Position nowhere() { return std::numeric_limits<Position>::max(); }
  T value;
  Position at;
  LOOPS_HD static constexpr placed none() {
    // 16-bit types have no limits of their own; what is less than all of `float` is so of them.
    constexpr bool in_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
    using limits = std::numeric_limits<std::conditional_t<in_float, float, T>>;
    static_assert(limits::is_specialized,
                  "nothing is known to be less than all of this type: where the largest is cannot "
                  "be told, convert the values");
    if constexpr (limits::has_infinity) return {T(-limits::infinity()), nowhere()};
    return {T(limits::lowest()), nowhere()};
  }
};

/// The larger of two, the earlier of equals.
template <class P>
struct larger {
  LOOPS_HD P operator()(const P& a, const P& b) const {
    // Member by member and loaded first: one of the two may be in shared memory, and what is chosen
    // by its address has to have one.
    const P one{a.value, a.at};
    const P two{b.value, b.at};
    const bool second = one.value < two.value || (one.value == two.value && two.at < one.at);
    return {native::pick(second, two.value, one.value), native::pick(second, two.at, one.at)};
  }
  template <class>
  LOOPS_HD static P identity() {
    return P::none();
  }
};

/// What is no number is nowhere, so it is never the largest.
template <class P>
struct place_of {
  using pure = std::true_type;
  using value = decltype(P::value);
  const value* values;
  LOOPS_HD P operator()(std::int64_t atom) const {
    const value v = native::load_once(values + atom);
    const bool number = v == v;
    return {native::pick(number, v, P::none().value),
            native::pick(number, static_cast<decltype(P::at)>(atom), P::nowhere())};
  }
  /// The same of a stretch, on a CPU: the largest value without a branch, then where it is. Chances
  /// that a value is larger than those before are not for a processor to guess.
  [[nodiscard]] P of_stretch(std::int64_t, std::int64_t first, std::int64_t last) const {
    const auto larger_of = [](value most, value v) { return v > most ? v : most; };
    const value least = P::none().value;
    value most[4] = {least, least, least, least};
    std::int64_t a = first;
    for (; a + 4 <= last; a += 4)
      for (int k = 0; k < 4; ++k) most[k] = larger_of(most[k], values[a + k]);
    for (; a < last; ++a) most[0] = larger_of(most[0], values[a]);
    const value top = larger_of(larger_of(most[0], most[1]), larger_of(most[2], most[3]));
    for (a = first; a < last; ++a)
      if (values[a] == top) return {top, static_cast<decltype(P::at)>(a)};
    return P::none();
  }
};

struct store_place {
  std::int64_t* out;
  template <class P>
  LOOPS_HD void operator()(std::int64_t tile, const P& p) const {
    out[tile] = p.at == P::nowhere() ? -1 : static_cast<std::int64_t>(p.at);
  }
};

template <class T, bool Inclusive>
struct store_scanned {
  T* out;
  LOOPS_HD void operator()(std::int64_t, std::int64_t atom, const T& before,
                           const T& through) const {
    out[atom] = Inclusive ? through : before;
  }
};

}  // namespace segmented_detail

/// What a plan for `segmented_arg_max` over `Work` is made for: a value and its position.
template <class T, work Work>
using arg_max_value =
    segmented_detail::placed<T, typename segmented_detail::position_of<Work>::type>;

/// out[s] = the combination of the values of segment s of the plan's work, its identity for an
/// empty one. `values` has an element per atom, `out` one per tile: of the base, where the work is
/// a selection, whose other tiles are left alone. They must not overlap. Throws: invalid_argument
/// when one of them knows that it is too short, or `out` begins where `values` does.
template <class T, class... P, class In, class Out, class Combine = plus>
void segmented_reduce(const tile_plan<P...>& p, const In& values, Out&& out,
                      const Combine& combine = {}) {
  const auto& w = p.work();
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  T* to = vector_data<T>(std::forward<Out>(out), tile_ids(w), "out");
  check_apart(to, "out", from, "values", atom_ids(w) > 0 && tile_ids(w) > 0);
  reduce_tiles<T>(p, element_of<T>{from}, combine, store_in<T>{to});
}

/// The same, once.
template <class T, class Exec, class Schedule, work Work, class In, class Out, class Combine = plus>
void segmented_reduce(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                      Out&& out, const Combine& combine = {}) {
  segmented_reduce<T>(plan<T>(exec, schedule, w, reuse::once), values, std::forward<Out>(out),
                      combine);
}

/// out[s] = the position in `values` of the largest value of segment s, of the first of equals; -1
/// where there is none. NaN is never the largest. Elements as above. T: has `numeric_limits`, or is
/// `half` or `bfloat16`. The plan is made for `arg_max_value<T, Work>`, or larger values.
template <class T, class... P, class In, class Out>
void segmented_arg_max(const tile_plan<P...>& p, const In& values, Out&& out) {
  const auto& w = p.work();
  using value = arg_max_value<T, std::remove_cvref_t<decltype(w)>>;
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  auto* to = vector_data<std::int64_t>(std::forward<Out>(out), tile_ids(w), "out");
  check_apart(to, "out", from, "values", atom_ids(w) > 0 && tile_ids(w) > 0);
  reduce_tiles<value>(p, segmented_detail::place_of<value>{from}, segmented_detail::larger<value>{},
                      segmented_detail::store_place{to});
}

/// The same, once.
template <class T, class Exec, class Schedule, work Work, class In, class Out>
void segmented_arg_max(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                       Out&& out) {
  segmented_arg_max<T>(plan<arg_max_value<T, Work>>(exec, schedule, w, reuse::once), values,
                       std::forward<Out>(out));
}

/// Whether an element counts in its own scanned value.
enum class scan { inclusive, exclusive };

/// out[a] = the combination of the values of a's segment up to a (`inclusive`), or before it.
/// `values` and `out` have an element per atom, of the base as above, and may be the same.
/// `combine` need not be commutative: values meet in their order.
template <class T, scan Kind, class... P, class In, class Out, class Combine = plus>
void segmented_scan(const tile_plan<P...>& p, const In& values, Out&& out,
                    const Combine& combine = {}) {
  const auto& w = p.work();
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  T* to = vector_data<T>(std::forward<Out>(out), atom_ids(w), "out");
  scan_tiles<T>(p, element_of<T>{from}, combine,
                segmented_detail::store_scanned<T, Kind == scan::inclusive>{to});
}

/// The same, once.
template <class T, scan Kind, class Exec, class Schedule, work Work, class In, class Out,
          class Combine = plus>
void segmented_scan(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                    Out&& out, const Combine& combine = {}) {
  segmented_scan<T, Kind>(plan_scan<T>(exec, schedule, w, reuse::once), values,
                          std::forward<Out>(out), combine);
}

}  // namespace loops
