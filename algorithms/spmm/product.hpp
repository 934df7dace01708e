// SPDX-License-Identifier: Apache-2.0
/// One product C = alpha A B + beta C for one width of teams, and the choice of that width.
#pragma once

#include "algorithms/spmm/functors.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_wide.hpp"
#include "loops/core/functional.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace loops::spmm_detail {

/// What does not depend on how the columns are shared out.
template <class V>
class product {
 public:
  using scalar = accumulator_t<V>;
  virtual ~product() = default;
  virtual void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                        scalar beta) const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Whether rows of packs can be read from, or written to, `m` as it is.
template <int Columns, class T>
bool in_packs(const dense_view<T>& m) {
  constexpr std::size_t align = alignof(pack<std::remove_const_t<T>, Columns>);
  return m.order == layout::rows && m.cols % Columns == 0 &&
         static_cast<std::size_t>(m.stride) * sizeof(T) % align == 0 &&
         reinterpret_cast<std::uintptr_t>(m.data) % align == 0;
}

/// A lane holds `Columns` neighbouring columns of a row of C; `Width` lanes are a team.
template <class Exec, class Schedule, class View, int Columns, int Width>
class wide_product final : public product<typename View::value_type> {
  using V = typename View::value_type;
  using scalar = accumulator_t<V>;
  using work_type = decltype(rows_of(std::declval<const View&>()));
  using functor = nonzero_times_row<V, typename View::index_type, Columns>;
  using rows_plan = wide_plan<Exec, Schedule, work_type, typename functor::sum, Width>;
  using copy_plan = tile_plan<Exec, schedule::nonzero_split, uniform, V>;

 public:
  wide_product(const Exec& exec, const Schedule& schedule, const View& a,
               const dense_view<const V>& b, reuse uses)
      : a_(a),
        cols_(b.cols),
        order_(b.order),
        rows_(exec, schedule, rows_of(a), copies(b.cols), uses) {
    if (in_packs<Columns>(b) || b.cols == 0) return;
    const std::int64_t packs = ceil_div(b.cols, Columns);
    stride_ = packs * Columns;
    copied_ = array<V>(static_cast<std::size_t>(b.rows) * static_cast<std::size_t>(stride_),
                       exec.memory());
    const uniform work = b.order == layout::rows ? uniform(b.rows, packs) : uniform(packs, b.rows);
    copy_.emplace(exec, schedule::nonzero_split{}, work, uses);
  }

  void multiply(const dense_view<const V>& b, const dense_view<V>& c, scalar alpha,
                scalar beta) const override {
    check_dense(b, static_cast<std::int64_t>(a_.cols), cols_, "B");
    check_dense(c, static_cast<std::int64_t>(a_.rows), cols_, "C");
    if (cols_ == 0) return;
    const V* from = b.data;
    std::int64_t stride = b.stride;
    if (!in_packs<Columns>(b)) {
      require(copy_.has_value() && b.order == order_, errc::invalid_argument,
              "B lies otherwise than the one the plan was made for: make a plan for this one");
      V* const to = const_cast<V*>(copied_.data());
      for_each_atom(*copy_, copy_pack<V, Columns>{b, to, stride_});
      from = to;
      stride = stride_;
    }
    const int last = static_cast<int>(ceil_div(cols_, Columns) - 1) * Columns;
    reduce_wide(rows_, functor{a_.values, a_.indices, from, stride, last}, plus{},
                scaled_row_store<V, Columns>{c, alpha, beta, in_packs<Columns>(c)});
  }

  [[nodiscard]] std::size_t bytes() const override {
    return rows_.bytes() + copied_.size() * sizeof(V) + (copy_ ? copy_->bytes() : 0);
  }

 private:
  static int copies(std::int64_t cols) {
    const std::int64_t n = ceil_div(cols, Columns * Width);
    require(n <= 1 << 16, errc::overflow, "C has too many columns for one product");
    return n > 1 ? static_cast<int>(n) : 1;
  }

  View a_;
  std::int64_t cols_;
  layout order_;
  rows_plan rows_;
  std::int64_t stride_ = 0;
  array<V> copied_;
  std::optional<copy_plan> copy_;
};

/// Columns per lane: 16 bytes of B on a GPU, whose lanes read side by side; a line on a CPU.
template <class Exec, class V>
inline constexpr int widest_pack = (Exec::template block<shape<128, 32>>::threads == 1 ? 64 : 16) /
                                   int(sizeof(V));

/// The product with the narrowest teams of at least `Width` lanes that hold `b.cols` columns, or
/// the widest there are.
template <int Width, class Exec, class Schedule, class View>
std::unique_ptr<product<typename View::value_type>> product_in_teams(
    const Exec& exec, const Schedule& schedule, const View& a,
    const dense_view<const typename View::value_type>& b, reuse uses) {
  using block = typename Exec::template block<shape<128, 32>>;
  constexpr int columns = widest_pack<Exec, typename View::value_type>;
  constexpr int widest = block::wave < 32 ? block::wave : 32;
  if constexpr (Width < widest) {
    if (b.cols > columns * Width) return product_in_teams<2 * Width>(exec, schedule, a, b, uses);
  }
  return std::make_unique<wide_product<Exec, Schedule, View, columns, Width>>(exec, schedule, a, b,
                                                                              uses);
}

/// The product for matrices like `b`. A single column takes a lane per row and no packs.
template <class Exec, class Schedule, class View>
std::unique_ptr<product<typename View::value_type>> make_product(
    const Exec& exec, const Schedule& schedule, const View& a,
    const dense_view<const typename View::value_type>& b, reuse uses) {
  if (b.cols == 1)
    return std::make_unique<wide_product<Exec, Schedule, View, 1, 1>>(exec, schedule, a, b, uses);
  return product_in_teams<1>(exec, schedule, a, b, uses);
}

}  // namespace loops::spmm_detail
