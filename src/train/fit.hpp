// SPDX-License-Identifier: Apache-2.0
/// Makes a selector from a table: both trees, the forecasts in their leaves, and the costs.
#pragma once

#include "loops/select/selector.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "train/grow.hpp"
#include "train/table.hpp"

namespace loops::train {

/// A tree with its data.
struct owned_tree {
  std::vector<select::node> nodes;
  std::vector<select::leaf> leaves;
  std::vector<select::forecast> forecasts;
  [[nodiscard]] select::tree view() const { return {nodes, leaves, forecasts}; }
};

/// A selector with its data. `view()` is valid while it lives and is not moved.
struct model {
  std::string device;
  std::string basis;
  bool proved = false;
  select::selector numbers;                  ///< all that is not a span
  std::vector<std::string> names;            ///< of the candidates, as `select::candidate::name`
  std::vector<select::candidate> schedules;  ///< without their names
  owned_tree known;
  owned_tree gathered;
  [[nodiscard]] select::selector view() const;
};

/// How a model is made.
struct fitting {
  growth known{3, 8};
  growth gathered{4, 6};
  int least_groups = 3;   ///< that a leaf needs to be trusted
  double caution = 0.05;  ///< weight of the worst row of a leaf beside the mean
  int folds = 10;         ///< for what the pass over the tiles would be worth
};

/// What a candidate took for a row, and its plan: those of the column it amounts to there.
[[nodiscard]] double us_of(const table& t, const row& r, const select::candidate& c,
                           std::string_view name, bool looked);
[[nodiscard]] double plan_us_of(const table& t, const row& r, const select::candidate& c,
                                std::string_view name, bool looked);

/// The columns are the schedules to choose from. Throws: `invalid_argument` without a row, or
/// without merge_path among the columns.
[[nodiscard]] model fit(const table& t, const fitting& how);

/// The limits of growth that lose least when whole groups are held out of `t`, or up to `slack` of
/// that more: the ones of the smallest trees. Throws: as `fit`.
[[nodiscard]] fitting tune(const table& t, fitting how, double slack = 0);

/// The fold that a group belongs to, by hash.
[[nodiscard]] int fold_of(const std::string& group, int folds);

}  // namespace loops::train
