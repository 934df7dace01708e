// SPDX-License-Identifier: Apache-2.0
/// Which of the library's tiles and schedules are tried on a product, and which it would choose.
#pragma once

#include "algorithms/gemm/select/model.hpp"

#include <cstddef>
#include <vector>

#include "gemm/contenders.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

/// The candidates for a product: those that differ from each other, without the hopeless ones;
/// first what the library would choose from its whole menu. `table`: null when nothing is known of
/// the costs of the `tiles` tiles.
inline std::vector<select::gemm_candidate> candidates_for(const product& p,
                                                          const select::gemm_table* table,
                                                          std::size_t tiles,
                                                          const options& settings) {
  std::vector<select::gemm_candidate> out;
  if (!table) {
    for (std::size_t c = 0; c < tiles; ++c)
      for (const int waves : settings.waves) out.push_back({static_cast<int>(c), waves});
    return out;
  }
  const select::gemm_size size = p.sized();
  const select::gemm_forecast best = select::cheapest(*table, size);
  out.push_back(best.choice);
  if (settings.selected_only) return out;
  for (int c = 0; c < static_cast<int>(table->costs.size()); ++c) {
    const select::gemm_costs& costs = table->costs[static_cast<std::size_t>(c)];
    const select::gemm_grid grid(costs, size, table->depth);
    for (const int waves : settings.waves) {
      const select::gemm_candidate candidate{c, waves};
      select::gemm_effort effort;
      const bool shares = select::effort_of(grid, costs, size, waves, table->least, effort);
      if (waves != 0 && !shares) continue;  // data-parallel after all
      if (waves > 0 && waves > grid.work.tiles() / grid.workers) continue;  // all Stream-K
      const double us = select::predict(*table, size, candidate);
      if (!settings.everything && us > settings.hopeless * best.us) continue;
      if (candidate != best.choice) out.push_back(candidate);
    }
  }
  return out;
}

}  // namespace loops::bench
