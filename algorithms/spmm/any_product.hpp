// SPDX-License-Identifier: Apache-2.0
/// What all products C = alpha A B + beta C of a plan have in common.
#pragma once

#include "algorithms/spmm/functors.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/core/error.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/numeric.hpp"
#include "loops/format/dense.hpp"
#include "loops/work/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace loops::spmm_detail {

/// What does not depend on how the columns are shared out.
template <class V>
class product {
 public:
  using scalar = accumulator_t<V>;
  virtual ~product() = default;
  virtual void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                        scalar beta) const = 0;
  virtual void check() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// How many columns a product takes at most whose grid has a copy for every `Columns`.
template <int Columns>
inline constexpr std::int64_t most_columns = std::int64_t{1 << 16} * Columns;

/// As many columns, unless they are more.
template <int Columns>
std::int64_t countable(std::int64_t cols) {
  constexpr std::int64_t most = most_columns<Columns>;
  if (cols > most)
    throw error(errc::overflow, "C has " + std::to_string(cols) +
                                    " columns, and one product takes " + std::to_string(most) +
                                    " at most: multiply some of the columns at a time");
  return cols;
}

/// Who takes rows of C: bundles of `Width` lanes, each of which holds `Columns` columns of it as a
/// `Sum`, in as many copies of the grid as there are columns for; or, where `Width` is 0, lanes.
template <class Exec, class Schedule, class View, class Sum, int Columns, int Width>
class row_plan {
  using work_type = decltype(rows_of(std::declval<const View&>()));
  static constexpr bool bundled = Width > 0;
  static constexpr int together = bundled ? Columns * Width : Columns;
  /// Rounds of 2048 steps, as far as a lane should walk.
  using wide_shape = shape<128, (Width < 16 ? 16 * Width : 256)>;
  using plan_type =
      std::conditional_t<bundled, wide_plan<Exec, Schedule, work_type, Sum, Width, wide_shape>,
                         tile_plan<Exec, Schedule, work_type, Sum>>;

 public:
  row_plan(const Exec& exec, const Schedule& schedule, const View& a, std::int64_t cols, reuse uses)
      : plan_(make(exec, schedule, a, bundled ? countable<together>(cols) : cols, uses)) {}

  template <class Map, class Store>
  void reduce(const Map& map, const Store& store) const {
    if constexpr (bundled) {
      reduce_wide(plan_, map, plus{}, store);
    } else {
      reduce_tiles<Sum>(plan_, of_only_share<Map>{map}, plus{}, of_only_share<Store>{store});
    }
  }
  void check() { plan_.check(); }
  [[nodiscard]] std::size_t bytes() const { return plan_.bytes(); }

 private:
  static plan_type make(const Exec& exec, const Schedule& schedule, const View& a,
                        std::int64_t cols, reuse uses) {
    if constexpr (bundled) {
      const std::int64_t copies = ceil_div(cols, together);
      return plan_type(exec, schedule, rows_of(a), copies > 1 ? static_cast<int>(copies) : 1, uses);
    } else {
      return plan_type(exec, schedule, rows_of(a), uses);
    }
  }

  plan_type plan_;
};

}  // namespace loops::spmm_detail
