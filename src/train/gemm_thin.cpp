// SPDX-License-Identifier: Apache-2.0
/// Counting who is chosen, and renumbering what stays.
#include "train/gemm_thin.hpp"

#include "algorithms/gemm/select/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace loops::train {

namespace {

/// Products whose sides are spread evenly by their logarithms, every other one of whole lines.
template <class F>
void for_each_size(const select::gemm_table& table, const F& f) {
  constexpr int count = 4000;
  constexpr double turns[] = {0.8191725134, 0.6710436067, 0.5497004779};  // no two points align
  for (int i = 1; i <= count; ++i) {
    const int by = i % 2 == 0 ? 64 : 8;
    const auto side = [&](int which) {
      const double t = i * turns[which];
      return static_cast<std::int32_t>(std::exp2(7 + 6 * (t - std::floor(t))) / by) * by;
    };
    select::gemm_size size{side(0), side(1), side(2)};
    size.a = size.b = select::row_starts_of(std::int64_t{size.k} * table.operand_bytes);
    size.c = select::row_starts_of(std::int64_t{size.n} * table.result_bytes);
    f(size);
  }
}

}  // namespace

std::vector<int> worthwhile_lines(const gemm_results& r, const gemm_fit& fit, std::size_t most,
                                  const std::vector<int>& few) {
  std::vector<int> times(r.tiles.size());
  const select::gemm_table table = fit.table(r.like);
  const auto count = [&times](select::gemm_candidate c) {
    ++times[static_cast<std::size_t>(c.config)];
  };
  std::vector<select::gemm_costs> costs_of_few;
  for (const int line : few) costs_of_few.push_back(table.costs[static_cast<std::size_t>(line)]);
  select::gemm_table table_of_few = table;
  table_of_few.costs = costs_of_few;
  for_each_size(table, [&](const select::gemm_size& size) {
    count(select::cheapest(table, size).choice);
    if (few.empty()) return;
    const int chosen = select::cheapest(table_of_few, size).choice.config;
    ++times[static_cast<std::size_t>(few[static_cast<std::size_t>(chosen)])];
  });
  for (const gemm_measured& p : r.products) {
    count(select::cheapest(table, p.size).choice);
    if (p.ours.empty()) continue;
    count(std::min_element(p.ours.begin(), p.ours.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
          })->first);
  }
  std::vector<int> lines(times.size());
  std::iota(lines.begin(), lines.end(), 0);
  std::stable_sort(lines.begin(), lines.end(), [&](int a, int b) {
    return times[static_cast<std::size_t>(a)] > times[static_cast<std::size_t>(b)];
  });
  lines.resize(std::min(lines.size(), most));
  std::erase_if(lines, [&](int line) { return times[static_cast<std::size_t>(line)] == 0; });
  std::sort(lines.begin(), lines.end());
  return lines;
}

void keep_lines(gemm_results& r, gemm_fit& fit, const std::vector<int>& lines) {
  keep_lines(r, lines);
  fit.costs = picked(fit.costs, lines);
}

}  // namespace loops::train
