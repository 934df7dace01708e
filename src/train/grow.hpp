// SPDX-License-Identifier: Apache-2.0
/// Grows a decision tree that asks for what keeps the lost time small (CART with a cost per row and
/// choice).
#pragma once

#include "loops/select/tree.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace loops::train {

/// A row to learn from.
struct example {
  std::vector<double> features;  ///< in the order of `select::feature`
  std::vector<double> costs;     ///< of each choice: what it loses
  std::string matrix;            ///< rows of one matrix count once where matrices are counted
};

/// When growing stops.
struct growth {
  int depth = 4;
  int matrices = 6;       ///< that a leaf needs
  double gain = 3e-4;     ///< average cost that a question has to save, over all rows
  double evenness = 0.1;  ///< weight of the spread of costs beside their mean
};

/// The questions, and for each example its leaf. Deterministic: ties go to the first feature and
/// the smallest threshold.
struct grown {
  std::vector<select::node> nodes;
  std::vector<int> leaf_of;
  int leaves = 0;
};

/// The roundest number in [low, high): what a person can remember and still parts the two.
[[nodiscard]] double round_between(double low, double high);

/// Requires: at least one example, all with the same number of features and of costs.
[[nodiscard]] grown grow(const std::vector<example>& examples, const growth& limits);

}  // namespace loops::train
