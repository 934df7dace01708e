// SPDX-License-Identifier: Apache-2.0
/// Holds a selector against the best that could be chosen, with everything it costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/fit.hpp"

namespace loops::train {

/// Whether a group is held out of training: a third of them, by hash. Generators never are.
[[nodiscard]] bool is_tested(const row& r);

/// How one way of choosing did on some rows, plans and selection included.
struct score {
  std::string name;
  double total_us = 0;        ///< per use, over all rows
  double geometric_mean = 1;  ///< of the oracle's time over this one's
  double total = 1;           ///< time over the oracle's
  double worst = 1;           ///< time over the oracle's, of the worst row
  double close = 0;           ///< share of the rows within 5 % of the oracle
  double looked = 0;          ///< share of the rows whose tiles were looked at
};

/// Oracle, selector, known-only, gathered-only, and each of `singles` for every row, when a plan is
/// used `uses` times. The oracle takes the best of all columns and pays for its plan only. Of rows
/// that were measured in several rounds it chooses by one half of them, and all are timed by the
/// other, in both ways: the least of many times that are disturbed is nobody's.
[[nodiscard]] std::vector<score> judge(const model& m, const table& t, std::int64_t uses,
                                       const std::vector<std::string>& singles);

/// The column that is best for all rows alike, in geometric mean.
[[nodiscard]] std::string best_single(const table& t, std::int64_t uses);

/// Each row judged by a selector that was trained without its group and, of real matrices, with the
/// generated ones: `folds` models. Also how many of the times fell into the forecast interval.
struct cross_validation {
  std::vector<std::vector<score>> by_uses;  ///< for each of `uses`, as `judge` gives them
  double covered = 0;
};
[[nodiscard]] cross_validation cross_validate(const table& t,
                                              const std::vector<std::string>& kernels,
                                              const fitting& how,
                                              const std::vector<std::int64_t>& uses,
                                              const std::vector<std::string>& singles);

}  // namespace loops::train
