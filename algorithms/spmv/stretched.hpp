// SPDX-License-Identifier: Apache-2.0
/// A work cut into stretches of equally many atoms, for kernels that sum each in shared memory.
#pragma once

#include "algorithms/spmv/stretch_sums.hpp"
#include "loops/algorithm/cuts.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/algorithm/reduce_kernels.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/schedule/schedule.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace loops::spmv_detail {

/// Equal atoms per block, so many.
struct stretches {
  std::int64_t atoms = 0;
  [[nodiscard]] constexpr auto compose() const {
    return composed<measure::atoms, worker::block, order::in_order>{.grain = atoms};
  }
};

/// Numbers of atoms that offsets of a type count.
template <class Offset>
using index_for =
    std::conditional_t<sizeof(Offset) <= 4 && std::is_signed_v<Offset>, std::int32_t, std::int64_t>;

/// Tiles over stretches: which begins where, what is done with those that a stretch cuts, and with
/// those that have no atoms. The arrays of the work must outlive it. Making it waits.
template <class Exec, class T, class Offset, class Sizes>
class stretched {
 public:
  using index = index_for<Offset>;
  using work_type = segments<Offset>;
  using launch_shape = typename Sizes::launch_shape;

  stretched(const Exec& exec, const work_type& w, std::int64_t stretch)
      : exec_(exec),
        stretch_(stretch),
        marks_(exec, w),
        each_(exec, schedule::nonzero_split{}, segmented_detail::each_of(w.tiles())) {
    marks_.name(exec, w);
    bound_.w = w;
    bound_.a = stretches{stretch}.compose().bind(w, exec.template describe<launch_shape>());
    const auto count = static_cast<std::size_t>(bound_.a.slices) + 1;
    cuts_ = array<coordinate>(count, exec.memory());
    parts_ = array<T>(2 * count, exec.memory());
    using asking = shape<64, 1>;
    constexpr int threads = Exec::template block<asking>::threads;
    exec.template launch<asking>(ceil_div(bound_.a.slices + 1, threads),
                                 detail::compute_cuts<bound_type>{bound_, cuts_.data()});
    bound_.cuts = cuts_.data();
  }

  /// Atoms per stretch for so many: as many as there is room for, fewer where that would leave
  /// processors idle.
  static std::int64_t stretch_for(const Exec& exec, std::int64_t count) {
    constexpr std::int64_t most = Sizes::room;
    constexpr std::int64_t least = 1024;
    const std::int64_t blocks = exec.template describe<launch_shape>().blocks;
    const std::int64_t even =
        ceil_div(ceil_div(count, std::max<std::int64_t>(1, blocks)), chunk) * chunk;
    return std::clamp(even, std::min(least, most), most);
  }
  [[nodiscard]] std::int64_t stretch() const { return stretch_; }
  /// Blocks that have one each.
  [[nodiscard]] std::int64_t count() const { return ceil_div(bound_.w.atoms(), stretch_); }

  /// What a kernel does with the values of a stretch.
  template <class Combine, class Emit>
  [[nodiscard]] auto sums(const Combine& combine, const Emit& emit) const {
    T* const heads = const_cast<T*>(parts_.data());
    return stretch_sums<work_type, index, T, Combine, Emit, Sizes>{
        bound_.w, marks_.view(), stretch_, combine, emit, heads, heads + count()};
  }
  /// Emits tiles without atoms.
  template <class Combine, class Emit>
  void emit_empty(const Combine& combine, const Emit& emit) const {
    if (marks_.marked() < bound_.w.tiles())
      for_each_atom(each_, spmv_detail::emit_empty<work_type, T, Emit>{
                               bound_.w, combine.template identity<T>(), emit});
  }
  /// Emits tiles that stretches have cut, after the kernel that summed their parts.
  template <class Combine, class Emit>
  void join(const Combine& combine, const Emit& emit) const {
    if (bound_.a.slices < 2) return;
    using reduction = detail::reduction<T, nothing_to_map, Combine, Emit>;
    using joins = shape<256, 1>;
    using block = typename Exec::template block<joins>;
    const std::int64_t per_block = std::int64_t{block::threads} * block::batch;
    T* const heads = const_cast<T*>(parts_.data());
    exec_.template launch_early<joins>(ceil_div(bound_.a.slices, per_block),
                                       detail::join_slices<bound_type, reduction>{
                                           bound_, reduction{{}, combine, emit},
                                           detail::partials<reduction>{heads, heads + count()}});
  }
  /// Bytes of device memory it holds.
  [[nodiscard]] std::size_t bytes() const {
    return marks_.bytes() + each_.bytes() + parts_.size() * sizeof(T) +
           cuts_.size() * sizeof(coordinate);
  }

 private:
  using bound_type = bound<work_type, decltype(stretches{}.compose().bind(work_type{}, machine{}))>;
  Exec exec_;
  std::int64_t stretch_;
  tile_marks<index> marks_;
  tile_plan<Exec, schedule::nonzero_split, uniform, T> each_;
  bound_type bound_;
  array<coordinate> cuts_;
  array<T> parts_;
};

}  // namespace loops::spmv_detail
