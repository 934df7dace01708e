// SPDX-License-Identifier: Apache-2.0
/// Over the values of every segment of an array: a reduction, the place of the largest, a scan.
#pragma once

#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/algorithm/scan_tiles.hpp"
#include "loops/backend/native.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace loops {

namespace segmented_detail {

/// A value and where it is; nowhere is -1.
template <class T>
struct placed {
  T value;
  std::int64_t at;
};

/// The larger of two, the earlier of equals.
template <class T>
struct larger {
  LOOPS_HD placed<T> operator()(const placed<T>& a, const placed<T>& b) const {
    // Member by member and loaded first: one of the two may be in shared memory, and what is chosen
    // by its address has to have one.
    const placed<T> one{a.value, a.at};
    const placed<T> two{b.value, b.at};
    const bool second = two.at >= 0 && (one.at < 0 || one.value < two.value ||
                                        (!(two.value < one.value) && two.at < one.at));
    return {native::pick(second, two.value, one.value), native::pick(second, two.at, one.at)};
  }
  template <class>
  LOOPS_HD static placed<T> identity() {
    return {std::numeric_limits<T>::lowest(), -1};
  }
};

/// What is no number is nowhere, so it is never the largest.
template <class T>
struct place_of {
  const T* values;
  LOOPS_HD placed<T> operator()(std::int64_t atom) const {
    const T v = native::load_once(values + atom);
    return {v, v == v ? atom : -1};
  }
};

template <class T>
struct store_place {
  std::int64_t* out;
  LOOPS_HD void operator()(std::int64_t tile, const placed<T>& p) const { out[tile] = p.at; }
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

/// out[s] = the combination of the values of segment s of `w`, its identity for an empty one.
/// `values` has an element per atom, `out` one per tile: of the base, where `w` is a selection,
/// whose other tiles are left alone. They must not overlap. Throws: invalid_argument when one of
/// them knows that it is too short, or `out` begins where `values` does.
template <class T, class Exec, class Schedule, work Work, class In, class Out, class Combine = plus>
void segmented_reduce(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                      Out&& out, const Combine& combine = {}) {
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  T* to = vector_data<T>(std::forward<Out>(out), tile_ids(w), "out");
  check_apart(to, "out", from, "values", atom_ids(w) > 0 && tile_ids(w) > 0);
  reduce_tiles<T>(exec, schedule, w, element_of<T>{from}, combine, store_in<T>{to});
}

/// out[s] = the position in `values` of the largest value of segment s, of the first of equals; -1
/// where there is none. NaN is never the largest. Elements as above.
template <class T, class Exec, class Schedule, work Work, class In, class Out>
void segmented_arg_max(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                       Out&& out) {
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  auto* to = vector_data<std::int64_t>(std::forward<Out>(out), tile_ids(w), "out");
  check_apart(to, "out", from, "values", atom_ids(w) > 0 && tile_ids(w) > 0);
  reduce_tiles<segmented_detail::placed<T>>(exec, schedule, w, segmented_detail::place_of<T>{from},
                                            segmented_detail::larger<T>{},
                                            segmented_detail::store_place<T>{to});
}

/// Whether an element counts in its own scanned value.
enum class scan { inclusive, exclusive };

/// out[a] = the combination of the values of a's segment up to a (`inclusive`), or before it.
/// `values` and `out` have an element per atom, of the base as above, and may be the same.
template <class T, scan Kind, class Exec, class Schedule, work Work, class In, class Out,
          class Combine = plus>
void segmented_scan(const Exec& exec, const Schedule& schedule, const Work& w, const In& values,
                    Out&& out, const Combine& combine = {}) {
  const T* from = vector_data<const T>(values, atom_ids(w), "values");
  T* to = vector_data<T>(std::forward<Out>(out), atom_ids(w), "out");
  scan_tiles<T>(exec, schedule, w, element_of<T>{from}, combine,
                segmented_detail::store_scanned<T, Kind == scan::inclusive>{to});
}

}  // namespace loops
