// SPDX-License-Identifier: Apache-2.0
/// Which of the library's tiles and schedules are tried on a product, and which it would choose.
#pragma once

#include "algorithms/gemm/select/tables.hpp"

#include <cstddef>
#include <vector>

#include "gemm/contenders.hpp"
#include "gemm/options.hpp"

namespace loops::bench {

/// What is known of the costs of a menu.
class menu_costs {
 public:
  menu_costs(const std::vector<select::gemm_costs>& menu, const select::gemm_table& like)
      : all_(menu, like), listed_(known(menu, like), like) {}

  /// The whole menu: lines that the machine's table does not list are judged by those that are like
  /// them.
  [[nodiscard]] const select::gemm_table& table() const { return *all_; }
  /// What the library chooses: among the lines that are listed.
  [[nodiscard]] select::gemm_candidate choice(const select::gemm_size& size) const {
    const select::gemm_candidate c = select::cheapest(*listed_, size).choice;
    return {places_[static_cast<std::size_t>(c.config)], c.waves};
  }

 private:
  std::vector<select::gemm_costs> known(const std::vector<select::gemm_costs>& menu,
                                        const select::gemm_table& like) {
    std::vector<select::gemm_costs> out;
    for (std::size_t i = 0; i < menu.size(); ++i)
      if (select::lists(like, menu[i].tiling)) {
        out.push_back(menu[i]);
        places_.push_back(static_cast<int>(i));
      }
    if (!out.empty()) return out;
    for (std::size_t i = 0; i < menu.size(); ++i) places_.push_back(static_cast<int>(i));
    return menu;
  }

  std::vector<int> places_;
  select::menu_table all_;
  select::menu_table listed_;
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
  const select::gemm_candidate chosen = costs->choice(size);
  out.push_back(chosen);
  if (settings.selected_only) return out;
  const select::gemm_table& table = costs->table();
  const double best = select::predict(table, size, chosen);
  for (int c = 0; c < static_cast<int>(table.costs.size()); ++c) {
    const select::gemm_costs& line = table.costs[static_cast<std::size_t>(c)];
    const select::gemm_grid grid(line, size, table.depth);
    for (const int waves : settings.waves) {
      const select::gemm_candidate candidate{c, waves};
      select::gemm_effort effort;
      const bool shares = select::effort_of(grid, line, size, waves, table.least, effort);
      if (waves != 0 && !shares) continue;  // data-parallel after all
      if (waves > 0 && waves > grid.work.tiles() / grid.workers) continue;  // all Stream-K
      const double us = select::predict(table, size, candidate);
      if (!settings.everything && us > settings.hopeless * best) continue;
      if (candidate != chosen) out.push_back(candidate);
    }
  }
  return out;
}

}  // namespace loops::bench
