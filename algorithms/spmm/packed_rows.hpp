// SPDX-License-Identifier: Apache-2.0
/// A dense matrix as rows that can be read in packs: as it is, or copied.
#pragma once

#include "algorithms/spmm/pack.hpp"
#include "loops/algorithm/for_each_atom.hpp"
#include "loops/schedule/nonzero_split.hpp"
#include "loops/work/uniform.hpp"

#include <cstdint>
#include <optional>

namespace loops::spmm_detail {

/// Prepared for matrices like one: rows that are whole packs are read where they are; any other
/// matrix is copied, by every call of `of`, into rows of whole packs, with zeros behind them.
template <class Exec, class V, int Columns>
class packed_rows {
  using copy_plan = tile_plan<Exec, schedule::nonzero_split, uniform, V>;

 public:
  packed_rows(const Exec& exec, const dense_view<const V>& like, reuse uses) : order_(like.order) {
    if (in_packs<Columns>(like) || like.rows == 0 || like.cols == 0) return;
    const std::int64_t packs = ceil_div(like.cols, Columns);
    stride_ = packs * Columns;
    copied_ = array<V>(static_cast<std::size_t>(like.rows) * static_cast<std::size_t>(stride_),
                       exec.memory());
    const uniform work =
        like.order == layout::rows ? uniform(like.rows, packs) : uniform(packs, like.rows);
    copy_.emplace(exec, schedule::nonzero_split{}, work, uses);
  }

  /// Rows of whole packs with the elements of `m`. Throws: invalid_argument when `m` would have to
  /// be copied and there is no room for that.
  dense_view<const V> of(const dense_view<const V>& m, const char* name) const {
    if (in_packs<Columns>(m) || m.rows == 0 || m.cols == 0) return m;
    if (!copy_ || m.order != order_)
      throw error(errc::invalid_argument, std::string(name) +
                                              " lies otherwise than the one the plan was made for: "
                                              "make a plan for this one");
    V* const to = const_cast<V*>(copied_.data());
    for_each_atom(*copy_, copy_pack<V, Columns>{m, to, stride_});
    return {to, m.rows, m.cols, stride_, layout::rows};
  }

  [[nodiscard]] std::size_t bytes() const {
    return copied_.size() * sizeof(V) + (copy_ ? copy_->bytes() : 0);
  }

 private:
  layout order_;
  std::int64_t stride_ = 0;
  array<V> copied_;
  std::optional<copy_plan> copy_;
};

}  // namespace loops::spmm_detail
