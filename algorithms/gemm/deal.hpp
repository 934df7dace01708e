// SPDX-License-Identifier: Apache-2.0
/// Deals tiles that differ in cost to workers who take them in turn, so that all get equally much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace loops::gemm_detail {

/// Reorders the tiles from number `first` on, of which worker x of P takes x, x + P, …: those of
/// one round stay in it, as neighbours that share operands, and whoever has least so far gets the
/// costliest. `cost(tile)` is in any unit. Cost: a sort of every round.
template <class Tile, class Cost>
void deal_evenly(std::vector<Tile>& tiles, std::int64_t first, std::int64_t workers,
                 const Cost& cost) {
  const auto size = static_cast<std::int64_t>(tiles.size());
  if (first >= size || workers < 2) return;
  std::vector<double> load(static_cast<std::size_t>(workers), 0);
  std::vector<std::int64_t> order(load.size());
  std::vector<Tile> round;
  const auto deal = [&](std::int64_t begin, std::int64_t count) {
    const auto from = tiles.begin() + begin;
    round.assign(from, from + count);
    std::stable_sort(round.begin(), round.end(),
                     [&](const Tile& a, const Tile& b) { return cost(a) > cost(b); });
    std::iota(order.begin(), order.begin() + count, std::int64_t{0});
    std::stable_sort(order.begin(), order.begin() + count, [&](std::int64_t a, std::int64_t b) {
      return load[static_cast<std::size_t>(a)] < load[static_cast<std::size_t>(b)];
    });
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t worker = order[static_cast<std::size_t>(i)];
      const Tile& t = round[static_cast<std::size_t>(i)];
      load[static_cast<std::size_t>(worker)] += cost(t);
      from[worker] = t;
    }
  };
  // The last round may be for the first workers only: the others are told first.
  const std::int64_t whole = (size - first) / workers * workers;
  if (first + whole < size) deal(first + whole, size - first - whole);
  for (std::int64_t at = first; at < first + whole; at += workers) deal(at, workers);
}

}  // namespace loops::gemm_detail
