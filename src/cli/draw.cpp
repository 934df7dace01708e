// SPDX-License-Identifier: Apache-2.0
/// `loops draw`: a schedule as a picture, rows coloured by who takes them and the load of each
/// lane.
#include "loops/schedule/catalogue.hpp"

#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/files.hpp"
#include "cli/matrix.hpp"
#include "cli/paint.hpp"
#include "cli/picture.hpp"
#include "cli/printable.hpp"
#include "cli/svg.hpp"

namespace loops::cli {

namespace {

constexpr double rows_left = 104;
constexpr double rows_width = 640;
constexpr double top = 148;
constexpr double loads_left = 836;
constexpr double loads_width = page_width - edge - loads_left;

/// A hue per block, a shade per worker in it.
std::string colour(const machine& m, std::int64_t slot, int first_lane) {
  return hue(slot, m.threads > 1 ? 0.55 * first_lane / m.threads : 0);
}

/// Rows one by one: a cell per atom, a hollow one for the end of the row, a mark at every cut.
double draw_rows(svg& to, const picture& p, std::int64_t longest) {
  const double pitch =
      std::clamp(560 / static_cast<double>(std::max<std::size_t>(1, p.bands.size())), 9.0, 26.0);
  const double height = pitch * 0.74;
  const double cell = std::min(22.0, rows_width / static_cast<double>(longest + 1));
  const double gap = cell > 5 ? 1.4 : 0.3;
  std::int64_t slice = 0;
  std::vector<std::pair<double, double>> cuts;
  for (std::size_t b = 0; b < p.bands.size(); ++b) {
    const double y = top + pitch * static_cast<double>(b);
    if (pitch >= 12 || b % 5 == 0)
      to.text(rows_left - 12, y + height * 0.5 + 4, std::to_string(b), std::min(12.0, pitch * 0.75),
              quiet, "end");
    double x = rows_left;
    for (const stretch& s : p.bands[b]) {
      if (s.slice != slice) cuts.push_back({x - gap / 2, y});
      slice = s.slice;
      const std::string fill = colour(p.on, s.slot, s.first_lane);
      for (std::int64_t i = 0; i < s.atoms; ++i, x += cell)
        to.rect(x, y, cell - gap, height, fill, std::min(2.5, cell / 5));
      if (s.ends) {
        to.rect(x + 0.6, y + 0.6, std::max(0.6, (cell - gap) * 0.55 - 1.2), height - 1.2, "#ffffff",
                std::min(2.5, cell / 5), " stroke=\"" + fill + "\" stroke-width=\"1.3\"");
        x += cell;
      }
    }
  }
  for (const auto& [x, y] : cuts) {
    to.line(x, y - pitch * 0.13, x, y + height + pitch * 0.13, ink, 1.8);
  }
  return top + pitch * static_cast<double>(p.bands.size());
}

/// Bands of rows: a bar as long as their steps, in it the shares of the blocks.
double draw_bands(svg& to, const picture& p) {
  const double pitch =
      std::clamp(560 / static_cast<double>(std::max<std::size_t>(1, p.bands.size())), 4.0, 24.0);
  const double height = pitch * 0.8;
  std::int64_t most = 1;
  for (const auto& band : p.bands) {
    std::int64_t steps = 0;
    for (const stretch& s : band) steps += s.atoms + s.ends;
    most = std::max(most, steps);
  }
  const double scale = rows_width / static_cast<double>(most);
  for (std::size_t b = 0; b < p.bands.size(); ++b) {
    const double y = top + pitch * static_cast<double>(b);
    if (b % 8 == 0)
      to.text(rows_left - 12, y + height * 0.5 + 4,
              grouped(static_cast<std::int64_t>(b) * p.rows_per_band), 11.5, quiet, "end");
    double x = rows_left;
    double drawn = rows_left;
    for (const stretch& s : p.bands[b]) {
      x += scale * static_cast<double>(s.atoms + s.ends);
      // What is thinner than this cannot be seen, and would make the file huge.
      if (x - drawn < 0.7) continue;
      to.rect(drawn, y, x - drawn, height, colour(p.on, s.slot, 0));
      drawn = x;
    }
    if (x > drawn) to.rect(drawn, y, x - drawn, height, colour(p.on, p.bands[b].back().slot, 0));
  }
  return top + pitch * static_cast<double>(p.bands.size());
}

void dashed(svg& to, double y, const std::string& what, const std::string& paint) {
  to.line(loads_left, y, loads_left + loads_width, y, paint, 1.6, " stroke-dasharray=\"5 4\"");
  to.text(loads_left + loads_width, y - 7, what, 12.5, paint, "end",
          "font-weight:600;paint-order:stroke;stroke:#ffffff;stroke-width:4px;"
          "stroke-linejoin:round");
}

/// A bar per lane or block, what it waits for behind it, and lines for the longest and the mean.
double draw_loads(svg& to, const picture& p) {
  constexpr double height = 270;
  const double floor = top + 24 + height;
  const auto longest = static_cast<double>(std::max<std::int64_t>(1, p.balance.longest()));
  const double scale = height / longest;
  const auto count = static_cast<double>(std::max<std::size_t>(1, p.bars.size()));
  const double block_gap = p.per_lane && p.on.threads > 1 ? 8 : 0;
  const auto blocks = static_cast<double>(p.per_lane ? p.balance.slots : 0);
  const double pitch = (loads_width - block_gap * std::max(0.0, blocks - 1)) / count;
  const double bar = pitch > 4 ? pitch * 0.84 : pitch;
  for (std::size_t i = 0; i < p.bars.size(); ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    const std::int64_t slot = p.per_lane ? lane / p.on.threads : lane;
    const double x = loads_left + pitch * static_cast<double>(i) +
                     (p.per_lane ? block_gap * static_cast<double>(slot) : 0);
    const double h = scale * static_cast<double>(p.bars[i]);
    to.rect(x, floor - height, bar, height, "#f4f5f7", bar > 6 ? 2 : 0);
    to.rect(x, floor - h, bar, h,
            colour(p.on, slot, p.per_lane ? static_cast<int>(lane % p.on.threads) : 0),
            bar > 6 ? 2 : 0);
    if (p.per_lane && lane % p.on.threads == 0 && p.balance.slots <= 16)
      to.text(x + (pitch * p.on.threads - (pitch - bar)) / 2, floor + 20,
              (p.balance.slots <= 6 ? "block " : "") + std::to_string(slot), 12.5, quiet, "middle");
  }
  if (!p.per_lane)
    to.text(loads_left, floor + 20, grouped(p.balance.slots) + " blocks at a time", 12.5, quiet);
  to.line(loads_left, floor, loads_left + loads_width, floor, "#98a2b3", 1.2);
  const double mean = floor - scale * p.balance.mean();
  const double longest_y = floor - height;
  const std::string mean_text = "mean " + number(p.balance.mean(), p.balance.mean() < 100 ? 1 : 0);
  dashed(to, longest_y, "longest " + grouped(p.balance.longest()), alarm);
  // Close together, both are said above the bars, at opposite ends.
  if (mean - longest_y > 30) {
    dashed(to, mean, mean_text, ink);
  } else {
    dashed(to, mean, "", ink);
    to.text(loads_left, longest_y - 7, mean_text, 12.5, ink, "start", "font-weight:600");
  }
  return floor + 20;
}

std::string draw(const picture& p, const std::string& schedule, const matrix_source& source,
                 const host_matrix& a, std::int64_t longest) {
  svg to;
  to.text(edge, 62, schedule, 34, ink, "start", "font-weight:700;letter-spacing:-0.6px");
  to.text(edge, 92,
          source.name + "  ·  " + grouped(a.parts.rows) + plural(a.parts.rows, " row") + ", " +
              grouped(a.parts.nonzeros()) + plural(a.parts.nonzeros(), " nonzero") + "  ·  " +
              grouped(p.balance.slots) + plural(p.balance.slots, " block") + " of " +
              counted(p.on.threads, "lane"),
          15.5, quiet);
  const bool cells = p.rows_per_band == 1 && longest <= 320 && p.rows <= 64;
  to.text(rows_left, top - 16,
          cells ? "Rows: a cell per nonzero, a hollow one for the end; colour: who takes it"
                : "Rows, " + grouped(p.rows_per_band) +
                      " per bar; length: nonzeros and rows; colour: block",
          13, ink, "start", "font-weight:600");
  const double rows_end = cells ? draw_rows(to, p, longest) : draw_bands(to, p);
  to.text(loads_left, top - 16,
          p.per_lane ? "Load: steps of each lane" : "Load: steps of each block's busiest lane", 13,
          ink, "start", "font-weight:600");
  const double loads_end = draw_loads(to, p);
  const double figures = loads_end + 66;
  const double x = p.balance.imbalance();
  draw_figure(to, loads_left, figures, number(x) + "×", "imbalance: longest over mean");
  draw_figure(to, loads_left + 214, figures, number(100 / x, 0) + "%", "of lane steps used");
  draw_figure(to, loads_left, figures + 84, grouped(p.slices), plural(p.slices, "slice"));
  draw_figure(to, loads_left + 214, figures + 84, grouped(p.balance.longest()),
              "steps until the last is done");
  const double height = std::max(rows_end, figures + 112) + 44;
  return to.page(page_width, height, schedule + " on " + source.name);
}

}  // namespace

int run_draw(const draw_request& asked) {
  require_picture(asked.out);
  if (asked.inputs.front() == "gemm") return draw_gemm(asked);
  require(asked.inputs.size() == 1 && asked.tile.empty() && asked.workers == 0,
          errc::invalid_argument,
          "a drawing is of one matrix, or of `gemm M N K`; only the latter has tiles and workers");
  draw_request request = asked;
  if (request.schedule.empty()) request.schedule = "merge_path";
  const any_schedule schedule = schedule_named(request.schedule);
  const auto sources = find_matrices(request.inputs);
  require(sources.size() == 1, errc::invalid_argument,
          "a drawing is of one matrix, not of a folder");
  const host_matrix a = load(sources[0]);
  const segments<std::int64_t> rows = rows_of(a.parts.view());
  std::int64_t longest = 0;
  for (std::int64_t t = 0; t < rows.tiles(); ++t)
    longest = std::max(longest, atoms_of(rows, t).size());
  const std::int64_t steps = rows.tiles() + rows.atoms();
  const bool small = steps <= 1500;
  machine m;
  m.threads = request.lanes ? request.lanes : std::max(small ? 4 : 256, request.wave);
  m.wave = request.wave ? request.wave : std::min(small ? 4 : 32, m.threads);
  require(m.wave <= m.threads, errc::invalid_argument,
          "a wave is of lanes of one block: ask for at least as many --lanes as --wave");
  m.blocks = request.blocks ? request.blocks : small ? 4 : 64;
  // Two slices per block are enough to see how slices are handed out.
  const std::int64_t two_each = ceil_div(steps, 2 * m.blocks * m.threads);
  m.items = request.items
                ? request.items
                : static_cast<int>(std::clamp<std::int64_t>(two_each, 1, small ? 1000 : 9));
  for (const int n : {m.threads, m.wave})
    require((n & (n - 1)) == 0, errc::invalid_argument, "lanes and waves come in powers of two");
  constexpr std::int64_t most_bands = 64;
  constexpr std::size_t most_bars = 128;
  const picture p = std::visit(
      [&](const auto& s) { return picture_of(s.compose(), rows, m, most_bands, most_bars); },
      schedule);
  write_file(request.out, draw(p, request.schedule, sources[0], a, longest));
  if (request.out != "-")
    std::printf("%s: imbalance %.2f, %s, longest lane %s\n", printable(request.out).c_str(),
                p.balance.imbalance(), counted(p.slices, "slice").c_str(),
                counted(p.balance.longest(), "step").c_str());
  return exit_right;
}

}  // namespace loops::cli
