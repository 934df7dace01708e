// SPDX-License-Identifier: Apache-2.0
/// What a GEMM costs under a tile and a schedule: Stream-K's model, carried on to whole machines.
#pragma once

#include "loops/schedule/measure.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loops::select {

/// Where the rows of a matrix start: all on lines of 128 bytes, all on sectors of 32, or anywhere.
enum class row_starts : std::uint8_t { lines, sectors, anywhere };

/// Of rows that many bytes apart, the first on a line.
constexpr row_starts row_starts_of(std::int64_t bytes) {
  return bytes % 128 == 0  ? row_starts::lines
         : bytes % 32 == 0 ? row_starts::sectors
                           : row_starts::anywhere;
}

/// One product as far as its time depends on it.
struct gemm_size {
  std::int32_t m = 0;
  std::int32_t n = 0;
  std::int32_t k = 0;
  std::int32_t batch = 1;
  row_starts a = row_starts::lines;
  row_starts b = row_starts::lines;
  row_starts c = row_starts::lines;
};

/// A tile of a block, and the cluster of blocks that forms a larger one: `tall` blocks below each
/// other fetch B together, `wide` beside each other A, and `split` share the steps and join their
/// sums inside the cluster. `swapped`: rows of the tile are columns of C, and A is B. `teams`: of
/// warpgroups in a block, which take whole tiles in turn, so that one stores while another
/// multiplies.
struct gemm_tiling {
  int rows = 0;
  int columns = 0;
  int tall = 1;
  int wide = 1;
  int split = 1;
  int stages = 1;  ///< steps in flight
  bool swapped = false;
  int teams = 1;
  [[nodiscard]] constexpr int blocks() const { return tall * wide * split; }
  friend constexpr bool operator==(const gemm_tiling&, const gemm_tiling&) = default;
};

/// What the busiest worker does, in units that costs are given for.
enum class gemm_unit {
  launch,       ///< once: launch, first misses, last store
  lone_step,    ///< a step while the other processors are idle
  full_step,    ///< a step while all are busy
  paired_step,  ///< a step while another block runs on the same processor: what that adds
  tile,         ///< the end of a tile: its sums scaled and stored
  busy_tile,    ///< the same while all processors are busy: what that adds
  partial,      ///< sums of a part of a tile left for somebody else
  peer,         ///< sums of somebody else read and added
  drift,        ///< a step of a shared run: neighbours are at other places of k, and reuse less
  slanted_a,    ///< a step when rows of A start on sectors; three times that, when anywhere
  slanted_b,    ///< the same for B
  slanted_c,    ///< the end of a tile, for C
  join,   ///< the end of a tile whose blocks share steps: as a share of its sums, what each sends
  queue,  ///< a thousand reads of one line of the cache, which answers one cluster after another
  count_
};
inline constexpr std::size_t gemm_units = static_cast<std::size_t>(gemm_unit::count_);
using gemm_effort = std::array<float, gemm_units>;

/// The name of a unit, as tables spell it.
constexpr const char* name_of(gemm_unit u) {
  constexpr const char* names[] = {
      "launch", "lone_step", "full_step", "paired_step", "tile",      "busy_tile", "partial",
      "peer",   "drift",     "slanted_a", "slanted_b",   "slanted_c", "join",      "queue"};
  return names[static_cast<std::size_t>(u)];
}

/// Whether larger tiles make it cost more.
constexpr bool grows_with_area(gemm_unit u) {
  return u != gemm_unit::launch && u != gemm_unit::queue;
}

/// Costs of one tile on one kind of machine: data, measured and fitted by `loops tune gemm`.
struct gemm_costs {
  gemm_tiling tiling;
  int workers = 0;   ///< clusters that run at a time
  int paired = 1;    ///< blocks that share a processor when all run
  gemm_effort us{};  ///< microseconds per unit
};

/// Costs of all tiles for one type of operands on one kind of machine.
struct gemm_table {
  const char* machine = "";
  const char* type = "";
  int depth = 64;              ///< elements of k in a step
  int operand_bytes = 2;       ///< of an element of A and B
  int result_bytes = 2;        ///< of an element of C
  int least = 1;               ///< steps that are worth a worker: see measure::shares_then_tiles
  double bytes_per_us = 1e30;  ///< that memory delivers at most
  double overlap = 0;          ///< share of the shorter of computing and loading that is not hidden
  std::span<const gemm_costs> costs;
  const char* layouts = "nt";  ///< of A and B: n by rows, t by columns
};

/// A tile by its place in a table, and how many waves of tiles are shared: 0 none (data-parallel),
/// n the n-tile hybrid of Stream-K, -1 all tiles (`measure::shares_then_tiles`).
struct gemm_candidate {
  int config = 0;
  int waves = 0;
  friend constexpr bool operator==(const gemm_candidate&, const gemm_candidate&) = default;
};

/// The policies: data-parallel, all Stream-K, and the hybrids of 1 … 6 tiles.
inline constexpr int gemm_policies[] = {0, measure::shares_then_tiles::everything, 1, 2, 3, 4, 5,
                                        6};
/// Whether so many waves are one of them.
[[nodiscard]] constexpr bool is_gemm_policy(int waves) noexcept {
  for (const int known : gemm_policies)
    if (waves == known) return true;
  return false;
}

/// How tiles fall on workers: what is common to all policies of one tile.
struct gemm_grid {
  uniform work;  ///< tiles of steps
  std::int64_t workers = 1;
  constexpr gemm_grid() = default;
  constexpr gemm_grid(const gemm_costs& c, const gemm_size& p, int depth)
      : work(std::int64_t{count(c.tiling.swapped ? p.n : p.m, c.tiling.rows * c.tiling.tall)} *
                 count(c.tiling.swapped ? p.m : p.n, c.tiling.columns * c.tiling.wide) * p.batch,
             count(p.k, depth)),
        workers(c.workers > 0 ? c.workers : 1) {}
  /// Whether whole tiles leave nothing to share.
  [[nodiscard]] constexpr bool even() const { return work.tiles() % workers == 0; }

 private:
  static constexpr std::int32_t count(std::int32_t size, std::int32_t step) {
    return size > 0 ? (size - 1) / step + 1 : 0;
  }
};

namespace detail {

inline void set(gemm_effort& e, gemm_unit u, double value) {
  e[static_cast<std::size_t>(u)] = static_cast<float>(value);
}

/// How much rows that start there cost: what a copy of 128 x 64 elements of 2 bytes took longer
/// on an H200, in proportion.
constexpr double slant(row_starts r) {
  return r == row_starts::lines ? 0 : r == row_starts::sectors ? 1 : 3;
}

}  // namespace detail

/// Reads of the line of the cache that most ask for, of each step of a tile: an operand of few
/// lines lies in few parts of the cache, and all clusters want the same of it at about the same
/// time. On an H200, 15 rows took 23.5 µs in tiles alone and 19.1 in clusters of eight that fetch
/// them together (decision 69).
inline double readers_of_few(const gemm_tiling& t, const gemm_size& p) {
  constexpr double many = 48;  ///< lines, that lie in as many parts of the cache as there are
  const auto clusters = [](std::int32_t size, int step) {
    return std::ceil(static_cast<double>(size) / step);
  };
  const auto of = [&](std::int32_t lines, double readers) {
    const double all = static_cast<double>(lines) * p.batch;
    return all < many ? readers * (1 - all / many) : 0;
  };
  const int down = t.swapped ? t.columns * t.wide : t.rows * t.tall;
  const int across = t.swapped ? t.rows * t.tall : t.columns * t.wide;
  return of(p.m, clusters(p.n, across)) + of(p.n, clusters(p.m, down));
}

/// What the busiest worker of a candidate does, and whether tiles are shared at all: where they are
/// not, every policy is the data-parallel one. The cut is the schedule's own.
inline bool effort_of(const gemm_grid& g, const gemm_costs& c, const gemm_size& p, int waves,
                      std::int64_t least, gemm_effort& e) {
  using detail::set;
  e = {};
  const bool in_turns = c.tiling.teams > 1;  // who take whole tiles
  if (in_turns) waves = 0;
  measure::shares_then_tiles cut{.waves = waves};
  if (waves != 0) cut = cut.dealt_to(g.work, g.workers, least);
  const auto workers = static_cast<double>(g.workers);
  const auto steps = static_cast<double>(g.work.width());
  const int split = c.tiling.split;
  const auto own = [split](double all) { return split == 1 ? all : std::ceil(all / split); };
  // Launches that fill the machine begin early, and where the one before left processors idle,
  // there is room for two workers of the next: of more than half as many as there are processors,
  // some share one. Others are spread over all processors first, unless they have too few steps for
  // that to matter.
  const bool fills = cut.shared == 0 ? g.work.tiles() >= g.workers : cut.shares == g.workers;
  const auto pairs = [&](std::int64_t busy) {
    return c.paired > 1 && (fills ? 2 : 1) * busy * c.paired > g.workers;
  };
  const auto whole = static_cast<double>((g.work.tiles() - cut.shared) / g.workers);
  double full = whole * own(steps);  // steps with everybody busy
  double lone = 0;
  double paired = c.paired > 1 ? full : 0;
  double ends = whole;
  double busy_ends = whole;
  if (cut.shared == 0) {
    if (const std::int64_t rest = g.work.tiles() % g.workers; rest > 0) {
      const double busy = std::fmin(1.0, static_cast<double>(rest * c.paired) / workers);
      full += busy * own(steps);
      lone = (1 - busy) * own(steps);
      if (pairs(rest)) paired += own(steps);
      ends += 1;
      busy_ends += busy;
    }
  } else {
    const auto run =
        static_cast<double>((cut.shared * g.work.width() + cut.shares - 1) / cut.shares);
    const double busy = std::fmin(1.0, static_cast<double>(cut.shares * c.paired) / workers);
    full += busy * own(run);
    lone = (1 - busy) * own(run);
    if (pairs(cut.shares)) paired += own(run);
    // A run of whole tiles would be no run: the schedule hands such tiles out whole.
    const double in_run = run / steps;
    ends += in_run + 1;
    busy_ends += busy * (in_run + 1);
    set(e, gemm_unit::partial, 1);
    set(e, gemm_unit::peer, in_run > 1 ? 1 : std::ceil(1 / in_run) - 1);
    set(e, gemm_unit::drift, own(run));
  }
  // Those before the last nobody waits for, if the steps of the next tile take long enough.
  constexpr double hiding_steps = 8;
  if (in_turns && ends > 1) {
    const double waited_for = (1 + (ends - 1) * std::fmax(0, 1 - steps / hiding_steps)) / ends;
    ends *= waited_for;
    busy_ends *= waited_for;
  }
  set(e, gemm_unit::launch, 1);
  set(e, gemm_unit::lone_step, lone);
  set(e, gemm_unit::full_step, full);
  set(e, gemm_unit::paired_step, paired);
  set(e, gemm_unit::tile, ends);
  set(e, gemm_unit::busy_tile, busy_ends);
  const bool swapped = c.tiling.swapped;
  set(e, gemm_unit::slanted_a, detail::slant(swapped ? p.b : p.a) * (lone + full));
  set(e, gemm_unit::slanted_b, detail::slant(swapped ? p.a : p.b) * (lone + full));
  set(e, gemm_unit::slanted_c, detail::slant(p.c) * ends);
  set(e, gemm_unit::join, ends * (split - 1) / split);
  set(e, gemm_unit::queue, 1e-3 * steps * readers_of_few(c.tiling, p));
  return cut.shared > 0;
}

/// Microseconds that memory needs for operands and result.
inline double loading_us(const gemm_table& table, const gemm_size& p) {
  const double m = p.m;
  const double n = p.n;
  const double k = p.k;
  return p.batch * (table.operand_bytes * (m + n) * k + table.result_bytes * m * n) /
         table.bytes_per_us;
}

/// The share of a unit's effort that no loading hides, since nothing is left to load: the launch,
/// and of tiles what follows the last step of the last; or since it is what loading waits for.
inline double exposed(const gemm_effort& effort, gemm_unit u) {
  const double ends = effort[static_cast<std::size_t>(gemm_unit::tile)];
  switch (u) {
    case gemm_unit::launch:
    case gemm_unit::partial:
    case gemm_unit::peer:
    case gemm_unit::queue:
      return 1;
    case gemm_unit::tile:
    case gemm_unit::busy_tile:
    case gemm_unit::slanted_c:
    case gemm_unit::join:
      return ends > 1 ? 1 / ends : 1;
    default:
      return 0;
  }
}

/// Microseconds in all: launching, computing and loading at the same time, then what is left.
inline double time_of(const gemm_table& table, const gemm_effort& costs, const gemm_effort& effort,
                      double loading) {
  double all = 0;
  double alone = 0;
  for (std::size_t u = 0; u < gemm_units; ++u) {
    const double us = double{costs[u]} * effort[u];
    all += us;
    alone += us * exposed(effort, static_cast<gemm_unit>(u));
  }
  const double computing = all - alone;
  return alone + std::fmax(computing, loading) + table.overlap * std::fmin(computing, loading);
}

/// Microseconds of one candidate. Requires: it is in the table.
inline double predict(const gemm_table& table, const gemm_size& p, gemm_candidate c) {
  const gemm_costs& costs = table.costs[static_cast<std::size_t>(c.config)];
  gemm_effort e;
  effort_of({costs, p, table.depth}, costs, p, c.waves, table.least, e);
  return time_of(table, costs.us, e, loading_us(table, p));
}

/// Calls `f(waves, effort)` for those of some policies that differ from each other on a line's
/// grid.
template <class F>
void for_each_policy(const gemm_grid& grid, const gemm_costs& costs, const gemm_size& p,
                     std::int64_t least, std::span<const int> policies, const F& f) {
  gemm_effort e;
  for (const int waves : policies) {
    // As many tiles as there are, or more, are all of them.
    if (waves > 0 && waves > grid.work.tiles() / grid.workers) continue;
    const bool shares = effort_of(grid, costs, p, waves, least, e);
    if (waves != 0 && !shares) continue;  // data-parallel after all
    f(waves, e);
  }
}

/// A candidate and its time.
struct gemm_forecast {
  gemm_candidate choice;
  double us = 0;
};

/// The candidate of least time; data-parallel where sharing gains nothing. Cost: microseconds for
/// a hundred tiles. Requires: the table has a line.
inline gemm_forecast cheapest(const gemm_table& table, const gemm_size& p) {
  gemm_forecast best{{0, 0}, HUGE_VAL};
  const double loading = loading_us(table, p);
  const int lines = static_cast<int>(table.costs.size());
  gemm_effort e;
  for (int c = 0; c < lines; ++c) {
    const gemm_costs& costs = table.costs[static_cast<std::size_t>(c)];
    effort_of({costs, p, table.depth}, costs, p, 0, table.least, e);
    if (const double us = time_of(table, costs.us, e, loading); us < best.us) best = {{c, 0}, us};
  }
  for (int c = 0; c < lines; ++c) {
    const gemm_costs& costs = table.costs[static_cast<std::size_t>(c)];
    const gemm_grid grid(costs, p, table.depth);
    if (grid.even()) continue;
    // Under every policy the busiest worker has its even share of all steps while others are as
    // busy, and the end of a tile.
    const auto of = [&costs](gemm_unit u) -> double {
      return costs.us[static_cast<std::size_t>(u)];
    };
    const double share = static_cast<double>(grid.work.atoms()) /
                         static_cast<double>(grid.workers * costs.tiling.split);
    const double step = of(gemm_unit::full_step) +
                        detail::slant(costs.tiling.swapped ? p.b : p.a) * of(gemm_unit::slanted_a) +
                        detail::slant(costs.tiling.swapped ? p.a : p.b) * of(gemm_unit::slanted_b);
    double alone = of(gemm_unit::launch) + of(gemm_unit::tile);
    // Only runs of a few steps, as few as are worth a worker, can all end with a tile.
    if (grid.work.width() > 2 * table.least) alone += of(gemm_unit::partial) + of(gemm_unit::peer);
    if (alone + std::fmax(share * step, loading) >= best.us) continue;
    static_assert(gemm_policies[0] == 0);
    const auto sharing = std::span(gemm_policies).subspan<1>();
    for_each_policy(grid, costs, p, table.least, sharing,
                    [&](int waves, const gemm_effort& shared) {
                      if (const double us = time_of(table, costs.us, shared, loading); us < best.us)
                        best = {{c, waves}, us};
                    });
  }
  return best;
}

/// The data-parallel candidate of least time for a batch that is parts of k. Their sums may be more
/// bytes than tables know of, and one tile is all that most processors store: its end counts twice.
inline gemm_forecast cheapest_for_parts(const gemm_table& table, const gemm_size& p) {
  gemm_forecast best{{0, 0}, HUGE_VAL};
  for (int c = 0; c < static_cast<int>(table.costs.size()); ++c) {
    const gemm_effort& of = table.costs[static_cast<std::size_t>(c)].us;
    const double end = double{of[static_cast<std::size_t>(gemm_unit::tile)]} +
                       of[static_cast<std::size_t>(gemm_unit::busy_tile)];
    if (const double us = predict(table, p, {c, 0}) + end; us < best.us) best = {{c, 0}, us};
  }
  return best;
}

/// Of each line of the table the candidate of least time; the `most` best of these, ascending.
inline std::vector<gemm_forecast> likeliest(const gemm_table& table, const gemm_size& p,
                                            std::size_t most) {
  std::vector<gemm_forecast> out;
  const double loading = loading_us(table, p);
  for (int c = 0; c < static_cast<int>(table.costs.size()); ++c) {
    const gemm_costs& costs = table.costs[static_cast<std::size_t>(c)];
    const gemm_grid grid(costs, p, table.depth);
    gemm_forecast best{{c, 0}, HUGE_VAL};
    for_each_policy(grid, costs, p, table.least, gemm_policies,
                    [&](int waves, const gemm_effort& e) {
                      if (const double us = time_of(table, costs.us, e, loading); us < best.us)
                        best = {{c, waves}, us};
                    });
    out.push_back(best);
  }
  const auto quicker = [](const gemm_forecast& a, const gemm_forecast& b) { return a.us < b.us; };
  const std::size_t kept = std::min(most, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(),
                    quicker);
  out.resize(kept);
  return out;
}

}  // namespace loops::select
