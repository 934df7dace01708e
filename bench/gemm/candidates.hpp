// SPDX-License-Identifier: Apache-2.0
/// Which of the library's tiles and schedules are tried on a product, and which it would choose.
#pragma once

#include "algorithms/gemm/select/tables.hpp"

#include <cstddef>
#include <vector>

#include "gemm/contenders.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

/// What is known of the costs of a menu: of all lines, those that the machine's table does not list
/// being judged by what is like them; and of those among which the library chooses.
struct menu_costs {
  menu_costs(const std::vector<select::gemm_costs>& menu, const select::gemm_table& like)
      : all(menu, like), listed(menu, like) {}
  select::menu_table all;
  select::listed_menu listed;
};

/// The candidates for a product: those that differ from each other, without the hopeless ones;
/// first what the library would choose from its whole menu. `costs`: null when nothing is known of
/// the `tiles` tiles.
inline std::vector<select::gemm_candidate> candidates_for(const product& p, const menu_costs* costs,
                                                          std::size_t tiles,
                                                          const options& settings) {
  std::vector<select::gemm_candidate> out;
  if (!costs) {
    for (std::size_t c = 0; c < tiles; ++c)
      for (const int waves : settings.waves) out.push_back({static_cast<int>(c), waves});
    return out;
  }
  const select::gemm_size size = p.sized();
  const select::gemm_candidate chosen =
      costs->listed.in_menu(select::cheapest(*costs->listed, size).choice);
  out.push_back(chosen);
  if (settings.selected_only) return out;
  const select::gemm_table& table = *costs->all;
  const double best = select::predict(table, size, chosen);
  for (int c = 0; c < static_cast<int>(table.costs.size()); ++c) {
    const select::gemm_costs& line = table.costs[static_cast<std::size_t>(c)];
    const select::gemm_grid grid(line, size, table.depth);
    const auto try_it = [&](int waves, const select::gemm_effort&) {
      const select::gemm_candidate candidate{c, waves};
      const double us = select::predict(table, size, candidate);
      if (!settings.everything && us > settings.hopeless * best) return;
      if (candidate != chosen) out.push_back(candidate);
    };
    select::for_each_policy(grid, line, size, table.least, settings.waves, try_it);
  }
  return out;
}

}  // namespace loops::bench
