// SPDX-License-Identifier: Apache-2.0
/// Where a GEMM program finds the operands of a tile: one problem, whatever its batch.
#pragma once

#include "algorithms/gemm/problem.hpp"
#include "loops/tile/copy.hpp"

#include <cstdint>

namespace loops {

/// One tile of a product: whose matrices, how large they are, and where in C it begins.
template <class TA, class TB>
struct placed_tile {
  const TA* a;
  std::int64_t a_leading;
  const TB* b;
  std::int64_t b_leading;
  std::int32_t m;
  std::int32_t n;
  std::int32_t k;
  std::int32_t row;
  std::int32_t col;
  bool a_wide;
  bool b_wide;
};

/// The tiles of one `gemm_problem`.
template <class Problem>
class dense_source {
 public:
  using problem_type = Problem;
  using work_type = gemm_tiles;
  using placed = placed_tile<typename Problem::a_type, typename Problem::b_type>;

  dense_source(const Problem& p, const gemm_tiles& t)
      : problem_(p), tiles_(t), a_wide_(by_16_bytes(p.a)), b_wide_(by_16_bytes(p.b)) {}

  /// The operands of tile t.
  [[nodiscard]] LOOPS_HD placed at(std::int64_t t) const {
    const tile_place p = tiles_.at(t);
    const auto a = problem_.a.of_batch(p.batch);
    const auto b = problem_.b.of_batch(p.batch);
    return {a.data,
            a.leading,
            b.data,
            b.leading,
            tiles_.m(),
            tiles_.n(),
            static_cast<std::int32_t>(problem_.k_of(p.batch)),
            p.row * tiles_.shape().m,
            p.col * tiles_.shape().n,
            a_wide_,
            b_wide_};
  }
  /// What becomes of the sums of tile t.
  [[nodiscard]] LOOPS_HD typename Problem::epilogue_type epilogue(std::int64_t t) const {
    return problem_.epilogue.of_batch(tiles_.at(t).batch);
  }

 private:
  Problem problem_;
  gemm_tiles tiles_;
  bool a_wide_;
  bool b_wide_;
};

namespace gemm_detail {

/// The window of an operand that `Plan`'s tile covers, `outer` rows of A (columns of B) and `k`
/// steps along the sum from the start; `outers` and `ks` are the operand's sizes.
template <class Plan, class T>
LOOPS_HD tile::window<T> window_of(const T* data, std::int64_t leading, std::int32_t outer,
                                   std::int32_t k, std::int32_t outers, std::int32_t ks,
                                   bool wide) {
  if constexpr (Plan::k_contiguous) {
    return {data + outer * leading + k, leading, outers - outer, ks - k, wide};
  } else {
    return {data + k * leading + outer, leading, ks - k, outers - outer, wide};
  }
}

}  // namespace gemm_detail

}  // namespace loops
