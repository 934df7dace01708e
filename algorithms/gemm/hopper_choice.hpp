// SPDX-License-Identifier: Apache-2.0
/// Chooses tile and schedule of a GEMM on Hopper by the cost model.
#pragma once

#include "algorithms/gemm/hopper_menu.hpp"
#include "algorithms/gemm/hopper_problem.hpp"
#include "algorithms/gemm/hopper_units.hpp"
#include "algorithms/gemm/select/seen.hpp"
#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/schedule/stream_k.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops::hopper {

/// A line of the menu and a schedule.
using gemm_choice = select::gemm_candidate;

/// A tile in clusters of a shape, as tables of costs have it: of operands along k, from which
/// turned ones differ little.
template <class Tile>
constexpr select::gemm_tiling tiling_of(cluster_shape cluster) {
  return {Tile::rows,   Tile::columns,  cluster.tall,  cluster.wide,
          cluster.deep, Tile::stages(), Tile::swapped, Tile::teams};
}

/// Clusters of a shape that a device runs at a time, of a tile's program.
template <class Problem, class Tile>
int clusters_at_once(const gpu_executor& exec, cluster_shape cluster) {
  using program = program_for<Problem, Tile>;
  using kernel =
      typename run_plan<gpu_executor, schedule::stream_k, gemm_tiles, program>::kernel_type;
  const int blocks = cluster.blocks();
  return static_cast<int>(exec.template resident<typename program::shape, kernel>(blocks) / blocks);
}

/// Lines of the menu with these tiles as the device runs them: tilings, clusters at a time, blocks
/// per processor; no costs. Those of tiles that the operands cannot have run none. `lines`: gets
/// their numbers.
template <class Problem, class Tiles = all_tiles>
std::vector<select::gemm_costs> menu_of(const gpu_executor& exec,
                                        std::vector<int>* lines = nullptr) {
  std::vector<select::gemm_costs> out;
  for (int c = 0; c < gemm_configs; ++c)
    with_tile(
        c,
        [&]<class Tile>(std::type_identity<Tile>) {
          const select::gemm_tiling tiling = tiling_of<Tile>(gemm_menu[c].cluster);
          int workers = 0;
          if constexpr (takes_columns<Tile, typename Problem::a_type>)
            workers = clusters_at_once<Problem, Tile>(exec, gemm_menu[c].cluster);
          const bool pairs = workers * tiling.blocks() > exec.facts().processors;
          out.push_back({tiling, workers > 0 ? workers : -1, pairs ? 2 : 1, {}});
          if (lines) lines->push_back(c);
        },
        Tiles());
  return out;
}

/// The selector among lines with these tiles for problems of one type on one device. Making it asks
/// the device how many clusters of each line it runs; asking it takes microseconds.
template <class Problem, class Tiles>
class gemm_chooser {
 public:
  explicit gemm_chooser(const gpu_executor& exec)
      : costs_(menu_of<Problem, Tiles>(exec, &lines_),
               *select::gemm_table_for(exec.facts().name,
                                       select::cost_name<typename Problem::a_type>(),
                                       select::layouts_of<Problem>())),
        selector_(*costs_) {}

  [[nodiscard]] select::gemm_forecast operator()(const Problem& p) const {
    return in_menu(selector_.choose(select::size_of(p)));
  }
  /// What is worth a trial, the choice first; at most so many.
  [[nodiscard]] std::vector<select::gemm_forecast> several(const Problem& p,
                                                           std::size_t most) const {
    std::vector<select::gemm_forecast> out;
    for (const select::gemm_forecast& f : selector_.several(select::size_of(p), most))
      out.push_back(in_menu(f));
    return out;
  }
  [[nodiscard]] select::gemm_forecast for_parts(const Problem& p) const {
    return in_menu(select::cheapest_for_parts(*costs_, select::size_of(p)));
  }

 private:
  [[nodiscard]] select::gemm_forecast in_menu(const select::gemm_forecast& f) const {
    const gemm_choice c = costs_.in_menu(f.choice);
    return {{lines_[static_cast<std::size_t>(c.config)], c.waves}, f.us};
  }

  std::vector<int> lines_;
  select::listed_menu costs_;
  select::gemm_selector selector_;
};

/// The choice for a problem among lines with these tiles.
template <class Problem, class Tiles>
select::gemm_forecast choose(const gpu_executor& exec, const Problem& p) {
  return kept_for<gemm_chooser<Problem, Tiles>>(exec)(p);
}

/// What is worth a trial of lines with these tiles, the choice first; at most `most`.
template <class Problem, class Tiles>
std::vector<select::gemm_forecast> choose_several(const gpu_executor& exec, const Problem& p,
                                                  int most) {
  return kept_for<gemm_chooser<Problem, Tiles>>(exec).several(p, static_cast<std::size_t>(most));
}

/// The choice among lines with these tiles for a problem that is parts of k.
template <class Problem, class Tiles>
select::gemm_forecast choose_for_parts(const gpu_executor& exec, const Problem& p) {
  return kept_for<gemm_chooser<Problem, Tiles>>(exec).for_parts(p);
}

}  // namespace loops::hopper
