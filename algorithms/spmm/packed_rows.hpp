// SPDX-License-Identifier: Apache-2.0
/// A dense matrix as rows that can be read in packs: as it is, or copied.
#pragma once

#include "algorithms/spmm/copy_squares.hpp"
#include "algorithms/spmm/pack.hpp"
#include "loops/algorithm/early.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/schedule/block_mapped.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>
#include <optional>

namespace loops::spmm_detail {

/// Prepared for matrices like one: rows that are whole packs are read where they are, and so is a
/// single column; any other matrix is copied, by every call of `of`, into rows of whole packs, with
/// zeros behind them. Who takes `AnyRows` reads rows however long they are, and copies columns
/// only.
template <class Exec, class V, int Columns, bool AnyRows = false>
class packed_rows {
  using copy_plan = tile_plan<Exec, schedule::block_mapped, uniform, V, piece_shape>;

 public:
  packed_rows(const Exec& exec, const dense_view<const V>& like, reuse uses) : order_(like.order) {
    if (as_it_is(like)) return;
    constexpr int whole = AnyRows ? 1 : Columns;
    stride_ = ceil_div(like.cols, whole) * whole;
    width_bits_ = width_bits_for(stride_);
    across_ = ceil_div(stride_, 1 << width_bits_);
    copied_ = array<V>(static_cast<std::size_t>(like.rows) * static_cast<std::size_t>(stride_),
                       exec.memory());
    const std::int64_t down = ceil_div(like.rows, piece_size >> width_bits_);
    copy_.emplace(exec, schedule::block_mapped{}, uniform(down * across_, 1), uses);
  }

  /// Where the rows of `m` will be.
  [[nodiscard]] dense_view<const V> place_of(const dense_view<const V>& m) const {
    if (as_it_is(m)) return one_column(m) ? in_rows(m) : m;
    return {copied_.data(), m.rows, m.cols, stride_, layout::row_major};
  }
  /// Rows of whole packs with the elements of `m`. Throws: invalid_argument when `m` would have to
  /// be copied and there is no room for that.
  dense_view<const V> of(const dense_view<const V>& m, const char* name) const {
    if (as_it_is(m)) return place_of(m);
    if (!copy_ || m.order != order_) refuse_otherwise(name);
    if (order_ == layout::row_major) {
      copy<layout::row_major>(m);
    } else {
      copy<layout::column_major>(m);
    }
    return place_of(m);
  }

  [[nodiscard]] std::size_t bytes() const {
    return copied_.size() * sizeof(V) + (copy_ ? copy_->bytes() : 0);
  }

 private:
  template <layout From>
  void copy(const dense_view<const V>& m) const {
    V* const to = const_cast<V*>(copied_.data());
    copy_->executor().template launch_early<piece_shape>(
        copy_->blocks(),
        loops::detail::early{copy_squares<typename copy_plan::bound_type, V, From>{
            copy_->bound_schedule(), m, to, stride_, stride_, across_, width_bits_}});
  }
  static bool one_column(const dense_view<const V>& m) {
    return Columns == 1 && m.order == layout::column_major && m.cols == 1;
  }
  /// A column as rows of one element.
  static dense_view<const V> in_rows(const dense_view<const V>& m) {
    return {m.data, m.rows, 1, 1, layout::row_major};
  }
  static bool as_it_is(const dense_view<const V>& m) {
    return m.rows == 0 || m.cols == 0 || one_column(m) ||
           (AnyRows ? m.order == layout::row_major : in_packs<Columns>(m));
  }

  layout order_;
  std::int64_t stride_ = 0;
  std::int64_t across_ = 0;
  int width_bits_ = 0;
  array<V> copied_;
  std::optional<copy_plan> copy_;
};

}  // namespace loops::spmm_detail
