// SPDX-License-Identifier: Apache-2.0
/// Chooses tile and schedule of a GEMM on Hopper by the cost model.
#pragma once

#include "algorithms/gemm/hopper_plan.hpp"
#include "algorithms/gemm/select/selector.hpp"
#include "algorithms/gemm/select/tables.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace loops::hopper {

/// What tables of costs call an element type.
template <class T>
constexpr const char* cost_name() {
  if constexpr (std::is_same_v<T, half>) return "f16";
  if constexpr (std::is_same_v<T, tfloat32>) return "tf32";
  if constexpr (std::is_same_v<T, float8_e4m3>) return "e4m3";
  if constexpr (std::is_same_v<T, float8_e5m2>) return "e5m2";
  return "bf16";
}

/// A problem as far as its time depends on it.
template <class Problem>
select::gemm_size size_of(const Problem& p) {
  const auto starts = [](const auto& a) {
    constexpr int bytes = sizeof(typename std::remove_cvref_t<decltype(a)>::value_type);
    return select::row_starts_of(std::int64_t{widest_access(a, 128 / bytes)} * bytes);
  };
  return {static_cast<std::int32_t>(p.m()),
          static_cast<std::int32_t>(p.n()),
          static_cast<std::int32_t>(p.k()),
          static_cast<std::int32_t>(p.batch()),
          starts(p.a),
          starts(p.b),
          starts(p.epilogue.c())};
}

/// A tile in clusters of a shape, as tables of costs have it.
template <class Tile>
constexpr select::gemm_tiling tiling_of(cluster_shape cluster) {
  return {Tile::rows,   Tile::columns, cluster.tall, cluster.wide,
          cluster.deep, Tile::stages,  Tile::swapped};
}
/// Line `config` of the menu.
constexpr select::gemm_tiling tiling_of(int config) {
  const auto find = [config]<std::size_t... I>(std::index_sequence<I...>) {
    const menu_line& line = gemm_menu[config];
    select::gemm_tiling found;
    ((line.tile == int(I) &&
      (found = tiling_of<std::tuple_element_t<I, menu_tiles>>(line.cluster), true)) ||
     ...);
    return found;
  };
  return find(std::make_index_sequence<std::tuple_size_v<menu_tiles>>());
}

/// The menu as the device runs it: tilings, clusters at a time, blocks per processor; no costs.
template <class Problem>
std::vector<select::gemm_costs> menu_of(const gpu_executor& exec) {
  std::vector<select::gemm_costs> out;
  for (int c = 0; c < gemm_plan<Problem>::configs; ++c) {
    const select::gemm_tiling tiling = tiling_of(c);
    const auto workers = static_cast<int>(gemm_plan<Problem>::resident(exec, c));
    const bool pairs = workers * tiling.blocks() > exec.facts().processors;
    out.push_back({tiling, workers, pairs ? 2 : 1, {}});
  }
  return out;
}

/// The selector for problems of one type on one device. Making it asks the device how many clusters
/// of each tile it runs; asking it takes microseconds.
template <class Problem>
class gemm_chooser {
 public:
  explicit gemm_chooser(const gpu_executor& exec)
      : costs_(menu_of<Problem>(exec),
               *select::gemm_table_for(exec.facts().name, cost_name<typename Problem::a_type>())),
        selector_(*costs_) {}

  [[nodiscard]] gemm_choice operator()(const Problem& p) const {
    const select::gemm_candidate c = selector_.choose(size_of(p)).choice;
    return {c.config, c.waves};
  }

 private:
  select::menu_table costs_;
  select::gemm_selector selector_;
};

/// The choice for a problem; a selector per type and device is made at the first call and kept.
template <class Problem>
gemm_choice choose(const gpu_executor& exec, const Problem& p) {
  static std::mutex lock;
  static std::vector<std::unique_ptr<const gemm_chooser<Problem>>> by_device;
  const auto device = static_cast<std::size_t>(exec.device());
  const gemm_chooser<Problem>* chooser = nullptr;
  {
    const std::lock_guard<std::mutex> held(lock);
    if (by_device.size() <= device) by_device.resize(device + 1);
    if (!by_device[device]) by_device[device] = std::make_unique<gemm_chooser<Problem>>(exec);
    chooser = by_device[device].get();
  }
  return (*chooser)(p);
}

}  // namespace loops::hopper
