// SPDX-License-Identifier: Apache-2.0
/// Room for rows of C, which are then turned into columns.
#pragma once

#include "algorithms/spmm/copy_squares.hpp"
#include "loops/algorithm/plan.hpp"
#include "loops/execution/memory.hpp"
#include "loops/format/transposed.hpp"
#include "loops/schedule/block_mapped.hpp"
#include "loops/work/uniform.hpp"

#include <cstddef>
#include <cstdint>

namespace loops::spmm_detail {

/// A wide row of C that lies by columns is stored element by element, each on a line of its own.
/// Rows stored as rows and turned afterwards move C twice more, and whole lines each time.
template <class Exec, class V, int Columns>
class turned_rows {
  using copy_plan = tile_plan<Exec, schedule::block_mapped, uniform, V, piece_shape>;
  using kernel = copy_squares<typename copy_plan::bound_type, V, layout::column_major>;

 public:
  turned_rows(const Exec& exec, std::int64_t rows, std::int64_t cols, reuse uses)
      : rows_(rows),
        cols_(cols),
        stride_(ceil_div(cols, Columns) * Columns),
        width_bits_(width_bits_for(rows)),
        across_(ceil_div(rows, 1 << width_bits_)),
        kept_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride_), exec.memory()),
        copy_(exec, schedule::block_mapped{},
              uniform(ceil_div(cols, piece_size >> width_bits_) * across_, 1), uses) {}

  /// Where the rows go: as many whole packs as hold the columns of C.
  [[nodiscard]] dense_view<V> rows() const {
    return {const_cast<V*>(kept_.data()), rows_, stride_, stride_, layout::row_major};
  }
  /// Writes them as the columns of `c`.
  void turn_into(const dense_view<V>& c) const {
    const dense_view<const V> kept{kept_.data(), rows_, cols_, stride_, layout::row_major};
    copy_.executor().template launch<piece_shape>(
        copy_.blocks(), kernel{copy_.bound_schedule(), transposed(kept), c.data, c.stride, rows_,
                               across_, width_bits_});
  }
  [[nodiscard]] std::size_t bytes() const { return kept_.size() * sizeof(V) + copy_.bytes(); }

 private:
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t stride_;
  int width_bits_;
  std::int64_t across_;
  array<V> kept_;
  copy_plan copy_;
};

}  // namespace loops::spmm_detail
