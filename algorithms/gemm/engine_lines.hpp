// SPDX-License-Identifier: Apache-2.0
/// The tiles that a list of engines offers: lines of a menu for the cost model.
#pragma once

#include "algorithms/gemm/engine_list.hpp"
#include "algorithms/gemm/select/seen.hpp"
#include "algorithms/gemm/select/tables.hpp"
#include "algorithms/gemm/tiles.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/schedule/stream_k.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace loops::gemm_detail {

/// What a line's costs are found by: an engine's tile, and its stages where it says how many.
template <class Engine, class Problem>
select::gemm_tiling tiling_of() {
  const gemm_tile_shape tile = Engine::template tile_shape<Problem>(-1);
  select::gemm_tiling out{tile.m, tile.n};
  if constexpr (requires { Engine::stages; }) out.stages = Engine::stages;
  return out;
}

/// The line of each engine: those of one tile are the same line, and the first of them that can
/// computes it; engines that say how many stages they have share none with each other. -1: it has
/// none.
template <class Problem, class... Engines>
std::vector<int> lines_of(engine_list<Engines...>) {
  const select::gemm_tiling tiles[] = {tiling_of<Engines, Problem>()...};
  const bool none[] = {is_off_menu<Engines>...};
  const auto same = [&](std::size_t i, std::size_t j) {
    const bool any = tiles[i].stages == 1 || tiles[j].stages == 1;
    return tiles[i].rows == tiles[j].rows && tiles[i].columns == tiles[j].columns &&
           (any || tiles[i].stages == tiles[j].stages);
  };
  std::vector<int> out;
  int next = 0;
  for (std::size_t i = 0; i < sizeof...(Engines); ++i) {
    if (none[i]) {
      out.push_back(-1);
      continue;
    }
    std::size_t first = 0;
    while (none[first] || !same(first, i)) ++first;
    out.push_back(first < i ? out[first] : next++);
  }
  return out;
}

/// An engine by its place in a list, and its line.
struct placed_engine {
  int place;
  int line;
};

/// The engines that compute a problem, one for each line: first the one that suits it. Without
/// those that have no line.
template <class... Engines, class Exec, class Problem>
std::vector<placed_engine> takers(engine_list<Engines...> list, const Exec& exec,
                                  const Problem& p) {
  const std::vector<int> lines = lines_of<Problem>(list);
  std::vector<placed_engine> out;
  int place = 0;
  bool found = false;
  const auto look = [&](auto engine) {
    const placed_engine here{place, lines[static_cast<std::size_t>(place)]};
    ++place;
    if (here.line < 0) return;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const placed_engine& o) { return o.line == here.line; });
    if (known) return;
    if (!found && engine.suits(exec, p)) {
      found = true;
      out.insert(out.begin(), here);
    } else if (engine.takes(exec, p)) {
      out.push_back(here);
    }
  };
  (look(Engines{}), ...);
  return out;
}

/// The lines as the device runs them: tiles, blocks at a time, blocks per processor; no costs.
template <class Problem, class... Engines, class Exec>
std::vector<select::gemm_costs> menu_of(engine_list<Engines...> list, const Exec& exec) {
  const std::vector<int> lines = lines_of<Problem>(list);
  std::vector<select::gemm_costs> out;
  std::size_t place = 0;
  const auto add = [&](auto engine) {
    using program = typename decltype(engine)::template program<Problem>;
    using plan = run_plan<Exec, schedule::stream_k, gemm_tiles, program>;
    const int line = lines[place++];
    if (line < static_cast<int>(out.size())) return;
    const auto workers = static_cast<int>(
        exec.template resident<typename plan::shape, typename plan::kernel_type>());
    int paired = 1;
    if constexpr (requires { exec.facts().processors; })
      paired = std::max(1, workers / exec.facts().processors);
    out.push_back({tiling_of<decltype(engine), Problem>(), workers, paired, {}});
  };
  (add(Engines{}), ...);
  return out;
}

/// What the lines of a list cost for a problem on a device, by a table: more where an engine says
/// that it brings operands slowly, and all the time that there is where none computes it.
template <class List, class Exec, class Problem>
class list_costs {
 public:
  list_costs(const Exec& exec, const Problem& p, const select::gemm_table& costs)
      : able_(takers(List{}, exec, p)),
        menu_(menu_of<Problem>(List{}, exec), costs),
        lines_(menu_->costs.begin(), menu_->costs.end()),
        table_(*menu_) {
    slow_down(List{}, p);
    for (int line = 0; line < static_cast<int>(lines_.size()); ++line)
      if (engine_of(line) < 0)
        lines_[static_cast<std::size_t>(line)].us[std::size_t(select::gemm_unit::launch)] =
            HUGE_VALF;
    table_.costs = lines_;
  }
  list_costs(const list_costs&) = delete;
  list_costs& operator=(const list_costs&) = delete;

  [[nodiscard]] const select::gemm_table& operator*() const { return table_; }
  /// The engine of a line for the problem: -1 where it has none.
  [[nodiscard]] int engine_of(int line) const {
    for (const placed_engine& e : able_)
      if (e.line == line) return e.place;
    return -1;
  }
  /// The choice for a problem that is parts of k, with operands that lie like those.
  [[nodiscard]] engine_forecast for_parts(const Problem& p) const {
    const auto [choice, us] = select::cheapest_for_parts(table_, select::size_of(p));
    return {{engine_of(choice.config), -1, 0}, us};
  }

 private:
  template <class... Engines>
  void slow_down(engine_list<Engines...>, const Problem& p) {
    int place = 0;
    const auto one = [&](auto engine) {
      for (const placed_engine& e : able_)
        if constexpr (requires(select::gemm_costs & c) { engine.slow_down(p, c); })
          if (e.place == place) engine.slow_down(p, lines_[static_cast<std::size_t>(e.line)]);
      ++place;
    };
    (one(Engines{}), ...);
  }

  std::vector<placed_engine> able_;
  select::menu_table menu_;
  std::vector<select::gemm_costs> lines_;
  select::gemm_table table_;
};

/// The engine of each line that computes a problem, under the schedule that a table of costs says
/// is fastest, the fastest first. Costs are of the first engine of a line: behind those come the
/// lines that only another engine computes. Requires: the list has an engine for it.
template <class... Engines, class Exec, class Problem>
std::vector<engine_forecast> likeliest_engines(engine_list<Engines...> list, const Exec& exec,
                                               const Problem& p, const select::gemm_table& table) {
  const list_costs<engine_list<Engines...>, Exec, Problem> costs(exec, p, table);
  std::vector<engine_forecast> out;
  for (const auto& [choice, us] :
       select::likeliest(*costs, select::size_of(p), (*costs).costs.size()))
    if (const int engine = costs.engine_of(choice.config); engine >= 0)
      out.push_back({{engine, -1, choice.waves}, us});
  const std::vector<int> numbers = lines_of<Problem>(list);
  std::stable_partition(out.begin(), out.end(), [&](const engine_forecast& f) {
    const auto line = numbers.begin() + f.choice.engine;
    return std::find(numbers.begin(), line, *line) == line;
  });
  return out;
}

}  // namespace loops::gemm_detail
