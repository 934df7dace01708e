// SPDX-License-Identifier: Apache-2.0
/// Leaves out of a menu what is never the best, so that choosing looks at less.
#pragma once

#include <cstddef>
#include <vector>

#include "train/gemm_fit.hpp"
#include "train/gemm_results.hpp"

namespace loops::train {

/// The lines worth keeping, in their order: those that were fastest on a measured product, or that
/// the fitted costs choose for one of thousands of products of sides from 128 to 8192, of all lines
/// or of `few` of them that somebody has to do with. Of more than `most`, those that were it most
/// often.
[[nodiscard]] std::vector<int> worthwhile_lines(const gemm_results& r, const gemm_fit& fit,
                                                std::size_t most, const std::vector<int>& few = {});

/// Leaves only these lines in the results and in what was fitted to them. Requires: the lines are
/// in order.
void keep_lines(gemm_results& r, gemm_fit& fit, const std::vector<int>& lines);

}  // namespace loops::train
