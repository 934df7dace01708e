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
template <std::size_t N>
struct normal_equations {
  std::array<std::array<double, N>, N> matrix{};
  std::array<double, N> right{};

  void add(const std::array<double, N>& x, double y, double weight) {
    std::array<std::size_t, N> there;
    std::size_t count = 0;
    for (std::size_t i = 0; i < N; ++i)
      if (x[i] != 0) there[count++] = i;
    for (std::size_t i = 0; i < count; ++i) {
      const double part = weight * x[there[i]];
      for (std::size_t j = 0; j < count; ++j) matrix[there[i]][there[j]] += part * x[there[j]];
      right[there[i]] += part * y;
    }
  }
  /// The solution without negative components, by coordinate descent from `start`.
  [[nodiscard]] std::array<double, N> solve(std::array<double, N> start) const {
    for (int sweep = 0; sweep < 300; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < N; ++i) {
        if (matrix[i][i] <= 0) continue;
        double rest = right[i];
        for (std::size_t j = 0; j < N; ++j)
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

/// What costs may grow with: the tile's area, the lines of operands that a block copies itself, and
/// that it is in a cluster; some of each cost is the same for all tiles.
enum tile_feature : std::size_t { area, copied, same, clustered, tile_features };

/// How much of a feature a tile has, as far as that unit's cost grows with it.
double feature_of(const select::gemm_tiling& t, std::size_t unit, std::size_t feature) {
  const auto u = static_cast<gemm_unit>(unit);
  const bool grows = select::grows_with_area(u);
  const bool end = u == gemm_unit::tile || u == gemm_unit::busy_tile || u == gemm_unit::partial ||
                   u == gemm_unit::peer || u == gemm_unit::join || u == gemm_unit::slanted_c;
  switch (feature) {
    case area:
      return grows ? static_cast<double>(t.rows) * t.columns / (128 * 128) : 0;
    case copied:
      return !grows || end ? 0
                           : (static_cast<double>(t.rows) / t.wide +
                              static_cast<double>(t.columns) / t.tall) /
                                 256;
    case clustered:
      return u == gemm_unit::launch && t.blocks() > 1 ? 1 : 0;
    default:
      return 1;
  }
}

double predicted(const gemm_table& machine, const vector& costs, const row& r) {
  gemm_effort narrow;
  for (std::size_t u = 0; u < gemm_units; ++u) narrow[u] = static_cast<float>(costs[u]);
  return select::time_of(machine, narrow, r.effort, r.loading_bytes / machine.bytes_per_us);
}

/// One reweighting step's equations: how each row looks now, loading- or computing-bound. `spread`
/// makes a row of the equations of what a cost of one per unit would give.
template <std::size_t N, class Spread>
void add_row(normal_equations<N>& e, const gemm_table& machine, const vector& now, const row& r,
             const Spread& spread) {
  const double loading = r.loading_bytes / machine.bytes_per_us;
  vector alone;  // of a unit's effort, what nothing hides
  double computing = 0;
  for (std::size_t u = 0; u < gemm_units; ++u) {
    alone[u] = select::exposed(r.effort, static_cast<gemm_unit>(u));
    computing += now[u] * r.effort[u] * (1 - alone[u]);
  }
  const bool computes = computing > loading;
  const double share = computes ? 1 : machine.overlap;
  const double rest = computes ? machine.overlap * loading : loading;
  vector x;
  for (std::size_t u = 0; u < gemm_units; ++u)
    x[u] = (alone[u] + share * (1 - alone[u])) * r.effort[u] / r.us;
  const double error = predicted(machine, now, r) / r.us - 1;
  // Huber's weights: beyond 5% an error pulls no harder.
  const double robust = std::abs(error) < 0.05 ? 1 : 0.05 / std::abs(error);
  e.add(spread(x), (r.us - rest) / r.us, r.weight * robust);
}

/// Costs per feature of a tile that fit all tiles together.
using common_costs = std::array<double, gemm_units * tile_features>;

/// What they come to for one tile.
vector costs_of(const common_costs& common, const select::gemm_tiling& t) {
  vector costs{};
  for (std::size_t u = 0; u < gemm_units; ++u)
    for (std::size_t f = 0; f < tile_features; ++f)
      costs[u] += common[u * tile_features + f] * feature_of(t, u, f);
  return costs;
}

common_costs fit_common(const gemm_table& machine, const std::vector<row>& rows) {
  common_costs common{};
  common[0 * tile_features + same] = 3;
  common[1 * tile_features + area] = common[2 * tile_features + area] = 0.3;
  std::vector<common_costs> features(machine.costs.size());
  for (std::size_t c = 0; c < features.size(); ++c)
    for (std::size_t u = 0; u < gemm_units; ++u)
      for (std::size_t f = 0; f < tile_features; ++f)
        features[c][u * tile_features + f] = feature_of(machine.costs[c].tiling, u, f);
  for (int step = 0; step < 12; ++step) {
    normal_equations<gemm_units * tile_features> e;
    std::vector<vector> now;
    for (const gemm_costs& c : machine.costs) now.push_back(costs_of(common, c.tiling));
    for (const row& r : rows) {
      const auto config = static_cast<std::size_t>(r.config);
      add_row(e, machine, now[config], r, [&](const vector& x) {
        common_costs spread;
        for (std::size_t i = 0; i < spread.size(); ++i)
          spread[i] = x[i / tile_features] * features[config][i];
        return spread;
      });
    }
    common = e.solve(common);
  }
  return common;
}

/// Costs of one tile, held near `prior` where its rows do not say otherwise.
vector fit_tile(const gemm_table& machine, const std::vector<const row*>& rows,
                const vector& prior) {
  vector costs = prior;
  const auto as_it_is = [](const vector& x) { return x; };
  for (int step = 0; step < 12; ++step) {
    normal_equations<gemm_units> e;
    for (const row* r : rows) add_row(e, machine, costs, *r, as_it_is);
    for (std::size_t u = 0; u < gemm_units; ++u) {
      // A pull as strong as that of a few samples: of hundreds of tiles most have no more.
      constexpr double pull = 0.65;
      const double size = std::max(prior[u], 0.02 * prior[2]);
      vector x{};
      x[u] = pull / size;
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
  const common_costs common = fit_common(machine, rows);
  trial t;
  std::vector<std::vector<const row*>> of_tile(machine.costs.size());
  for (const row& r : rows) of_tile[static_cast<std::size_t>(r.config)].push_back(&r);
  double loss = 0;
  double weights = 0;
  for (std::size_t c = 0; c < machine.costs.size(); ++c) {
    const vector prior = costs_of(common, machine.costs[c].tiling);
    vector costs = of_tile[c].empty() ? prior : fit_tile(machine, of_tile[c], prior);
    // Where both are the same, noise may put either first; but more work must not take less time.
    double& lone = costs[static_cast<std::size_t>(gemm_unit::lone_step)];
    lone = std::min(lone, costs[static_cast<std::size_t>(gemm_unit::full_step)]);
    t.costs.push_back(costs);
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
