// SPDX-License-Identifier: Apache-2.0
/// Tiles given by an array of offsets: rows of CSR, columns of CSC, ragged batches.
#pragma once

#include "loops/format/formats.hpp"
#include "loops/work/work.hpp"

namespace loops {

/// Tile t owns atoms [offsets[t], offsets[t + 1]); `offsets` has tiles + 1 elements.
template <class Offset>
class segments {
 public:
  segments() = default;
  LOOPS_HD constexpr segments(const Offset* offsets, std::int64_t tiles, std::int64_t atoms)
      : offsets_(offsets), tiles_(tiles), atoms_(atoms) {}
  [[nodiscard]] LOOPS_HD constexpr std::int64_t tiles() const { return tiles_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t atoms() const { return atoms_; }
  [[nodiscard]] LOOPS_HD constexpr std::int64_t offset(std::int64_t t) const {
    return static_cast<std::int64_t>(offsets_[t]);
  }
  /// Where the tiles + 1 offsets lie.
  [[nodiscard]] LOOPS_HD constexpr const Offset* offsets() const { return offsets_; }

 private:
  const Offset* offsets_ = nullptr;
  std::int64_t tiles_ = 0;
  std::int64_t atoms_ = 0;
};

/// Rows of a CSR matrix as tiles, nonzeros as atoms.
template <class V, class I, class O>
constexpr segments<O> rows_of(const csr_view<V, I, O>& a) {
  return {a.offsets, static_cast<std::int64_t>(a.rows), static_cast<std::int64_t>(a.nonzeros)};
}

/// Columns of a CSC matrix as tiles, nonzeros as atoms.
template <class V, class I, class O>
constexpr segments<O> columns_of(const csc_view<V, I, O>& a) {
  return {a.offsets, static_cast<std::int64_t>(a.cols), static_cast<std::int64_t>(a.nonzeros)};
}

/// Block rows of a BCSR matrix as tiles, blocks as atoms.
template <class V, int R, int C, class I, class O>
constexpr segments<O> block_rows_of(const bcsr_view<V, R, C, I, O>& a) {
  return {a.offsets, ceil_div(static_cast<std::int64_t>(a.rows), R),
          static_cast<std::int64_t>(a.blocks)};
}

static_assert(work<segments<int>>);

}  // namespace loops
