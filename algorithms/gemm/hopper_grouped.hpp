// SPDX-License-Identifier: Apache-2.0
/// Products of different sizes on Hopper: tables of tiles and maps in device memory, one launch.
#pragma once

#include "algorithms/gemm/deal.hpp"
#include "algorithms/gemm/hopper_engine.hpp"
#include "algorithms/gemm/tabled_plan.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace loops::hopper {

/// The program of many products by a tile.
template <class Problem, class Tile>
using grouped_program_for =
    gemm_program<config_for<Problem, Tile>, many_products<typename Problem::epilogue_type>>;

/// What the copy unit and the program know of one product, by clusters of a shape.
template <class Tile, class Problem>
product_record<typename Problem::epilogue_type> record_of(const Problem& p, cluster_shape cluster,
                                                          std::int32_t number) {
  const auto& c = p.epilogue.c();
  product_record<typename Problem::epilogue_type> r{.a_map = {},
                                                    .b_map = {},
                                                    .c_map = {},
                                                    .c = c.data,
                                                    .c_leading = c.leading,
                                                    .c_widest = p.epilogue.widest(),
                                                    .m = static_cast<std::int32_t>(p.m()),
                                                    .n = static_cast<std::int32_t>(p.n()),
                                                    .number = number,
                                                    .boxes = 0};
  // Nothing is copied of products without steps, and their C is not stored in boxes.
  if (!takes(p)) return r;
  const auto one = make_program<Tile>(p, {}, cluster).source;
  r.a_map = one.a_map;
  r.b_map = one.b_map;
  r.c_map = one.c_map;
  r.boxes = one.boxes;
  return r;
}

/// Whether these can be computed here; products without elements or steps always can.
template <class Problem>
bool takes_all(const std::vector<Problem>& problems) {
  return std::all_of(problems.begin(), problems.end(), [](const Problem& p) {
    return p.m() == 0 || p.n() == 0 || p.k() == 0 || takes(p);
  });
}

/// What a step of a block's tile takes of which `rows` rows lie in C, in the roles of the matrix
/// units: a share of what a full one takes. A warpgroup without rows leaves the units to the other.
template <class Tile>
double share_of_step(std::int64_t rows) {
  constexpr double gain = 0.8;
  const auto busy = std::min<std::int64_t>(Tile::consumers, ceil_div(rows, 64 * Tile::row_blocks));
  return 1 - gain * (1 - double(busy) / Tile::consumers);
}

/// What the program of a tile, in clusters of one shape, knows of many products under a schedule:
/// long tiles first, and of whole tiles that workers take in turn equally much for each of them.
/// `Plan`: of the launch. Throws: overflow, and what is wrong with a group or the schedule.
template <class Plan, class Tile, class Schedule, class Problem>
auto hopper_tables(const gpu_executor& exec, const Schedule& schedule,
                   const std::vector<Problem>& problems, cluster_shape cluster, raster order) {
  using program = grouped_program_for<Problem, Tile>;
  using work_type = loops::segments<std::int64_t>;
  gemm_detail::group_tables<typename program::source_type::record, tile_of_many> made;
  const gemm_tile_shape shape = program::tile_of(cluster);
  std::vector<std::int32_t> longest_first(problems.size());
  std::iota(longest_first.begin(), longest_first.end(), 0);
  const auto problem = [&](std::int32_t i) -> const Problem& {
    return problems[static_cast<std::size_t>(i)];
  };
  const auto steps = [&](std::int32_t i) { return ceil_div(problem(i).k(), shape.k); };
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::int32_t a, std::int32_t b) { return steps(a) > steps(b); });
  std::int64_t atoms = 0;
  for (const std::int32_t i : longest_first) {
    const gemm_tiles t = gemm_detail::naming_group(static_cast<std::size_t>(i),
                                                   [&] { return problem(i).tiles(shape, order); });
    made.check_room(t.tiles());
    for (std::int64_t tile = 0; tile < t.tiles(); ++tile) {
      const tile_place at = t.at(tile);
      made.tiles.push_back({at.row, at.col, i, 0});
    }
    atoms += t.tiles() * t.steps();
  }
  for (const Problem& p : problems)
    made.records.push_back(
        record_of<Tile>(p, cluster, static_cast<std::int32_t>(made.records.size())));
  const auto cost = [&](const tile_of_many& t) {
    const Problem& p = problem(t.of);
    const std::int64_t rows = Tile::swapped ? p.n() - std::int64_t{t.col} * shape.n
                                            : p.m() - std::int64_t{t.row} * shape.m;
    constexpr double end_of_tile = 1.5;  // steps
    return double(steps(t.of)) * share_of_step<Tile>(rows) + end_of_tile;
  };
  const auto point = schedule.compose();
  if constexpr (requires { point.what.shared; }) {
    // There are no offsets yet: the numbers of the schedule are looked at without tiles.
    loops::detail::check_schedulable(exec, point, work_type(nullptr, 0, 0));
    const auto dealt =
        point.bind(work_type(nullptr, static_cast<std::int64_t>(made.tiles.size()), atoms),
                   Plan::machine_of(exec, cluster.blocks()));
    gemm_detail::deal_evenly(made.tiles, dealt.what.shared, dealt.blocks, cost);
  }
  for (const tile_of_many& t : made.tiles)
    made.offsets.push_back(made.offsets.back() + steps(t.of));
  return made;
}

template <class Schedule, class Problem, class Tile>
using tabled_plan_for =
    gemm_detail::tabled_plan<gpu_executor, Schedule, grouped_program_for<Problem, Tile>,
                             product_record<typename Problem::epilogue_type>, tile_of_many>;

/// Products planned for one tile, in clusters of one shape. Requires: `takes_all(problems)`.
template <class Schedule, class Problem, class Tile>
struct grouped_plan : tabled_plan_for<Schedule, Problem, Tile> {
  using program = grouped_program_for<Problem, Tile>;
  using source = typename program::source_type;
  using tabled = tabled_plan_for<Schedule, Problem, Tile>;

  grouped_plan(const gpu_executor& exec, const Schedule& schedule,
               const std::vector<Problem>& problems, cluster_shape cluster, raster order = {})
      : tabled(exec, schedule,
               gemm_detail::tables_of(problems.size(),
                                      [&] {
                                        return hopper_tables<typename tabled::plan_type, Tile>(
                                            exec, schedule, problems, cluster, order);
                                      }),
               cluster.blocks(),
               [&](const tile_of_many* tiles, const typename source::record* records) {
                 return program{source{tiles, records, static_cast<std::int32_t>(problems.size()),
                                       problems.front().epilogue},
                                cluster};
               }) {}
};

/// One tile, in clusters of one shape, for many products.
template <class Tile, int Tall, int Wide>
struct grouped_engine {
  using tile = Tile;
  static constexpr cluster_shape cluster{Tall, Wide};
  static constexpr const char* name() { return "hopper"; }
  template <class Exec, class Schedule, class Problem>
  struct plan : grouped_plan<Schedule, Problem, Tile> {
    plan(const Exec& exec, const Schedule& schedule, const std::vector<Problem>& problems,
         const raster& order)
        : grouped_plan<Schedule, Problem, Tile>(exec, schedule, problems, cluster, order) {}
  };
  template <class Problem>
  static constexpr gemm_tile_shape tile_shape =
      grouped_program_for<Problem, Tile>::tile_of(cluster);
  template <class Problem>
  static bool takes(const gpu_executor& exec, const std::vector<Problem>& problems) {
    return takes_all(problems) && has_units(exec);
  }
  /// Microseconds that all steps and ends of tiles of an m x n x k product take one cluster.
  static double work_of(const select::gemm_costs& costs, std::int64_t m, std::int64_t n,
                        std::int64_t k, std::int64_t depth) {
    const auto cost = [&](select::gemm_unit u) -> double {
      return costs.us[static_cast<std::size_t>(u)];
    };
    constexpr std::int64_t tall = Tile::rows * Tall;
    const std::int64_t rows = Tile::swapped ? n : m;
    if (rows == 0) return 0;
    const auto across = double(ceil_div(Tile::swapped ? m : n, std::int64_t{Tile::columns * Wide}));
    const std::int64_t whole = (rows - 1) / tall;
    const double full = double(whole) + share_of_step<Tile>(rows - whole * tall);
    return across * (full * double(ceil_div(k, depth)) * cost(select::gemm_unit::full_step) +
                     double(whole + 1) *
                         (cost(select::gemm_unit::tile) + cost(select::gemm_unit::busy_tile)));
  }
};

/// The tiles that many products choose from, each of which is compiled for every type of them.
/// Clusters share the rows of A: blocks below each other would often lie outside of C.
using grouped_engines = std::tuple<grouped_engine<gemm_tile<128, 256>, 1, 2>,
                                   grouped_engine<gemm_tile<128, 128>, 1, 2>>;

/// What a cluster of each of these engines costs on a device, by place.
template <class T>
class grouped_costs : public select::menu_table {
 public:
  explicit grouped_costs(const gpu_executor& exec)
      : menu_table(
            []<class... E>(const std::tuple<E...>*) {
              return std::vector<select::gemm_costs>{
                  {tiling_of<typename E::tile>(E::cluster), 0, 0, {}}...};
            }(static_cast<const grouped_engines*>(nullptr)),
            *select::gemm_table_for(exec.facts().name, select::cost_name<T>())) {}
};

/// The engine of `grouped_engines` that has least to do by the cost model, and whether tiles are
/// shared: only where the last wave of whole ones would leave most workers idle. Requires:
/// `takes_all(problems)`.
template <class Problem>
gemm_choice choose_for_all(const gpu_executor& exec, const std::vector<Problem>& problems) {
  const auto& costs = kept_for<grouped_costs<typename Problem::a_type>>(exec);
  constexpr double dear = 0.65;  // of a wave: what joining the parts of tiles costs
  gemm_choice best;
  double least = HUGE_VAL;
  const auto consider = [&]<class Engine>(Engine, int number) {
    const select::gemm_costs& line = costs->costs[static_cast<std::size_t>(number)];
    double us = 0;
    double tiles = 0;
    std::size_t group = 0;
    for (const Problem& p : problems) {
      us += Engine::work_of(line, p.m(), p.n(), p.k(), costs->depth);
      tiles += double(gemm_detail::naming_group(group++, [&] {
                        return p.tiles(Engine::template tile_shape<Problem>);
                      }).tiles());
    }
    if (us / line.workers >= least) return;
    least = us / line.workers;
    const double waves = tiles / line.workers;
    best = {number, std::ceil(waves) - waves > dear ? 2 : 0};
  };
  [&]<class... E>(std::tuple<E...>*) {
    int number = 0;
    (consider(E{}, number++), ...);
  }(static_cast<grouped_engines*>(nullptr));
  return best;
}

}  // namespace loops::hopper
