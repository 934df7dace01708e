// SPDX-License-Identifier: Apache-2.0
/// Tries every question between two neighbouring values of every feature, best first, then below.
#include "train/grow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>

namespace loops::train {

namespace {

/// Sums over some examples, from which follows how badly one choice for all of them does.
class sums {
 public:
  explicit sums(std::size_t choices) : cost_(choices), square_(choices) {}
  void add(const example& e, double sign) {
    count_ += sign;
    for (std::size_t k = 0; k < cost_.size(); ++k) {
      cost_[k] += sign * e.costs[k];
      square_[k] += sign * e.costs[k] * e.costs[k];
    }
  }
  [[nodiscard]] std::size_t best() const {
    return static_cast<std::size_t>(std::min_element(cost_.begin(), cost_.end()) - cost_.begin());
  }
  [[nodiscard]] double least() const { return cost_[best()]; }
  /// What the best single choice loses, and a little for how much the costs vary: where no question
  /// changes the choice, the spread tells which one brings that closer.
  [[nodiscard]] double impurity(double evenness) const {
    double spread = 0;
    for (std::size_t k = 0; k < cost_.size(); ++k)
      if (count_ > 0) spread += std::max(0.0, square_[k] - cost_[k] * cost_[k] / count_);
    return least() + evenness * spread / static_cast<double>(cost_.size());
  }

 private:
  double count_ = 0;
  std::vector<double> cost_;
  std::vector<double> square_;
};

class grower {
 public:
  grower(const std::vector<example>& examples, const growth& limits)
      : examples_(examples), limits_(limits), choices_(examples.front().costs.size()) {
    out_.leaf_of.resize(examples.size());
  }

  grown run() {
    std::vector<std::size_t> all(examples_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    least_gain_ = limits_.gain * static_cast<double>(examples_.size());
    below(all, 0);
    return std::move(out_);
  }

 private:
  struct question {
    double left = HUGE_VAL;  ///< impurity of both sides
    std::size_t feature = 0;
    double at_most = 0;
  };

  [[nodiscard]] sums sum_of(const std::vector<std::size_t>& rows) const {
    sums s(choices_);
    for (const std::size_t r : rows) s.add(examples_[r], 1);
    return s;
  }

  /// Adds the lines for these rows; returns the choice when all of them came to the same one.
  int below(const std::vector<std::size_t>& rows, int depth) {
    const sums here = sum_of(rows);
    const question q = depth < limits_.depth ? best_question(rows, here) : question{};
    const double gain = here.impurity(limits_.evenness) - q.left;
    if (!(gain > least_gain_)) return close(rows, here);
    std::vector<std::size_t> yes;
    std::vector<std::size_t> no;
    for (const std::size_t r : rows)
      (examples_[r].features[q.feature] <= q.at_most ? yes : no).push_back(r);
    const std::size_t line = out_.nodes.size();
    const int leaves = out_.leaves;
    out_.nodes.push_back({static_cast<select::feature>(q.feature), q.at_most, 0});
    const int first = below(yes, depth + 1);
    out_.nodes[line].other = static_cast<int>(out_.nodes.size());
    const int second = below(no, depth + 1);
    if (first != second || first < 0) return -1;
    // Both sides choose the same: the question was for nothing.
    out_.nodes.resize(line);
    out_.leaves = leaves;
    return close(rows, here);
  }

  int close(const std::vector<std::size_t>& rows, const sums& here) {
    out_.nodes.push_back({select::feature::none, 0, out_.leaves});
    for (const std::size_t r : rows) out_.leaf_of[r] = out_.leaves;
    ++out_.leaves;
    return static_cast<int>(here.best());
  }

  [[nodiscard]] question best_question(const std::vector<std::size_t>& rows,
                                       const sums& here) const {
    question best;
    for (std::size_t f = 0; f < examples_.front().features.size(); ++f) {
      std::vector<std::size_t> sorted = rows;
      const auto value = [&](std::size_t r) { return examples_[r].features[f]; };
      std::stable_sort(sorted.begin(), sorted.end(),
                       [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
      std::map<std::string, int> right_of;
      for (const std::size_t r : sorted) ++right_of[examples_[r].matrix];
      std::map<std::string, int> left_of;
      sums left(choices_);
      sums right = here;
      for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
        const example& moved = examples_[sorted[i]];
        left.add(moved, 1);
        right.add(moved, -1);
        ++left_of[moved.matrix];
        if (--right_of[moved.matrix] == 0) right_of.erase(moved.matrix);
        const double low = value(sorted[i]);
        const double high = value(sorted[i + 1]);
        if (!(low < high) || static_cast<int>(left_of.size()) < limits_.matrices ||
            static_cast<int>(right_of.size()) < limits_.matrices)
          continue;
        const double both = left.impurity(limits_.evenness) + right.impurity(limits_.evenness);
        if (both < best.left - 1e-12) best = {both, f, round_between(low, high)};
      }
    }
    return best;
  }

  const std::vector<example>& examples_;
  growth limits_;
  std::size_t choices_;
  double least_gain_ = 0;
  grown out_;
};

}  // namespace

double round_between(double low, double high) {
  const double middle = low > 0 ? std::sqrt(low * high) : low + (high - low) / 2;
  for (int digits = 1; digits < 17; ++digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, middle);
    const double rounded = std::strtod(text, nullptr);
    if (rounded >= low && rounded < high) return rounded;
  }
  return low;
}

grown grow(const std::vector<example>& examples, const growth& limits) {
  return grower(examples, limits).run();
}

}  // namespace loops::train
