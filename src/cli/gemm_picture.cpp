// SPDX-License-Identifier: Apache-2.0
/// A product's schedule played through and drawn: tiles by who takes their k-steps, time by block.
#include "cli/gemm_picture.hpp"

#include "loops/algorithm/segments.hpp"
#include "loops/work/uniform.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "cli/counted.hpp"
#include "cli/paint.hpp"

namespace loops::cli {

namespace {

constexpr double top = 148;
constexpr double grid_left = edge;
constexpr double grid_size = 400;
constexpr double time_left = 560;
constexpr double time_width = page_width - edge - time_left;

/// A segment, and when and where it runs if a k-step takes a unit of time and all else none.
struct bar {
  segment s;
  std::int64_t slot;
  std::int64_t start;
};

/// A schedule played through.
struct timeline {
  std::vector<bar> bars;  ///< worker by worker
  std::int64_t slots = 0;
  std::int64_t partials = 0;
  std::int64_t end = 0;
};

template <class Composed>
timeline play(const Composed& schedule, const uniform& w, std::int64_t blocks) {
  constexpr int worth_a_share = 8;
  const auto a = schedule.bind(w, {1, 1, 1, 1, blocks, worth_a_share});
  timeline out;
  out.slots = blocks;
  using free_slot = std::pair<std::int64_t, std::int64_t>;  // when, which
  std::priority_queue<free_slot, std::vector<free_slot>, std::greater<>> next;
  for (std::int64_t i = 0; i < blocks; ++i) next.push({0, i});
  for (std::int64_t x = 0; x < a.workers(); ++x) {
    auto [at, slot] = next.top();
    next.pop();
    for (const segment& s : segments_of(a, w, x)) {
      out.bars.push_back({s, slot, at});
      at += s.size();
      out.partials += !s.ends;
    }
    out.end = std::max(out.end, at);
    next.push({at, slot});
  }
  return out;
}

/// The tiles of C, each from top to bottom in the colours of those who take its k-steps.
double draw_tiles(svg& to, const timeline& t, const extents& grid, std::int64_t steps) {
  const double pitch = grid_size / static_cast<double>(std::max(grid.m, grid.n));
  const double cell = pitch > 6 ? pitch - 1.6 : pitch * 0.92;
  const auto place = [&](std::int64_t tile) {
    return std::pair{grid_left + pitch * static_cast<double>(tile % grid.n),
                     top + pitch * static_cast<double>(tile / grid.n)};
  };
  for (const bar& b : t.bars) {
    const auto [x, y] = place(b.s.tile);
    const double unit = steps ? cell / static_cast<double>(steps) : 0;
    const double height = steps ? unit * static_cast<double>(b.s.size()) : cell;
    to.rect(x, y + unit * static_cast<double>(b.s.first), cell, height, hue(b.slot));
    if (!b.s.begins && pitch > 6)
      to.line(x, y + unit * static_cast<double>(b.s.first), x + cell,
              y + unit * static_cast<double>(b.s.first), ink, 1.6);
  }
  if (pitch >= 26) {
    for (std::int64_t tile = 0; tile < grid.m * grid.n; ++tile) {
      const auto [x, y] = place(tile);
      to.text(x + cell / 2, y + cell / 2 + 4, std::to_string(tile), 12, "#ffffff", "middle",
              "font-weight:650");
    }
  }
  return top + pitch * static_cast<double>(grid.m);
}

/// A row per block at a time, a bar per segment; what is grey is idle.
double draw_time(svg& to, const timeline& t) {
  const double pitch = std::clamp(420 / static_cast<double>(t.slots), 3.2, 44.0);
  const double height = pitch > 8 ? pitch - 4 : pitch * 0.86;
  const double unit = time_width / static_cast<double>(std::max<std::int64_t>(1, t.end));
  for (std::int64_t slot = 0; slot < t.slots; ++slot) {
    const double y = top + pitch * static_cast<double>(slot);
    to.rect(time_left, y, time_width, height, "#e6e8ec");
    if (pitch > 11 || slot % 8 == 0)
      to.text(time_left - 10, y + height / 2 + 4, std::to_string(slot), std::min(12.5, pitch + 4),
              quiet, "end");
  }
  for (const bar& b : t.bars) {
    const double x = time_left + unit * static_cast<double>(b.start);
    const double y = top + pitch * static_cast<double>(b.slot);
    const double width = unit * static_cast<double>(b.s.size());
    // What is thinner than this cannot be seen; a gap would be taken for idle time.
    const double gap = width > 3 ? 1.2 : 0;
    to.rect(x, y, width - gap, height, hue(b.slot, b.s.ends ? 0 : 0.45));
    if (!b.s.ends && width > 5 && height > 8)
      to.rect(x + 0.8, y + 0.8, width - gap - 1.6, height - 1.6, "none", 0,
              " stroke=\"" + hue(b.slot) + "\" stroke-width=\"1.6\" stroke-dasharray=\"4 2.5\"");
    if (width > 22 && height > 11)
      to.text(x + (width - gap) / 2, y + height / 2 + 4, std::to_string(b.s.tile), 12,
              b.s.ends ? "#ffffff" : ink, "middle", "font-weight:650");
    else if (b.s.ends && !b.s.begins && width > 4)
      to.line(x, y, x, y + height, ink, 1.4);
  }
  const double floor = top + pitch * static_cast<double>(t.slots);
  to.text(time_left, floor + 18, "0", 12.5, quiet);
  to.text(time_left + time_width, floor + 18, grouped(t.end) + " k-steps", 12.5, quiet, "end");
  return floor + 18;
}

std::string draw(const timeline& t, const std::string& schedule, const extents& problem,
                 const extents& tile, const extents& grid, double used) {
  svg to;
  const std::int64_t tiles = grid.m * grid.n;
  const auto text = [](std::int64_t n) { return std::to_string(n); };
  to.text(edge, 62, schedule, 34, ink, "start", "font-weight:700;letter-spacing:-0.6px");
  to.text(edge, 92,
          "gemm " + text(problem.m) + " × " + text(problem.n) + " × " + text(problem.k) + "  ·  " +
              grouped(tiles) + " tiles of " + text(tile.m) + " × " + text(tile.n) + ", " +
              grouped(grid.k) + " k-steps of " + text(tile.k) + "  ·  " + grouped(t.slots) +
              " blocks at a time",
          15.5, quiet);
  to.text(grid_left, top - 16, "Tiles of C; colour: who takes which k-steps", 13, ink, "start",
          "font-weight:600");
  const double tiles_end = draw_tiles(to, t, grid, grid.k);
  to.text(time_left, top - 16,
          "Time of each block; pale: a part that another block finishes; grey: idle", 13, ink,
          "start", "font-weight:600");
  const double figures = draw_time(to, t) + 58;
  draw_figure(to, time_left, figures, number(100 * used, 1) + "%", "of the blocks' time used");
  draw_figure(to, time_left + 214, figures, grouped(t.end), "k-steps until the last is done");
  draw_figure(to, time_left + 444, figures, grouped(t.partials),
              plural(t.partials, "part") + " handed on");
  return to.page(page_width, std::max(tiles_end, figures + 30) + 40, schedule + " for gemm");
}

}  // namespace

gemm_picture picture_of(const std::string& name, const any_dense_schedule& schedule,
                        const extents& problem, const extents& tile, std::int64_t blocks) {
  const extents grid = grid_of(problem, tile);
  const std::int64_t tiles = grid.m * grid.n;
  const timeline t = std::visit(
      [&](const auto& s) { return play(s.compose(), uniform(tiles, grid.k), blocks); }, schedule);
  const double all = static_cast<double>(t.end) * static_cast<double>(t.slots);
  gemm_picture out;
  out.used = all > 0 ? static_cast<double>(tiles * grid.k) / all : 1;
  out.svg = draw(t, name, problem, tile, grid, out.used);
  out.end = t.end;
  out.parts = t.partials;
  return out;
}

}  // namespace loops::cli
