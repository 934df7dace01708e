// SPDX-License-Identifier: Apache-2.0
/// How evenly a schedule spreads a work over a machine, computed on the host without running it.
#pragma once

#include "loops/schedule/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

namespace loops::model {

/// One slice and who takes it: group `group` of the block that makes visit `visit`.
struct assigned_slice {
  std::int64_t visit = 0;
  std::int64_t group = 0;
  int lanes = 1;  ///< lanes of the group
  slice range;
  std::int64_t cost = 0;  ///< steps of the busiest lane of the group
};

namespace detail {

/// A tile of its own is strided over; a longer slice is cut evenly.
template <class Measure>
std::int64_t lane_steps(const slice& s, int lanes) {
  if constexpr (std::is_same_v<Measure, measure::one_tile>)
    return ceil_div(s.atoms().size(), lanes) + 1;
  return ceil_div(s.steps(), lanes);
}

template <class Assignment, work W, class F>
void for_each_binned(const Assignment& a, const W& w, const machine& m, const F& f) {
  std::array<std::vector<std::int64_t>, worker::by_bin::bins> bins;
  for (std::int64_t t = 0; t < w.tiles(); ++t)
    bins[static_cast<std::size_t>(worker::by_bin::bin_of(atoms_of(w, t).size()))].push_back(t);
  // As kernels do: from the end, where the longest are.
  std::int64_t visit = 0;
  for (int b = worker::by_bin::bins - 1; b >= 0; --b) {
    const auto& tiles = bins[static_cast<std::size_t>(b)];
    const auto count = static_cast<std::int64_t>(tiles.size());
    const int lanes = a.who.lanes(b, m);
    const std::int64_t batch = m.batch;
    const std::int64_t groups = m.threads / lanes;
    const std::int64_t per_visit = groups * batch;
    for (std::int64_t left = ceil_div(count, per_visit); left-- > 0; ++visit) {
      const std::int64_t first = left * per_visit;
      for (std::int64_t i = first; i < count && i < first + per_visit; ++i) {
        const slice s = a.at(w, tiles[static_cast<std::size_t>(i)]);
        f(assigned_slice{visit, (i - first) / batch, lanes, s,
                         lane_steps<measure::one_tile>(s, lanes)});
      }
    }
  }
}

/// As kernels do: pieces of long tiles, then every tile that is none of them.
template <class Assignment, work W, class F>
void for_each_long_first(const Assignment& a, const W& w, const machine& m, const F& f) {
  const int wave = m.wave < m.threads ? m.wave : m.threads;
  const std::int64_t waves = m.threads / wave;
  std::int64_t number = 0;
  for (std::int64_t t = 0; t < w.tiles(); ++t) {
    const atom_range tile = atoms_of(w, t);
    const std::int64_t n = a.what.pieces_of(tile.size());
    for (std::int64_t i = 0; i < n; ++i, ++number) {
      const atom_range piece = a.what.piece(tile, i, n);
      const slice s{{t, piece.first}, {i + 1 < n ? t : t + 1, piece.last}};
      f(assigned_slice{number / waves, number % waves, wave, s,
                       lane_steps<measure::one_tile>(s, wave)});
    }
  }
  const std::int64_t first = ceil_div(number, waves);
  for (std::int64_t t = 0; t < w.tiles(); ++t) {
    const atom_range tile = atoms_of(w, t);
    if (a.what.pieces_of(tile.size()) > 0) continue;
    const slice s{{t, tile.first}, {t + 1, tile.last}};
    f(assigned_slice{first + t / a.groups, t % a.groups, a.lanes, s,
                     lane_steps<measure::one_tile>(s, a.lanes)});
  }
}

/// The numbers of a schedule as a plan has them, which has counted the pieces of long tiles.
template <class Composed, work W>
auto assignment_of(const Composed& schedule, const W& w, const machine& m) {
  const auto a = schedule.bind(w, m);
  if constexpr (std::is_same_v<typename Composed::worker_type, worker::by_length>) {
    std::int64_t pieces = 0;
    for (std::int64_t t = 0; t < w.tiles(); ++t) pieces += a.what.pieces_of(atoms_of(w, t).size());
    return schedule.with_pieces(a, pieces, w.tiles(), m);
  } else {
    return a;
  }
}

}  // namespace detail

/// Calls `f(assigned_slice)` for every slice of `schedule` (what `compose()` returns), visits in
/// increasing order. Dynamic orders hand visits out in this order too. Cost: one call per slice.
template <class Composed, work W, class F>
void for_each_assigned(const Composed& schedule, const W& w, const machine& m, const F& f) {
  const auto a = schedule.bind(w, m);
  if constexpr (std::is_same_v<typename Composed::worker_type, worker::by_bin>) {
    detail::for_each_binned(a, w, m, f);
  } else if constexpr (std::is_same_v<typename Composed::worker_type, worker::by_length>) {
    detail::for_each_long_first(a, w, m, f);
  } else {
    coordinate from{};
    assigned_slice next{0, 0, a.lanes, {}, 0};
    for (std::int64_t s = 0, taken = 0; s < a.slices; ++s) {
      next.range = {from, a.cut(w, s + 1)};
      next.cost = detail::lane_steps<typename Composed::measure_type>(next.range, a.lanes);
      f(next);
      from = next.range.end;
      if (++taken < a.batch) continue;
      taken = 0;
      if (++next.group < a.groups) continue;
      next.group = 0;
      ++next.visit;
    }
  }
}

/// Calls `f(steps of the busiest lane)` for each block visit, in the order in which they are handed
/// out.
template <class Composed, work W, class F>
void for_each_visit_cost(const Composed& schedule, const W& w, const machine& m, const F& f) {
  std::int64_t visit = 0;
  std::int64_t group = -1;
  std::int64_t sum = 0;
  std::int64_t busiest = 0;
  bool any = false;
  for_each_assigned(schedule, w, m, [&](const assigned_slice& s) {
    for (any = true; visit < s.visit; ++visit) {
      f(std::exchange(busiest, 0));
      group = -1;
    }
    sum = s.group == group ? sum + s.cost : s.cost;
    group = s.group;
    busiest = std::max(busiest, sum);
  });
  if (any) f(busiest);
}

/// What became of a work on a machine.
struct load_balance {
  std::int64_t slots = 0;           ///< blocks that work at the same time
  std::int64_t lanes = 0;           ///< lanes of these blocks
  std::int64_t steps = 0;           ///< atoms plus tiles
  std::vector<std::int64_t> loads;  ///< steps of each slot's busiest lane, visit after visit
  [[nodiscard]] std::int64_t longest() const {
    return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  }
  /// Steps per lane if all lanes had the same.
  [[nodiscard]] double mean() const {
    return lanes ? static_cast<double>(steps) / static_cast<double>(lanes) : 0;
  }
  /// At most `count` loads from the largest to the smallest, evenly spaced, over the mean.
  [[nodiscard]] std::vector<double> shares(std::size_t count) const {
    std::vector<std::int64_t> sorted = loads;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    std::vector<double> out;
    const std::size_t n = std::min(count, sorted.size());
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = n > 1 ? i * (sorted.size() - 1) / (n - 1) : 0;
      out.push_back(static_cast<double>(sorted[at]) / mean());
    }
    return out;
  }
  /// Steps of the busiest lane over the mean of all lanes that could work: 1 is perfect, and the
  /// inverse is the share of lane steps that do something. Lanes without an atom of a tile that
  /// their group shares, blocks without a visit, and waiting for the last block all count.
  [[nodiscard]] double imbalance() const {
    return steps ? static_cast<double>(longest()) / mean() : 1;
  }
};

/// Plays `schedule` through: resident blocks take visits as the schedule's order says, and a block
/// starts when another has finished. A step is an atom or a tile's end, and all cost the same.
/// Calls `taken(slot)` for each visit in turn. Cost: O(visits log blocks), and a call per slice.
template <class Composed, work W, class F>
load_balance balance_of(const Composed& schedule, const W& w, const machine& m, const F& taken) {
  load_balance out;
  out.steps = w.tiles() + w.atoms();
  const std::int64_t blocks = detail::assignment_of(schedule, w, m).blocks;
  const std::int64_t resident = std::min(blocks, std::max<std::int64_t>(1, m.blocks));
  out.loads.resize(static_cast<std::size_t>(resident));
  // Fewer blocks than visits: a static order goes round, whatever the loads are.
  const bool round_robin = !Composed::order_type::by_arrival && blocks <= resident;
  using free_slot = std::pair<std::int64_t, std::int64_t>;  // when, which
  std::priority_queue<free_slot, std::vector<free_slot>, std::greater<>> next;
  for (std::int64_t i = 0; i < resident; ++i) next.push({0, i});
  std::int64_t turn = 0;
  for_each_visit_cost(schedule, w, m, [&](std::int64_t cost) {
    std::int64_t slot = turn;
    if (++turn == resident) turn = 0;
    if (!round_robin) {
      slot = next.top().second;
      next.pop();
    }
    auto& load = out.loads[static_cast<std::size_t>(slot)];
    load += cost;
    if (!round_robin) next.push({load, slot});
    if (out.slots < resident) ++out.slots;
    taken(slot);
  });
  out.loads.resize(static_cast<std::size_t>(out.slots));
  out.lanes = out.slots * m.threads;
  return out;
}
template <class Composed, work W>
load_balance balance_of(const Composed& schedule, const W& w, const machine& m) {
  return balance_of(schedule, w, m, [](std::int64_t /*slot*/) {});
}

}  // namespace loops::model
