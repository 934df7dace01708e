// SPDX-License-Identifier: Apache-2.0
/// The cost tables there are, found by machine and type.
#pragma once

#include "algorithms/gemm/select/tables/gemm_h200_bf16.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_bf16_nn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_bf16_tn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_bf16_tt.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_e4m3.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f32.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f32_nn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f32_tn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f32_tt.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f64.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f64_nn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f64_tn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_f64_tt.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_tf32.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_tf32_nn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_tf32_tn.hpp"
#include "algorithms/gemm/select/tables/gemm_h200_tf32_tt.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace loops::select {

/// Every table.
inline constexpr const gemm_table* gemm_tables[] = {
    &tables::gemm_h200_bf16,    &tables::gemm_h200_bf16_nn, &tables::gemm_h200_bf16_tn,
    &tables::gemm_h200_bf16_tt, &tables::gemm_h200_e4m3,    &tables::gemm_h200_tf32,
    &tables::gemm_h200_tf32_nn, &tables::gemm_h200_tf32_tn, &tables::gemm_h200_tf32_tt,
    &tables::gemm_h200_f32,     &tables::gemm_h200_f32_nn,  &tables::gemm_h200_f32_tn,
    &tables::gemm_h200_f32_tt,  &tables::gemm_h200_f64,     &tables::gemm_h200_f64_nn,
    &tables::gemm_h200_f64_tn,  &tables::gemm_h200_f64_tt};

/// The type whose costs a type of operands shares: floats of 16 bits cost the same, and so do
/// floats and integers of 8 bits.
constexpr std::string_view costs_like(std::string_view type) {
  return type == "f16" ? "bf16" : type == "e5m2" || type == "i8" ? "e4m3" : type;
}

namespace detail {

/// The first table that is `wanted` and of these layouts, else the first that is wanted.
template <class Wanted>
constexpr const gemm_table* first_table(std::string_view layouts, const Wanted& wanted) {
  const gemm_table* first = nullptr;
  for (const gemm_table* t : gemm_tables) {
    if (!wanted(*t)) continue;
    if (layouts == t->layouts) return t;
    if (!first) first = t;
  }
  return first;
}

}  // namespace detail

/// The table for a type of operands on a machine, of these layouts or, where they have none, of
/// others; null when there is none.
constexpr const gemm_table* gemm_table_of(std::string_view machine, std::string_view type,
                                          std::string_view layouts = "nt") {
  return detail::first_table(layouts, [=](const gemm_table& t) {
    return costs_like(type) == t.type && machine == t.machine;
  });
}

/// The same, else that of another machine of which it is hoped that costs are in similar
/// proportion; null when no table has the type.
constexpr const gemm_table* gemm_table_for(std::string_view machine, std::string_view type,
                                           std::string_view layouts = "nt") {
  if (const gemm_table* own = gemm_table_of(machine, type, layouts)) return own;
  return detail::first_table(layouts,
                             [=](const gemm_table& t) { return costs_like(type) == t.type; });
}

/// A table for a menu of tiles: line i of the table is for line i of the menu. Of the menu only the
/// tilings count, and workers and pairs where they are given (not 0), as a device reports them; a
/// line that it cannot run at all has -1 workers.
class menu_table {
 public:
  /// A menu line that `like` has gets its costs; another those of the most similar, in proportion
  /// to the area. Requires: `like` has lines.
  menu_table(std::span<const gemm_costs> menu, const gemm_table& like) : table_(like) {
    for (const gemm_costs& line : menu) {
      gemm_costs costs = nearest(line.tiling, like);
      if (costs.tiling != line.tiling) {
        const float scale = area(line.tiling) / area(costs.tiling);
        for (std::size_t u = 0; u < gemm_units; ++u)
          if (grows_with_area(static_cast<gemm_unit>(u))) costs.us[u] *= scale;
        costs.workers = std::max(1, costs.workers * costs.tiling.blocks() / line.tiling.blocks());
        costs.tiling = line.tiling;
      }
      if (line.workers > 0) costs.workers = line.workers;
      if (line.paired > 0) costs.paired = line.paired;
      costs_.push_back(costs);
    }
    table_.costs = costs_;
  }
  menu_table(const menu_table&) = delete;
  menu_table& operator=(const menu_table&) = delete;

  [[nodiscard]] const gemm_table& operator*() const { return table_; }
  [[nodiscard]] const gemm_table* operator->() const { return &table_; }

 private:
  static float area(const gemm_tiling& t) {
    return static_cast<float>(t.rows) * static_cast<float>(t.columns);
  }
  static float ratio(int a, int b) { return static_cast<float>(a) / static_cast<float>(b); }
  static int shared(const gemm_tiling& t) { return t.tall * t.wide; }
  /// The line of the tile itself, or of one of similar area that is shared in the same way.
  static const gemm_costs& nearest(const gemm_tiling& t, const gemm_table& like) {
    const auto far = [&t](const gemm_costs& c) {
      const bool joins = c.tiling.split > 1;
      return std::abs(std::log(area(c.tiling) / area(t))) + (joins == (t.split > 1) ? 0.0F : 4.0F) +
             std::abs(std::log(ratio(c.tiling.split, t.split))) +
             std::abs(std::log(ratio(shared(c.tiling), shared(t)))) +
             (c.tiling == t ? 0.0F : 0.01F);
    };
    return *std::min_element(
        like.costs.begin(), like.costs.end(),
        [&](const gemm_costs& a, const gemm_costs& b) { return far(a) < far(b); });
  }
  std::vector<gemm_costs> costs_;
  gemm_table table_;
};

/// Of a menu the lines that are worth a look: of those that the device can run those that a table
/// lists, since what was never the best is left out of it; all where it lists none.
class listed_menu {
 public:
  listed_menu(const std::vector<gemm_costs>& menu, const gemm_table& like)
      : table_(known(menu, like), like) {}

  [[nodiscard]] const gemm_table& operator*() const { return *table_; }
  /// A candidate of this table by its number in the whole menu.
  [[nodiscard]] gemm_candidate in_menu(gemm_candidate c) const {
    return {places_[static_cast<std::size_t>(c.config)], c.waves};
  }

 private:
  std::vector<gemm_costs> known(const std::vector<gemm_costs>& menu, const gemm_table& like) {
    const auto keep = [&](const auto& wanted) {
      std::vector<gemm_costs> out;
      for (std::size_t i = 0; i < menu.size(); ++i)
        if (menu[i].workers >= 0 && wanted(menu[i].tiling)) {
          out.push_back(menu[i]);
          places_.push_back(static_cast<int>(i));
        }
      return out;
    };
    std::vector<gemm_costs> listed = keep([&](const gemm_tiling& t) {
      return std::any_of(like.costs.begin(), like.costs.end(),
                         [&t](const gemm_costs& c) { return c.tiling == t; });
    });
    return listed.empty() ? keep([](const gemm_tiling&) { return true; }) : listed;
  }

  std::vector<int> places_;
  menu_table table_;
};

}  // namespace loops::select
