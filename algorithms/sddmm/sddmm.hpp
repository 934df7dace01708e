// SPDX-License-Identifier: Apache-2.0
/// Sampled dense times dense: out = alpha (A B at the places of a sparse pattern) + beta out.
#pragma once

#include "algorithms/sddmm/dot_alone.hpp"
#include "algorithms/sddmm/kept_rows.hpp"
#include "algorithms/sddmm/pack_times_pack.hpp"
#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spmm/packed_rows.hpp"
#include "algorithms/spmv/functors.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/check_arrays.hpp"
#include "loops/format/transposed.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/segments.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace loops {

namespace sddmm_detail {

/// Bundles take runs of nonzeros of equal length: a run stays in a row for as long as can be.
struct even_nonzeros {
  [[nodiscard]] static constexpr auto compose() {
    return composed<measure::atoms, worker::lane, order::in_order>{{}, grain::whole_turns};
  }
};

/// Which schedule deals out nonzeros to bundles, and which packs of nonzeros to lanes.
template <class Schedule>
struct choice {
  using of_packs = Schedule;
  static const Schedule& nonzeros(const Schedule& s) { return s; }
  static const Schedule& packs(const Schedule& s, std::int64_t) { return s; }
};
/// As many neighbouring lanes take a nonzero as read a row of packs at four each, at most 32.
template <>
struct choice<schedule::automatic> {
  using of_packs = schedule::group_mapped;
  static even_nonzeros nonzeros(const schedule::automatic&) { return {}; }
  static schedule::group_mapped packs(const schedule::automatic&, std::int64_t packs) {
    int lanes = 1;
    while (lanes < 32 && 4 * lanes < packs) lanes *= 2;
    return {lanes};
  }
};

/// A pattern, the row of each of its nonzeros, and A and B as rows of whole packs.
template <class Exec, class View>
class operands {
  using V = typename View::value_type;
  using I = typename View::index_type;

 public:
  static constexpr int columns = spmm_detail::widest_pack<Exec, V>;

  operands(const Exec& exec, const View& pattern, const dense_view<const V>& a,
           const dense_view<const V>& b, reuse uses)
      : pattern_(pattern),
        depth_(checked(pattern, a, b)),
        row_of_(static_cast<std::size_t>(pattern.nonzeros), exec.memory()),
        a_(exec, a, uses),
        b_(exec, transposed(b), uses) {
    for_each_atom(exec, schedule::nonzero_split{}, rows_of(pattern),
                  segmented_detail::note_tile<I>{row_of_.data()});
  }

  [[nodiscard]] std::int64_t nonzeros() const {
    return static_cast<std::int64_t>(pattern_.nonzeros);
  }
  /// Rows as tiles, nonzeros as atoms.
  [[nodiscard]] auto rows() const { return noted(rows_of(pattern_), row_of_.data()); }
  [[nodiscard]] std::int64_t depth() const { return depth_; }
  [[nodiscard]] std::int64_t packs() const { return ceil_div(depth_, columns); }
  [[nodiscard]] std::size_t bytes() const {
    return row_of_.size() * sizeof(I) + a_.bytes() + b_.bytes();
  }
  /// Calls use(row_of, col_of, a, b transposed, the store) for one product.
  template <class Out, class Use>
  void multiply(const dense_view<const V>& a, const dense_view<const V>& b, Out&& out,
                accumulator_t<V> alpha, accumulator_t<V> beta, const Use& use) const {
    require(checked(pattern_, a, b) == depth_, errc::invalid_argument,
            "A has other columns than the one the plan was made for");
    V* const to = vector_data<V>(std::forward<Out>(out), nonzeros(), "out");
    check_apart(to, "out", a.data, "A", nonzeros() > 0 && depth_ > 0);
    check_apart(to, "out", b.data, "B", nonzeros() > 0 && depth_ > 0);
    use(row_of_.data(), pattern_.indices, a_.of(a, "A"), b_.of(transposed(b), "B"),
        spmv_detail::scaled_store<V>{to, alpha, beta});
  }

 private:
  using packed = spmm_detail::packed_rows<Exec, V, columns, spmm_detail::reads_alone<Exec>>;
  static std::int64_t checked(const View& pattern, const dense_view<const V>& a,
                              const dense_view<const V>& b) {
    check_arrays(pattern, reads::pattern);
    check_dense(a, static_cast<std::int64_t>(pattern.rows), a.cols, "A");
    check_dense(b, a.cols, static_cast<std::int64_t>(pattern.cols), "B");
    return a.cols;
  }

  View pattern_;
  std::int64_t depth_;
  array<I> row_of_;
  packed a_;
  packed b_;
};

}  // namespace sddmm_detail

/// SDDMM prepared for one pattern, schedule, executor and shape of A and B. Calling it allocates
/// nothing, waits for nothing, and can be captured into a graph. Holds a view: the pattern must
/// outlive it. Where a row of A fits the registers of a bundle of lanes, the schedule deals out the
/// nonzeros of rows to bundles; elsewhere, and on the host, the packs of nonzeros to lanes.
template <class Exec, class Schedule, class View>
class sddmm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  using operands = sddmm_detail::operands<Exec, View>;
  using choice = sddmm_detail::choice<Schedule>;
  using tile_schedule = typename choice::of_packs;

 public:
  using scalar = accumulator_t<V>;

  /// Prepares for matrices like `a` and `b`. Rows of A and columns of B are read in packs of 16
  /// bytes; a matrix that lies otherwise is copied by every call into room that the plan holds.
  /// Throws: invalid_argument when the shapes do not fit, or an array is missing.
  sddmm_plan(const Exec& exec, const Schedule& schedule, const View& pattern,
             const dense_view<const V>& a, const dense_view<const V>& b,
             reuse uses = reuse::many_times)
      : of_(exec, pattern, a, b, uses) {
    if constexpr (Exec::template block<shape<128, 1>>::wave > 1)
      kept_ = sddmm_detail::make_product<V, I, operands::columns>(exec, choice::nonzeros(schedule),
                                                                  of_.rows(), of_.packs());
    if (!kept_)
      plan_.emplace(exec, choice::packs(schedule, of_.packs()),
                    uniform(of_.nonzeros(), of_.packs()), uses);
  }

  /// out[n] = alpha * (row of A times column of B at nonzero n) + beta * out[n]; `out` is not read
  /// when beta is zero, and must not overlap A or B. Throws: invalid_argument when a matrix is not
  /// like the one the plan was made for, `out` is too short, or it begins where A or B does.
  template <class Out>
  requires vector_argument<Out, V>
  void operator()(const dense_view<const V>& a, const dense_view<const V>& b, Out&& out,
                  scalar alpha = scalar(1), scalar beta = scalar{}) const {
    of_.multiply(a, b, std::forward<Out>(out), alpha, beta,
                 [&](const I* row_of, const I* col_of, const dense_view<const V>& rows,
                     const dense_view<const V>& cols, const spmv_detail::scaled_store<V>& store) {
                   if (kept_) {
                     kept_->multiply(col_of, rows, cols, store);
                   } else {
                     const sddmm_detail::pack_times_pack<V, I, operands::columns> map{
                         row_of, col_of, rows, cols, of_.packs()};
                     if constexpr (spmm_detail::reads_alone<Exec>) {
                       reduce_tiles<scalar>(*plan_,
                                            sddmm_detail::dot_alone<V, I, operands::columns>{
                                                map, of_.depth(), of_.nonzeros()},
                                            plus{}, store);
                     } else {
                       reduce_tiles<scalar>(*plan_, map, plus{}, store);
                     }
                   }
                 });
  }

  /// Waits for everything started so far. Throws: device when a result is wrong because a block
  /// waited for another one in vain.
  void check() { kept_ ? kept_->check() : plan_->check(); }
  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return of_.bytes() + (kept_ ? kept_->bytes() : plan_->bytes());
  }

 private:
  operands of_;
  std::unique_ptr<sddmm_detail::product<V, I>> kept_;
  std::optional<tile_plan<Exec, tile_schedule, uniform, scalar>> plan_;
};

/// Prepares `out = alpha (A B at the places of pattern) + beta out` for matrices like `a` and `b`.
template <class Exec, class Schedule, class View>
auto plan_sddmm(const Exec& exec, const Schedule& schedule, const View& pattern,
                const dense_view<const detail::value_in<View>>& a,
                const dense_view<const detail::value_in<View>>& b) {
  detail::require_view<View>();
  return sddmm_plan<Exec, Schedule, View>(exec, schedule, pattern, a, b);
}

/// The same once, in the way that suits the depth of A and B. `pattern` is a view, or what owns the
/// arrays.
template <class Exec, class Matrix, class Out>
void sddmm(const Exec& exec, const Matrix& pattern,
           const dense_view<const detail::value_in<Matrix>>& a,
           const dense_view<const detail::value_in<Matrix>>& b, Out&& out,
           accumulator_t<detail::value_in<Matrix>> alpha = 1,
           accumulator_t<detail::value_in<Matrix>> beta = {}) {
  sddmm_plan<Exec, schedule::automatic, detail::view_of<Matrix>>(
      exec, {}, detail::viewed(pattern), a, b, reuse::once)(a, b, std::forward<Out>(out), alpha,
                                                            beta);
}

}  // namespace loops
