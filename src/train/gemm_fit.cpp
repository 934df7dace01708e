// SPDX-License-Identifier: Apache-2.0
/// Least squares with non-negative costs, reweighted.
#include "train/gemm_fit.hpp"

#include "algorithms/gemm/select/selector.hpp"
#include "loops/core/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

namespace loops::train {

namespace {

using select::gemm_costs;
using select::gemm_effort;
using select::gemm_table;
using select::gemm_unit;
using select::gemm_units;

/// A sample with what its worker does.
struct row {
  gemm_effort effort{};
  double loading_bytes = 0;  ///< microseconds at a rate of one byte per microsecond
  double us = 0;
  double weight = 1;
  int config = 0;
};

using vector = std::array<double, gemm_units>;

/// Normal equations of a weighted least-squares problem.
struct normal_equations {
  std::array<vector, gemm_units> matrix{};
  vector right{};

  void add(const vector& x, double y, double weight) {
    for (std::size_t i = 0; i < gemm_units; ++i) {
      if (x[i] == 0) continue;
      for (std::size_t j = 0; j < gemm_units; ++j) matrix[i][j] += weight * x[i] * x[j];
      right[i] += weight * x[i] * y;
    }
  }
  /// The solution without negative components, by coordinate descent from `start`.
  [[nodiscard]] vector solve(vector start) const {
    for (int sweep = 0; sweep < 300; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < gemm_units; ++i) {
        if (matrix[i][i] <= 0) continue;
        double rest = right[i];
        for (std::size_t j = 0; j < gemm_units; ++j)
          if (j != i) rest -= matrix[i][j] * start[j];
        const double next = std::max(0.0, rest / matrix[i][i]);
        moved = std::max(moved, std::abs(next - start[i]) / (std::abs(next) + 1e-9));
        start[i] = next;
      }
      if (moved < 1e-7) break;
    }
    return start;
  }
};

/// What a cost grows with: the area of the tile, or nothing.
double scale_of(const select::gemm_tiling& t, std::size_t unit) {
  if (unit == static_cast<std::size_t>(gemm_unit::launch)) return 1;
  return static_cast<double>(t.rows) * t.columns / (128 * 128);
}

double predicted(const gemm_table& machine, const vector& costs, const row& r) {
  gemm_effort narrow;
  for (std::size_t u = 0; u < gemm_units; ++u) narrow[u] = static_cast<float>(costs[u]);
  return select::time_of(machine, narrow, r.effort, r.loading_bytes / machine.bytes_per_us);
}

/// One reweighting step's equations: how each row looks now, loading- or computing-bound.
template <class Scale>
void add_row(normal_equations& e, const gemm_table& machine, const vector& now, const row& r,
             const Scale& scale) {
  const double loading = r.loading_bytes / machine.bytes_per_us;
  double computing = 0;
  for (std::size_t u = 1; u < gemm_units; ++u) computing += now[u] * r.effort[u];
  const bool computes = computing > loading;
  const double share = computes ? 1 : machine.overlap;
  const double rest = computes ? machine.overlap * loading : loading;
  vector x;
  for (std::size_t u = 0; u < gemm_units; ++u)
    x[u] = (u == 0 ? 1 : share) * r.effort[u] * scale(u) / r.us;
  const double error = predicted(machine, now, r) / r.us - 1;
  // Huber's weights: beyond 5% an error pulls no harder.
  const double robust = std::abs(error) < 0.05 ? 1 : 0.05 / std::abs(error);
  e.add(x, (r.us - rest) / r.us, r.weight * robust);
}

/// Costs per unit of scale that fit all tiles together.
vector fit_pooled(const gemm_table& machine, const std::vector<row>& rows) {
  vector pooled{};
  pooled[0] = 3;
  pooled[1] = pooled[2] = 0.3;
  for (int step = 0; step < 12; ++step) {
    normal_equations e;
    for (const row& r : rows) {
      const auto& tiling = machine.costs[static_cast<std::size_t>(r.config)].tiling;
      const auto scale = [&](std::size_t u) { return scale_of(tiling, u); };
      vector own;
      for (std::size_t u = 0; u < gemm_units; ++u) own[u] = pooled[u] * scale(u);
      add_row(e, machine, own, r, scale);
    }
    pooled = e.solve(pooled);
  }
  return pooled;
}

/// Costs of one tile, held near `prior` where its rows do not say otherwise.
vector fit_tile(const gemm_table& machine, const std::vector<const row*>& rows,
                const vector& prior) {
  vector costs = prior;
  const auto one = [](std::size_t) { return 1.0; };
  for (int step = 0; step < 12; ++step) {
    normal_equations e;
    for (const row* r : rows) add_row(e, machine, costs, *r, one);
    for (std::size_t u = 0; u < gemm_units; ++u) {
      // A pull as strong as that of one sample that the prior is off by a quarter for.
      const double size = std::max(prior[u], 0.02 * prior[2]);
      vector x{};
      x[u] = 0.25 / size;
      e.add(x, x[u] * prior[u], 1);
    }
    costs = e.solve(costs);
  }
  return costs;
}

struct trial {
  std::vector<vector> costs;
  double loss = HUGE_VAL;
};

trial fit_machine(const gemm_table& machine, const std::vector<row>& rows) {
  const vector pooled = fit_pooled(machine, rows);
  trial t;
  std::vector<std::vector<const row*>> of_tile(machine.costs.size());
  for (const row& r : rows) of_tile[static_cast<std::size_t>(r.config)].push_back(&r);
  double loss = 0;
  double weights = 0;
  for (std::size_t c = 0; c < machine.costs.size(); ++c) {
    vector prior;
    for (std::size_t u = 0; u < gemm_units; ++u)
      prior[u] = pooled[u] * scale_of(machine.costs[c].tiling, u);
    t.costs.push_back(of_tile[c].empty() ? prior : fit_tile(machine, of_tile[c], prior));
    for (const row* r : of_tile[c]) {
      const double error = std::abs(predicted(machine, t.costs.back(), *r) / r->us - 1);
      loss += r->weight * (error < 0.05 ? error * error : 0.05 * (2 * error - 0.05));
      weights += r->weight;
    }
  }
  t.loss = loss / weights;
  return t;
}

std::vector<row> rows_of(const gemm_table& like, std::span<const gemm_sample> samples) {
  std::unordered_map<std::uint64_t, double> best;
  for (const gemm_sample& s : samples) {
    double& b = best.try_emplace(select::key_of(s.size), s.us).first->second;
    b = std::min(b, s.us);
  }
  std::vector<row> rows;
  gemm_table unit = like;
  unit.bytes_per_us = 1;
  for (const gemm_sample& s : samples) {
    const auto c = static_cast<std::size_t>(s.candidate.config);
    if (s.candidate.config < 0 || c >= like.costs.size() || !(s.us > 0))
      throw error(errc::invalid_argument, "a sample of tile " + std::to_string(s.candidate.config) +
                                              " that took " + std::to_string(s.us) +
                                              " µs cannot be: there are " +
                                              std::to_string(like.costs.size()) + " tiles");
    const gemm_costs& costs = like.costs[c];
    row r;
    select::effort_of({costs, s.size, like.depth}, costs, s.size, s.candidate.waves, like.least,
                      r.effort);
    r.loading_bytes = select::loading_us(unit, s.size);
    r.us = s.us;
    r.config = s.candidate.config;
    const double behind = s.us / best.at(select::key_of(s.size));
    r.weight = behind < 1.3 ? 1 : 1.3 / (behind * behind * behind);
    rows.push_back(r);
  }
  return rows;
}

}  // namespace

select::gemm_table gemm_fit::table(const select::gemm_table& like) const {
  select::gemm_table t = like;
  t.bytes_per_us = bytes_per_us;
  t.overlap = overlap;
  t.costs = costs;
  return t;
}

gemm_fit fit_gemm(const select::gemm_table& like, std::span<const gemm_sample> samples) {
  require(!samples.empty(), errc::invalid_argument, "costs cannot be fitted to no measurement");
  const std::vector<row> rows = rows_of(like, samples);
  // The fastest that anything was loaded bounds the rate of memory from below.
  double fastest = 0;
  for (const row& r : rows) fastest = std::max(fastest, r.loading_bytes / r.us);
  trial best;
  gemm_table machine = like;
  gemm_table kept = like;
  for (const double rate : {1.0, 1.1, 1.25, 1.5, 2.0, 4.0})
    for (const double overlap : {0.0, 0.1, 0.2, 0.35, 0.5}) {
      machine.bytes_per_us = rate * fastest;
      machine.overlap = overlap;
      if (trial t = fit_machine(machine, rows); t.loss < best.loss) {
        best = std::move(t);
        kept = machine;
      }
    }
  gemm_fit out;
  out.bytes_per_us = kept.bytes_per_us;
  out.overlap = kept.overlap;
  for (std::size_t c = 0; c < like.costs.size(); ++c) {
    gemm_costs costs = like.costs[c];
    for (std::size_t u = 0; u < gemm_units; ++u) costs.us[u] = static_cast<float>(best.costs[c][u]);
    out.costs.push_back(costs);
  }
  std::vector<double> errors;
  for (const row& r : rows)
    errors.push_back(
        std::abs(predicted(kept, best.costs[static_cast<std::size_t>(r.config)], r) / r.us - 1));
  std::sort(errors.begin(), errors.end());
  out.typical_error = errors[errors.size() / 2];
  out.wide_error = errors[errors.size() * 9 / 10];
  return out;
}

}  // namespace loops::train
