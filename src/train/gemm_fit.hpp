// SPDX-License-Identifier: Apache-2.0
/// Fits the costs of GEMM tiles to measured products.
#pragma once

#include "algorithms/gemm/select/model.hpp"

#include <span>
#include <vector>

namespace loops::train {

/// What one candidate took on one product.
struct gemm_sample {
  select::gemm_size size;
  select::gemm_candidate candidate;  ///< its tile by its place in the table that is fitted
  double us = 0;
};

/// Costs of tiles, as fitted.
struct gemm_fit {
  std::vector<select::gemm_costs> costs;
  double bytes_per_us = 1e30;
  double overlap = 0;
  double typical_error = 0;  ///< median of |predicted / measured - 1|
  double wide_error = 0;     ///< the same, nine in ten are below

  /// `like` with these costs; refers to them.
  [[nodiscard]] select::gemm_table table(const select::gemm_table& like) const;
};

/// Costs that make the model agree with `samples`, by least squares of relative errors in which
/// samples that no costs explain count less, and those far from the best of their product too: what
/// must be told apart is what is nearly best. Costs are never negative. What a tile's own samples
/// do not say is taken from all tiles, in proportion to the area. `like` has the tiles, their
/// workers, the depth of steps and the bytes of elements. Throws: invalid_argument without samples,
/// or when one names a tile that `like` does not have.
[[nodiscard]] gemm_fit fit_gemm(const select::gemm_table& like,
                                std::span<const gemm_sample> samples);

}  // namespace loops::train
