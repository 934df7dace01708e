// SPDX-License-Identifier: Apache-2.0
/// From rows to examples, from examples to trees, from leaves to forecasts.
#include "train/fit.hpp"

#include "loops/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "train/give_way.hpp"

namespace loops::train {

namespace {

/// A loss beyond this counts as this: a schedule is out of the question either way.
constexpr double greatest_loss = 3;

/// Requires: a value at least.
double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  const double at = q * static_cast<double>(v.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, v.size() - 1);
  return v[below] + (at - static_cast<double>(below)) * (v[above] - v[below]);
}

double best_of(const row& r) {
  return *std::min_element(r.us.begin(), r.us.end());
}

/// A row as a selector knows it.
select::facts facts_of(const row& r, bool looked) {
  return looked ? r.given : select::by_size(r.given);
}

/// The column that a candidate amounts to for a row: that of its lanes, or of the nearest number
/// that was measured; its own where what would take its place was not.
std::size_t column_of(const table& t, const row& r, const select::candidate& c,
                      std::string_view name, bool looked) {
  std::size_t best = t.columns.size();
  double nearest = std::numeric_limits<double>::infinity();
  const select::facts x = facts_of(r, looked);
  const select::substitute* other = select::substitute_of(c, x);
  select::candidate named = c;
  named.name = name;
  const std::string_view taken = select::kernels_of(named, x);
  const double wanted = std::log2(std::max(1, select::lanes_of(named, x, looked)));
  const bool fitted = c.lanes == select::candidate::fitted || select::lanes_uncut(named, x) > 0;
  for (std::size_t i = 0; i < t.columns.size(); ++i) {
    if (other ? !other->by_lanes : !fitted) {
      if (t.columns[i].name == taken) best = i;
    } else if (kernels_of(t.columns[i].name) == taken) {
      const double distance = std::abs(std::log2(t.columns[i].lanes) - wanted);
      if (distance < nearest) best = i;
      nearest = std::min(nearest, distance);
    }
  }
  require(best < t.columns.size(), errc::invalid_argument, "a candidate has no column");
  if (other && !counts_as_measured(r, r.us[best])) {
    select::candidate alone = c;
    alone.instead = {};
    return column_of(t, r, alone, name, looked);
  }
  return best;
}

double loss_of(const model& m, const table& t, const row& r, std::size_t k, bool looked) {
  return std::min(greatest_loss, us_of(t, r, m.schedules[k], m.names[k], looked) / best_of(r) - 1);
}

/// Nanoseconds per atom for a lane, or for the lanes of a group, with a long tile to themselves.
/// Where the longest tile holds everybody up, the time is that; elsewhere it is less, and the least
/// of what was seen is the best guess.
double step_of(const table& t) {
  std::vector<double> held_up;
  std::vector<double> bounds;
  for (const row& r : t.rows)
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      if (t.columns[c].lanes == 0) continue;
      const double steps = static_cast<double>(r.given.seen.longest) / t.columns[c].lanes;
      if (steps < 500) continue;
      bounds.push_back(1e3 * r.us[c] / steps);
      if (r.us[c] > 5 * best_of(r)) held_up.push_back(bounds.back());
    }
  if (!held_up.empty()) return quantile(held_up, 0.5);
  return bounds.empty() ? 50 : quantile(bounds, 0.1);
}

std::vector<example> examples_of(const model& m, const table& t, bool looked) {
  const select::selector s = m.view();
  std::vector<example> out;
  for (const row& r : t.rows) {
    example e;
    e.matrix = r.matrix;
    const int features = looked ? select::all_features : select::known_features;
    for (int f = 0; f < features; ++f)
      e.features.push_back(select::value_of(static_cast<select::feature>(f), r.given));
    for (std::size_t k = 0; k < m.schedules.size(); ++k) {
      // What the selector would refuse is no help to learn from.
      const bool refused = select::can_go_wrong(s, m.schedules[k], facts_of(r, looked), looked);
      e.costs.push_back(refused ? greatest_loss : loss_of(m, t, r, k, looked));
    }
    out.push_back(std::move(e));
  }
  return out;
}

/// A mean to which the worst adds.
class cautious_mean {
 public:
  void add(double loss) {
    sum_ += loss;
    count_ += 1;
    worst_ = std::max(worst_, loss);
  }
  [[nodiscard]] double value(double caution) const {
    return count_ > 0 ? sum_ / count_ * (1 - caution) + worst_ * caution : 0;
  }

 private:
  double sum_ = 0;
  double count_ = 0;
  double worst_ = 0;
};

/// Fills the leaves of a tree from the rows that end there.
owned_tree furnish(const model& m, const table& t, const grown& g, const fitting& how,
                   bool looked) {
  const select::selector s = m.view();
  owned_tree out;
  out.nodes = g.nodes;
  for (int at = 0; at < g.leaves; ++at) {
    std::vector<std::size_t> rows;
    std::set<std::string> matrices;
    std::set<std::string> groups;
    double log_best = 0;
    for (std::size_t i = 0; i < t.rows.size(); ++i) {
      if (g.leaf_of[i] != at) continue;
      const row& r = t.rows[i];
      rows.push_back(i);
      matrices.insert(r.matrix);
      groups.insert(r.group);
      log_best += std::log(best_of(r) / select::yardstick_us(s, r.given));
    }
    select::leaf l;
    l.matrices = static_cast<int>(matrices.size());
    l.groups = static_cast<int>(groups.size());
    l.sure = l.groups >= how.least_groups;
    l.best = std::exp(log_best / static_cast<double>(rows.size()));
    out.leaves.push_back(l);
    for (std::size_t k = 0; k < m.schedules.size(); ++k) {
      std::vector<double> times;
      cautious_mean loss;
      for (const std::size_t i : rows) {
        const row& r = t.rows[i];
        times.push_back(us_of(t, r, m.schedules[k], m.names[k], looked) /
                        select::yardstick_us(s, r.given));
        loss.add(loss_of(m, t, r, k, looked));
      }
      out.forecasts.push_back({quantile(times, 0.05), quantile(times, 0.5), quantile(times, 0.95),
                               loss.value(how.caution)});
    }
  }
  return out;
}

model skeleton(const table& t) {
  require(!t.rows.empty(), errc::invalid_argument, "a model is fitted to one row at least");
  require(std::any_of(t.columns.begin(), t.columns.end(),
                      [](const column& c) { return c.name == "merge_path"; }),
          errc::invalid_argument,
          "a model has to choose from merge_path too, which it takes when it is unsure; keep it "
          "among the columns");
  model m;
  m.device = t.device.name;
  m.basis = t.basis;
  m.proved = true;
  std::vector<double> best;
  for (const row& r : t.rows) best.push_back(best_of(r));
  m.numbers.launch_us = quantile(best, 0.05);
  m.numbers.gb_per_s = t.copy_gb_per_s;
  m.numbers.gather_us = t.gather_us;
  m.numbers.gather_ns = t.gather_ns;
  m.numbers.copy_us = t.copy_us;
  m.numbers.step_ns = step_of(t);
  bool fitted = false;
  for (const column& c : t.columns) {
    if (kernels_of(c.name) == "group_mapped" && t.device.shape.threads > 1) {
      if (fitted) continue;
      fitted = true;
      for (const int shift : {-2, -1, 0, 1, 2}) {
        m.names.emplace_back("group_mapped");
        m.schedules.push_back({{}, select::candidate::fitted, shift, c.plan_us});
      }
      continue;
    }
    if (takes_a_place(kernels_of(c.name))) continue;
    m.names.push_back(c.name);
    m.schedules.push_back({{}, c.lanes, 0, c.plan_us});
    if (c.name == "merge_path") m.numbers.safe = static_cast<int>(m.names.size()) - 1;
  }
  for (std::size_t k = 0; k < m.schedules.size(); ++k) let_give_way(m.schedules[k], m.names[k], t);
  return m;
}

owned_tree tree_of(const model& m, const table& all, const fitting& how, bool looked) {
  const table t = with_rows(all, [](const row& r) { return !r.for_limits; });
  require(!t.rows.empty(), errc::invalid_argument, "all rows are for limits: a tree has none");
  const grown g = grow(examples_of(m, t, looked), looked ? how.gathered : how.known);
  return furnish(m, t, g, how, looked);
}

bool teaches_trees(const table& t) {
  return std::any_of(t.rows.begin(), t.rows.end(), [](const row& r) { return !r.for_limits; });
}

/// Tells the known tree's leaves what a pass over the tiles leaves to lose: as much as the gathered
/// tree loses on groups that it was not trained on, and the plans that it would have made.
void inform(model& m, const table& t, const fitting& how) {
  std::vector<cautious_mean> loss(m.known.leaves.size());
  std::vector<cautious_mean> plan_us(m.known.leaves.size());
  for (int fold = 0; fold < how.folds; ++fold) {
    const auto held_out = [&](const row& r) { return fold_of(r.group, how.folds) == fold; };
    const table rest = with_rows(t, [&](const row& r) { return !held_out(r); });
    if (!teaches_trees(rest) || rest.rows.size() == t.rows.size()) continue;
    model other = skeleton(rest);
    other.known = m.known;
    other.gathered = tree_of(other, rest, how, true);
    const select::selector s = other.view();
    for (std::size_t i = 0; i < t.rows.size(); ++i) {
      const row& r = t.rows[i];
      if (!held_out(r) || r.for_limits) continue;
      select::facts x = r.given;
      x.uses = 1'000'000'000;
      const select::decision d = select::decide_gathered(s, x);
      const auto leaf = static_cast<std::size_t>(d.known_leaf);
      const auto k = static_cast<std::size_t>(d.choice);
      loss[leaf].add(loss_of(m, t, r, k, true));
      plan_us[leaf].add(plan_us_of(t, r, m.schedules[k], m.names[k], true));
    }
  }
  for (std::size_t l = 0; l < loss.size(); ++l) {
    m.known.leaves[l].informed = loss[l].value(how.caution);
    m.known.leaves[l].informed_plan_us = plan_us[l].value(0);
  }
}

/// The average loss of one stage on groups that it was not trained on.
double held_out_loss(const table& t, const fitting& how, bool looked) {
  double sum = 0;
  double count = 0;
  for (int fold = 0; fold < how.folds; ++fold) {
    const auto held_out = [&](const row& r) { return fold_of(r.group, how.folds) == fold; };
    const table rest = with_rows(t, [&](const row& r) { return !held_out(r); });
    if (!teaches_trees(rest) || rest.rows.size() == t.rows.size()) continue;
    model m = skeleton(rest);
    (looked ? m.gathered : m.known) = tree_of(m, rest, how, looked);
    (looked ? m.known : m.gathered) = looked ? m.gathered : m.known;
    const select::selector s = m.view();
    for (std::size_t i = 0; i < t.rows.size(); ++i) {
      if (!held_out(t.rows[i]) || t.rows[i].for_limits) continue;
      select::facts x = t.rows[i].given;
      x.uses = 1'000'000'000;
      const auto d = looked ? select::decide_gathered(s, x) : select::decide_known(s, x);
      sum += loss_of(m, t, t.rows[i], static_cast<std::size_t>(d.choice), looked);
      count += 1;
    }
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

double us_of(const table& t, const row& r, const select::candidate& c, std::string_view name,
             bool looked) {
  return r.us[column_of(t, r, c, name, looked)];
}

double plan_us_of(const table& t, const row& r, const select::candidate& c, std::string_view name,
                  bool looked) {
  return r.plan_us[column_of(t, r, c, name, looked)];
}

select::selector model::view() const {
  select::selector s = numbers;
  s.device = device;
  s.basis = basis;
  s.proved = proved;
  s.schedules = schedules;
  s.known = known.view();
  s.gathered = gathered.view();
  return s;
}

int fold_of(const std::string& group, int folds) {
  // Other bits than those that set the test side apart.
  return static_cast<int>((hash_of(group) >> 20) % static_cast<std::uint64_t>(folds));
}

model fit(const table& t, const fitting& how) {
  model m = skeleton(t);
  m.known = tree_of(m, t, how, false);
  m.gathered = tree_of(m, t, how, true);
  inform(m, t, how);
  return m;
}

fitting tune(const table& t, fitting how, double slack) {
  for (const bool looked : {false, true}) {
    growth& limits = looked ? how.gathered : how.known;
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::pair<growth, double>> tried;
    // From small trees to large ones: the first that is good enough is the one to read.
    for (const int depth : {1, 2, 3, 4})
      for (const int matrices : {16, 8, 6, 4}) {
        growth g = limits;
        g.depth = depth;
        g.matrices = matrices;
        limits = g;
        tried.emplace_back(g, held_out_loss(t, how, looked));
        least = std::min(least, tried.back().second);
      }
    for (const auto& [g, loss] : tried) {
      limits = g;
      if (loss <= least * (1 + slack)) break;
    }
  }
  return how;
}

}  // namespace loops::train
