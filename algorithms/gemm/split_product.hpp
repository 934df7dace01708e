// SPDX-License-Identifier: Apache-2.0
/// A product as a batch: each over an equal part of k, for somebody to add.
#pragma once

#include "algorithms/gemm/matrix.hpp"
#include "algorithms/gemm/problem.hpp"
#include "loops/core/numeric.hpp"

#include <algorithm>
#include <cstdint>

namespace loops::gemm_detail {

/// A problem of the same operands whose C are sums.
template <class Problem>
using parts_problem =
    gemm_problem<typename Problem::a_type, Problem::a_order, typename Problem::b_type,
                 Problem::b_order, gemm_epilogue<typename Problem::sum>>;

/// As many sums as are moved at once.
template <class Problem>
inline constexpr int sums_at_once = 16 / int(sizeof(typename Problem::sum));

/// Elements from one row of a part's sums to the next: whole packs.
template <class Problem>
std::int64_t row_of_sums(const Problem& p) {
  return ceil_div(p.n(), sums_at_once<Problem>) * sums_at_once<Problem>;
}

/// Elements of k of each of so many parts but the last, which has what is left: whole lines of 128
/// bytes, as copies of steps begin there.
template <class Problem>
std::int64_t part_of_k(const Problem& p, std::int64_t parts) {
  constexpr std::int64_t line = 128 / std::int64_t(std::min(sizeof(typename Problem::a_type),
                                                            sizeof(typename Problem::b_type)));
  return ceil_div(ceil_div(p.k(), line), parts) * line;
}

/// Whether k has so many parts.
template <class Problem>
bool can_split(const Problem& p, std::int64_t parts) {
  return p.batch() == 1 && p.m() > 0 && p.n() > 0 && p.k() > 0 && parts > 1 &&
         ceil_div(p.k(), part_of_k(p, parts)) == parts && p.m() * row_of_sums(p) <= INT32_MAX;
}

/// The problem as a batch, each product over a part of k; its C are sums, in `room`. Requires:
/// `can_split`.
template <class Problem>
parts_problem<Problem> split_along_k(const Problem& p, std::int64_t parts,
                                     typename Problem::sum* room) {
  const std::int64_t k = part_of_k(p, parts);
  auto a = p.a;
  a.cols = k;
  a.batch_stride = Problem::a_order == layout::row_major ? k : k * a.leading;
  auto b = p.b;
  b.rows = k;
  b.batch_stride = Problem::b_order == layout::column_major ? k : k * b.leading;
  a.batch = b.batch = parts;
  const std::int64_t row = row_of_sums(p);
  const matrix<typename Problem::sum> c(room, p.m(), p.n(), row, parts, p.m() * row);
  return {a, b, {c, chain()}, p.zeros_behind, p.k()};
}

}  // namespace loops::gemm_detail
