// SPDX-License-Identifier: Apache-2.0
/// How many parts of k a product had better be multiplied in.
#pragma once

#include "algorithms/gemm/engine_list.hpp"
#include "algorithms/gemm/split_product.hpp"
#include "loops/core/numeric.hpp"

#include <cstdint>

namespace loops::gemm_detail {

/// The parts of k that take least, with the launch that adds them, of a problem with too few tiles
/// for so many processors: up to sixteen, and some numbers up to 64, that make no more than two
/// tiles of 64 x 128 for each. `of_parts(problem)`: the forecast of multiplying such parts. In us,
/// as measured on an H200, adding takes 1.5 and 0.25 for a megabyte of sums; each eight parts after
/// the first, which a lane adds one after another, are counted as 0.5, which nobody has measured.
template <class Problem, class Forecast>
engine_forecast cheapest_parts(const Problem& p, int processors, const Forecast& of_parts) {
  constexpr double most_bytes = 17e6;
  engine_forecast best;
  const std::int64_t tiles = ceil_div(p.m(), 64) * ceil_div(p.n(), 128);
  for (std::int64_t parts = 2; parts * tiles <= 2 * processors && parts <= 64;
       parts += parts < 16 ? 1 : parts / 4) {
    const double bytes =
        double(parts * p.m() * row_of_sums(p)) * double(sizeof(typename Problem::sum));
    if (bytes > most_bytes || !can_split(p, parts)) continue;
    const auto [choice, multiplying] =
        of_parts(split_along_k(p, parts, static_cast<typename Problem::sum*>(nullptr)));
    const double rounds = double(ceil_div(parts, 8) - 1);
    const double us = multiplying + 1.5 + 0.25e-6 * bytes + 0.5 * rounds;
    if (us < best.us) best = {{choice.engine, choice.form, 0, static_cast<int>(parts)}, us};
  }
  return best;
}

}  // namespace loops::gemm_detail
