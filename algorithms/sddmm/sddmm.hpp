// SPDX-License-Identifier: Apache-2.0
/// Sampled dense times dense: out = alpha (A B at the places of a sparse pattern) + beta out.
#pragma once

#include "algorithms/segmented/offsets.hpp"
#include "algorithms/spmm/packed_rows.hpp"
#include "algorithms/spmv/functors.hpp"
#include "loops/algorithm/reduce_tiles.hpp"
#include "loops/core/functional.hpp"
#include "loops/core/vector_argument.hpp"
#include "loops/format/transposed.hpp"
#include "loops/schedule/group_mapped.hpp"
#include "loops/work/segments.hpp"

#include <cstdint>
#include <utility>

namespace loops {

namespace sddmm_detail {

/// Tile t is nonzero t; its atoms are the packs of a row of A, each times one of a column of B.
template <class V, class I, int Columns>
struct pack_times_pack {
  using sum = accumulator_t<V>;
  using pack = spmm_detail::pack<V, Columns>;
  const I* row_of;
  const I* col_of;
  dense_view<const V> a;
  dense_view<const V> b;  ///< transposed
  std::int64_t packs;
  LOOPS_HD sum operator()(std::int64_t nonzero, std::int64_t atom) const {
    const std::int64_t at = (atom - nonzero * packs) * Columns;
    const pack x = *reinterpret_cast<const pack*>(a.data + row_of[nonzero] * a.stride + at);
    const pack y = *reinterpret_cast<const pack*>(b.data + col_of[nonzero] * b.stride + at);
    sum s{};
    LOOPS_UNROLL
    for (int i = 0; i < Columns; ++i) s = s + sum(x.at[i]) * sum(y.at[i]);
    return s;
  }
};

/// As many neighbouring lanes per nonzero as read a row of `packs` packs at once, at most 32.
inline schedule::group_mapped lanes_for(std::int64_t packs) {
  int lanes = 1;
  while (lanes < 32 && lanes < packs) lanes *= 2;
  return {lanes};
}

}  // namespace sddmm_detail

/// SDDMM prepared for one pattern, schedule, executor and shape of A and B. Calling it allocates
/// nothing, waits for nothing, and can be captured into a graph. Holds a view: the pattern must
/// outlive it.
template <class Exec, class Schedule, class View>
class sddmm_plan {
  using V = typename View::value_type;
  using I = typename View::index_type;
  static constexpr int columns = spmm_detail::widest_pack<Exec, V>;
  using packed = spmm_detail::packed_rows<Exec, V, columns>;

 public:
  using scalar = accumulator_t<V>;

  /// Prepares for matrices like `a` and `b`. Rows of A and columns of B are read in packs of 16
  /// bytes; a matrix that lies otherwise is copied by every call into room that the plan holds.
  /// Throws: invalid_argument when the shapes do not fit.
  sddmm_plan(const Exec& exec, const Schedule& schedule, const View& pattern,
             const dense_view<const V>& a, const dense_view<const V>& b,
             reuse uses = reuse::many_times)
      : pattern_(pattern),
        depth_(checked(pattern, a, b)),
        row_of_(static_cast<std::size_t>(pattern.nonzeros), exec.memory()),
        a_(exec, a, uses),
        b_(exec, transposed(b), uses),
        plan_(exec, schedule, uniform(static_cast<std::int64_t>(pattern.nonzeros), packs()), uses) {
    for_each_atom(exec, schedule::nonzero_split{}, rows_of(pattern),
                  segmented_detail::note_tile<I>{row_of_.data()});
  }

  /// out[n] = alpha * (row of A times column of B at nonzero n) + beta * out[n]; `out` is not read
  /// when beta is zero. Throws: invalid_argument when a matrix is not like the one the plan was
  /// made for, or `out` is too short.
  template <class Out>
  requires vector_argument<Out, V>
  void operator()(const dense_view<const V>& a, const dense_view<const V>& b, Out&& out,
                  scalar alpha = scalar(1), scalar beta = scalar{}) const {
    require(checked(pattern_, a, b) == depth_, errc::invalid_argument,
            "A has other columns than the one the plan was made for");
    V* const to =
        vector_data<V>(std::forward<Out>(out), static_cast<std::int64_t>(pattern_.nonzeros), "out");
    reduce_tiles<scalar>(
        plan_,
        sddmm_detail::pack_times_pack<V, I, columns>{
            row_of_.data(), pattern_.indices, a_.of(a, "A"), b_.of(transposed(b), "B"), packs()},
        plus{}, spmv_detail::scaled_store<V>{to, alpha, beta});
  }

  /// Bytes of device memory the plan holds.
  [[nodiscard]] std::size_t bytes() const {
    return plan_.bytes() + row_of_.size() * sizeof(I) + a_.bytes() + b_.bytes();
  }

 private:
  [[nodiscard]] std::int64_t packs() const { return ceil_div(depth_, columns); }
  static std::int64_t checked(const View& pattern, const dense_view<const V>& a,
                              const dense_view<const V>& b) {
    check_dense(a, static_cast<std::int64_t>(pattern.rows), a.cols, "A");
    check_dense(b, a.cols, static_cast<std::int64_t>(pattern.cols), "B");
    return a.cols;
  }

  View pattern_;
  std::int64_t depth_;
  array<I> row_of_;
  packed a_;
  packed b_;
  tile_plan<Exec, Schedule, uniform, scalar> plan_;
};

/// Prepares `out = alpha (A B at the places of pattern) + beta out` for matrices like `a` and `b`.
template <class Exec, class Schedule, class View>
auto plan_sddmm(const Exec& exec, const Schedule& schedule, const View& pattern,
                const dense_view<const typename View::value_type>& a,
                const dense_view<const typename View::value_type>& b) {
  return sddmm_plan<Exec, Schedule, View>(exec, schedule, pattern, a, b);
}

/// The same once, with as many lanes per nonzero as the depth of A and B asks for.
template <class Exec, class View, class Out>
void sddmm(const Exec& exec, const View& pattern,
           const dense_view<const typename View::value_type>& a,
           const dense_view<const typename View::value_type>& b, Out&& out,
           accumulator_t<typename View::value_type> alpha = 1,
           accumulator_t<typename View::value_type> beta = {}) {
  constexpr int columns = spmm_detail::widest_pack<Exec, typename View::value_type>;
  const auto schedule = sddmm_detail::lanes_for(ceil_div(a.cols, columns));
  sddmm_plan<Exec, schedule::group_mapped, View>(exec, schedule, pattern, a, b, reuse::once)(
      a, b, std::forward<Out>(out), alpha, beta);
}

}  // namespace loops
