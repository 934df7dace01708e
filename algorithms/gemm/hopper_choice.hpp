// SPDX-License-Identifier: Apache-2.0
/// Chooses tile and schedule of a GEMM on Hopper by the cost model.
#pragma once

#include "algorithms/gemm/hopper_menu.hpp"
#include "algorithms/gemm/hopper_problem.hpp"
#include "algorithms/gemm/hopper_units.hpp"
#include "algorithms/gemm/select/seen.hpp"
#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "algorithms/gemm/split_product.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/core/numeric.hpp"
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
  /// The data-parallel line of least time, which is what parts of k get. Their sums are twice the
  /// bytes that tables know of, and one tile is all that most processors store: its end counts
  /// twice.
  [[nodiscard]] select::gemm_forecast whole_tiles(const Problem& p) const {
    const select::gemm_size size = select::size_of(p);
    select::gemm_forecast best{{}, HUGE_VAL};
    for (int c = 0; c < static_cast<int>((*costs_).costs.size()); ++c)
      if (const double us = select::predict(*costs_, size, {c, 0}) + end_of_a_tile(c); us < best.us)
        best = {{c, 0}, us};
    return in_menu(best);
  }

 private:
  [[nodiscard]] double end_of_a_tile(int line) const {
    const select::gemm_effort& us = (*costs_).costs[static_cast<std::size_t>(line)].us;
    return us[std::size_t(select::gemm_unit::tile)] + us[std::size_t(select::gemm_unit::busy_tile)];
  }
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

/// Parts of k, a line of the menu for each of them, and what they take with all that follows.
struct parts_forecast {
  int parts = 1;
  int line = 0;
  double us = HUGE_VAL;
};

/// The parts of k that take least, of a problem with too few tiles for the device: up to sixteen,
/// and some numbers up to 64, that make no more than two tiles of 64 x 128 for a processor. In us,
/// as measured on an H200, adding takes 1.5 and 0.25 for a megabyte of sums; each eight parts after
/// the first, which a lane adds one after another, are counted as 0.5, which nobody has measured.
template <class Problem, class Tiles>
parts_forecast choose_parts(const gpu_executor& exec, const Problem& p) {
  constexpr double most_bytes = 17e6;
  parts_forecast best;
  const std::int64_t tiles = ceil_div(p.m(), 64) * ceil_div(p.n(), 128);
  for (std::int64_t parts = 2; parts * tiles <= 2 * exec.facts().processors && parts <= 64;
       parts += parts < 16 ? 1 : parts / 4) {
    const double bytes =
        double(parts * p.m() * gemm_detail::row_of_sums(p)) * double(sizeof(typename Problem::sum));
    if (bytes > most_bytes || !gemm_detail::can_split(p, parts)) continue;
    using parts_type = gemm_detail::parts_problem<Problem>;
    const select::gemm_forecast each = kept_for<gemm_chooser<parts_type, Tiles>>(exec).whole_tiles(
        gemm_detail::split_along_k(p, parts, static_cast<typename Problem::sum*>(nullptr)));
    const double rounds = double(ceil_div(parts, 8) - 1);
    const double us = each.us + 1.5 + 0.25e-6 * bytes + 0.5 * rounds;
    if (us < best.us) best = {static_cast<int>(parts), each.choice.config, us};
  }
  return best;
}

}  // namespace loops::hopper
