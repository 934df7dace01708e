// SPDX-License-Identifier: Apache-2.0
/// Decision trees as plain data: lines that ask, and leaves that know what was measured there.
#pragma once

#include "loops/select/facts.hpp"

#include <cstdint>
#include <span>

namespace loops::select {

/// A line of a tree. A question sends facts whose feature is at most `at_most` to the next line,
/// and others to line `other`; a leaf (`by` is none) has its number in `other`.
struct node {
  feature by = feature::none;
  double at_most = 0;
  int other = 0;
};

/// What is known of a schedule's time in a leaf: multiples of the yardstick (`yardstick_us`).
struct forecast {
  double low = 0;      ///< nine in ten matrices lie between this …
  double typical = 0;  ///< (the median)
  double high = 0;     ///< … and this
  double loss = 0;     ///< time lost by it on average, over that of the best; rare bad cases count
};

/// What is known of a leaf besides the forecasts of its schedules.
struct leaf {
  int matrices = 0;             ///< different ones that ended here in training
  int groups = 0;               ///< that these belong to
  bool sure = false;            ///< enough of both to trust a schedule that can go wrong
  double best = 1;              ///< time of the best schedule over the yardstick, geometric mean
  double informed = 0;          ///< what would be lost on average after a pass over the tiles …
  double informed_plan_us = 0;  ///< … and what the plan takes on average that is made then
};

/// A tree, its leaves, and for each leaf one forecast per schedule, leaf after leaf.
struct tree {
  std::span<const node> nodes;
  std::span<const leaf> leaves;
  std::span<const forecast> forecasts;
};

/// The number of the leaf where `x` ends. Cost: one comparison per level.
[[nodiscard]] constexpr int leaf_of(std::span<const node> nodes, const facts& x) noexcept {
  std::size_t at = 0;
  while (nodes[at].by != feature::none)
    at = value_of(nodes[at].by, x) <= nodes[at].at_most ? at + 1
                                                        : static_cast<std::size_t>(nodes[at].other);
  return nodes[at].other;
}

/// Whether walking the lines ends for all facts, in a leaf that is there, and asks for no more than
/// the first `features` features.
[[nodiscard]] constexpr bool well_formed(const tree& t, int features, std::size_t schedules) {
  if (t.nodes.empty() || t.forecasts.size() != t.leaves.size() * schedules) return false;
  const int lines = static_cast<int>(t.nodes.size());
  for (int i = 0; i < lines; ++i) {
    const node& n = t.nodes[static_cast<std::size_t>(i)];
    if (n.by == feature::none) {
      if (n.other < 0 || n.other >= static_cast<int>(t.leaves.size())) return false;
    } else if (static_cast<int>(n.by) >= features || n.other <= i + 1 || n.other >= lines) {
      return false;
    }
  }
  return true;
}

}  // namespace loops::select
