// SPDX-License-Identifier: Apache-2.0
/// One product C = alpha A B + beta C for one width of bundles, and the choice of that width.
#pragma once

#include "algorithms/spmm/any_product.hpp"
#include "algorithms/spmm/functors.hpp"
#include "algorithms/spmm/in_place.hpp"
#include "algorithms/spmm/packed_rows.hpp"
#include "algorithms/spmm/row_alone.hpp"
#include "algorithms/spmm/turned_rows.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace loops::spmm_detail {

/// A lane holds `Columns` neighbouring columns of a row of C; `Width` lanes are a bundle. Without
/// bundles (Width 0) one lane holds all columns, at most `Columns`.
template <class Exec, class Schedule, class View, int Columns, int Width>
class product_of final : public product<typename View::value_type> {
  using V = typename View::value_type;
  using scalar = accumulator_t<V>;
  static constexpr bool alone = reads_alone<Exec> && Columns > 1;
  using of_nonzero = nonzero_times_row<V, typename View::index_type, Columns>;
  using functor =
      std::conditional_t<alone, row_alone<V, typename View::index_type, Columns>, of_nonzero>;
  using sum = typename functor::sum;
  using rows_plan = row_plan<Exec, Schedule, View, sum, Columns, Width>;
  /// Narrower rows of C are stored as columns as fast as they are turned.
  static constexpr bool turns = Width >= 8;

 public:
  product_of(const Exec& exec, const Schedule& schedule, const View& a,
             const dense_view<const V>& b, reuse uses)
      : a_(a), cols_(b.cols), rows_(exec, schedule, a, b.cols, uses), packed_(exec, b, uses) {
    if (turns && b.order == layout::column_major && a.rows > 0)
      turned_.emplace(exec, static_cast<std::int64_t>(a.rows), b.cols, uses);
  }

  void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                scalar beta) const override {
    check_dense(b, static_cast<std::int64_t>(a_.cols), cols_, "B");
    check_dense(c, static_cast<std::int64_t>(a_.rows), cols_, "C");
    check_apart(c.data, "C", b.data, "B", cols_ > 0 && a_.rows > 0 && a_.cols > 0);
    if (cols_ == 0) return;
    const dense_view<const V> from = packed_.of(b, "B");
    const functor map(a_, from);
    if (c.order == layout::column_major && turned_ && beta == scalar{}) {
      rows_.reduce(map, store<layout::row_major>(turned_->rows(), alpha, beta));
      turned_->turn_into(c);
    } else if (c.order == layout::row_major) {
      rows_.reduce(map, store<layout::row_major>(c, alpha, beta));
    } else {
      rows_.reduce(map, store<layout::column_major>(c, alpha, beta));
    }
  }

  void check() override { rows_.check(); }
  [[nodiscard]] std::size_t bytes() const override {
    return rows_.bytes() + packed_.bytes() + (turned_ ? turned_->bytes() : 0);
  }

 private:
  template <layout Order>
  static scaled_store<V, Columns, Order> store(const dense_view<V>& c, scalar alpha, scalar beta) {
    return {c.data, c.cols, c.stride, alpha, beta, in_packs<Columns>(c)};
  }

  View a_;
  std::int64_t cols_;
  rows_plan rows_;  ///< first: it refuses what has too many columns to make room for
  packed_rows<Exec, V, Columns, alone> packed_;
  std::optional<turned_rows<Exec, V, Columns>> turned_;  ///< where C lies by columns, as B does
};

/// Columns that a lane holds in a bundle: a pack; on a CPU, whose bundles are one lane, so many
/// that rows of B and C are read and written in one go.
template <class Exec, class V>
inline constexpr int columns_of_share = (reads_alone<Exec> ? 1024 : 16) / int(sizeof(V));

/// How many lanes a bundle may have: in a small product so few that a wave has room for as many
/// bundles per row as it takes to occupy the machine, where rows are few. Every copy of the grid
/// reads A, so larger products have as few of them as can be.
template <class Exec, class View>
int widest_bundle(const Exec& exec, const View& a, std::int64_t cols) {
  using narrow = bundle_executor<Exec, 2>;
  using launched = shape<128, 32>;
  constexpr int columns = columns_of_share<Exec, typename View::value_type>;
  constexpr int wave = Exec::template block<launched>::wave;
  constexpr int widest = wave < 32 ? wave : 32;
  constexpr std::int64_t most = most_columns<2 * columns>;
  const auto copies = static_cast<int>(ceil_div(cols < most ? cols : most, 2 * columns));
  const machine m = narrow(exec, copies).template describe<launched>();
  const auto rows = static_cast<std::int64_t>(a.rows);
  const auto atoms = static_cast<std::int64_t>(a.nonzeros);
  if (rows == 0 || atoms > 8 * m.threads * m.blocks) return widest;
  const int beside = narrow::for_a_tile(rows, atoms / rows, m);
  return wave / beside < widest ? wave / beside : widest;
}

/// The product with the narrowest bundles of at least `Width` lanes that hold `b.cols` columns, or
/// with the widest of at most so many that hold them.
template <int Width, class Exec, class Schedule, class View>
std::unique_ptr<product<typename View::value_type>> product_in_bundles(
    const Exec& exec, const Schedule& schedule, const View& a,
    const dense_view<const typename View::value_type>& b, reuse uses, int widest) {
  using block = typename Exec::template block<shape<128, 32>>;
  constexpr int columns = columns_of_share<Exec, typename View::value_type>;
  if constexpr (2 * Width <= 32 && 2 * Width <= block::wave) {
    if (b.cols > columns * Width && (2 * Width <= widest || b.cols > most_columns<columns * Width>))
      return product_in_bundles<2 * Width>(exec, schedule, a, b, uses, widest);
  }
  return std::make_unique<product_of<Exec, Schedule, View, columns, Width>>(exec, schedule, a, b,
                                                                            uses);
}

/// The product for matrices like `b`. A single column takes a lane per row and no packs, and so do
/// a few.
template <class Exec, class Schedule, class View>
std::unique_ptr<product<typename View::value_type>> make_product(
    const Exec& exec, const Schedule& schedule, const View& a,
    const dense_view<const typename View::value_type>& b, reuse uses) {
  if (b.cols == 1)
    return std::make_unique<product_of<Exec, Schedule, View, 1, 0>>(exec, schedule, a, b, uses);
  constexpr int few = (reads_alone<Exec> ? 32 : 16) / int(sizeof(typename View::value_type));
  if constexpr (!reads_alone<Exec>) {
    if (b.cols > 1 && !in_packs<few>(b) && is_small(exec, a, b.cols, b.cols > few) &&
        b.cols <= most_columns<2 * few>) {
      if (b.cols <= few)
        return std::make_unique<product_in_place<Exec, Schedule, View, few, 0>>(exec, schedule, a,
                                                                                b, uses);
      return std::make_unique<product_in_place<Exec, Schedule, View, few, 2>>(exec, schedule, a, b,
                                                                              uses);
    }
  }
  if (b.cols <= few)
    return std::make_unique<product_of<Exec, Schedule, View, few, 0>>(exec, schedule, a, b, uses);
  if constexpr (reads_alone<Exec>) {
    if (b.cols <= 4 * few)
      return std::make_unique<product_of<Exec, Schedule, View, 4 * few, 0>>(exec, schedule, a, b,
                                                                            uses);
    return product_in_bundles<1>(exec, schedule, a, b, uses, 1);
  } else {
    return product_in_bundles<2>(exec, schedule, a, b, uses, widest_bundle(exec, a, b.cols));
  }
}

}  // namespace loops::spmm_detail
