// SPDX-License-Identifier: Apache-2.0
/// Plays every policy over every row.
#include "train/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace loops::train {

namespace {

double cost(const row& r, std::size_t column, std::int64_t uses) {
  return r.us[column] + r.plan_us[column] / static_cast<double>(uses);
}

/// The column that is best by `known`.
std::size_t oracle(const row& known, std::int64_t uses) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < known.us.size(); ++c)
    if (cost(known, c, uses) < cost(known, best, uses)) best = c;
  return best;
}

/// The row with the times of one half of its rounds.
row half_of(const row& r, std::size_t half) {
  row out = r;
  out.us = r.halves[half];
  return out;
}

/// Sums up one policy, row by row.
class tally {
 public:
  explicit tally(std::string name) { s_.name = std::move(name); }
  void add(double us, double best, bool looked, double rows) {
    s_.total_us += rows * us;
    best_ += rows * best;
    logs_ += rows * std::log(us / best);
    s_.worst = std::max(s_.worst, us / best);
    close_ += us <= 1.05 * best ? rows : 0;
    looked_ += looked ? rows : 0;
    rows_ += rows;
  }
  [[nodiscard]] score result() const {
    score s = s_;
    if (rows_ == 0) return s;
    s.geometric_mean = std::exp(-logs_ / rows_);
    s.total = s.total_us / best_;
    s.close = close_ / rows_;
    s.looked = looked_ / rows_;
    return s;
  }

 private:
  score s_;
  double best_ = 0;
  double logs_ = 0;
  double close_ = 0;
  double looked_ = 0;
  double rows_ = 0;
};

/// All policies at once.
class panel {
 public:
  explicit panel(std::vector<std::string> singles) : singles_(std::move(singles)) {
    for (const char* name : {"oracle", "selector", "known only", "gathered only"})
      tallies_.emplace_back(name);
    for (const std::string& name : singles_) tallies_.emplace_back("always " + name);
  }

  void add(const model& m, const table& t, const row& r, std::int64_t uses) {
    if (r.halves[0].empty()) {
      add(m, t, r, r, uses, 1);
    } else {
      for (std::size_t h = 0; h < 2; ++h) add(m, t, half_of(r, h), half_of(r, 1 - h), uses, 0.5);
    }
  }

  [[nodiscard]] std::vector<score> results() const {
    std::vector<score> out;
    for (const tally& t : tallies_) out.push_back(t.result());
    return out;
  }

 private:
  /// Everybody's times are those of `r`; the oracle chooses by those of `known`.
  void add(const model& m, const table& t, const row& r, const row& known, std::int64_t uses,
           double rows) {
    const select::selector s = m.view();
    const double best = cost(r, oracle(known, uses), uses);
    select::facts x = r.given;
    x.uses = uses;
    const auto costs = [&](const select::decision& d) {
      const auto k = static_cast<std::size_t>(d.choice);
      const double once =
          plan_us_of(t, r, m.schedules[k], m.names[k], d.gathered) + (d.gathered ? r.gather_us : 0);
      return us_of(t, r, m.schedules[k], m.names[k], d.gathered) + once / static_cast<double>(uses);
    };
    const select::decision d = select::decide(s, x, [&] { return x.seen; });
    tallies_[0].add(best, best, false, rows);
    tallies_[1].add(costs(d), best, d.gathered, rows);
    tallies_[2].add(costs(select::decide_known(s, x)), best, false, rows);
    tallies_[3].add(costs(select::decide_gathered(s, x)), best, true, rows);
    for (std::size_t i = 0; i < singles_.size(); ++i)
      for (std::size_t c = 0; c < t.columns.size(); ++c)
        if (t.columns[c].name == singles_[i])
          tallies_[4 + i].add(cost(r, c, uses), best, false, rows);
  }

  std::vector<std::string> singles_;
  std::vector<tally> tallies_;
};

}  // namespace

bool is_tested(const row& r) {
  return !r.generated && hash_of(r.group) % 3 == 0;
}

std::vector<score> judge(const model& m, const table& t, std::int64_t uses,
                         const std::vector<std::string>& singles) {
  panel p(singles);
  for (const row& r : t.rows) p.add(m, t, r, uses);
  return p.results();
}

std::string best_single(const table& t, std::int64_t uses) {
  std::string name;
  double least = HUGE_VAL;
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    double logs = 0;
    for (const row& r : t.rows) logs += std::log(cost(r, c, uses));
    if (logs >= least) continue;
    least = logs;
    name = t.columns[c].name;
  }
  return name;
}

cross_validation cross_validate(const table& t, const std::vector<std::string>& kernels,
                                const fitting& how, const std::vector<std::int64_t>& uses,
                                const std::vector<std::string>& singles) {
  cross_validation out;
  std::vector<panel> panels(uses.size(), panel(singles));
  const auto columns = columns_of(t, kernels);
  double inside = 0;
  double forecasts = 0;
  for (int fold = 0; fold < how.folds; ++fold) {
    const auto held_out = [&](const row& r) {
      return !r.generated && fold_of(r.group, how.folds) == fold;
    };
    const table rest =
        with_columns(with_rows(t, [&](const row& r) { return !held_out(r); }), columns);
    if (rest.rows.empty() || rest.rows.size() == t.rows.size()) continue;
    const model m = fit(rest, tune(rest, how));
    const select::selector s = m.view();
    for (const row& r : t.rows) {
      if (!held_out(r)) continue;
      for (std::size_t u = 0; u < uses.size(); ++u) panels[u].add(m, t, r, uses[u]);
      const auto leaf = static_cast<std::size_t>(select::leaf_of(s.gathered.nodes, r.given));
      for (std::size_t k = 0; k < m.schedules.size(); ++k) {
        const auto& f = s.gathered.forecasts[leaf * m.schedules.size() + k];
        const double time =
            us_of(t, r, m.schedules[k], m.names[k], true) / select::yardstick_us(s, r.given);
        inside += time >= f.low && time <= f.high ? 1 : 0;
        forecasts += 1;
      }
    }
  }
  for (const panel& p : panels) out.by_uses.push_back(p.results());
  out.covered = forecasts > 0 ? inside / forecasts : 0;
  return out;
}

}  // namespace loops::train
