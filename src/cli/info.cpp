// SPDX-License-Identifier: Apache-2.0
/// `loops info`: how the rows of a matrix are distributed, what that means for each schedule.
#include "loops/algorithm/statistics.hpp"
#include "loops/model/histogram.hpp"
#include "loops/model/imbalance.hpp"
#include "loops/schedule/automatic.hpp"
#include "loops/schedule/catalogue.hpp"
#include "loops/work/segments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/device.hpp"
#include "cli/failure.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"

namespace loops::cli {

namespace {

long long wide(std::int64_t n) {
  return static_cast<long long>(n);
}

void print_histogram(const model::size_histogram& h) {
  std::printf("  row lengths\n");
  const std::int64_t most = *std::max_element(h.bins.begin(), h.bins.end());
  std::size_t last = h.bins.size();
  while (last > 1 && h.bins[last - 1] == 0) --last;
  std::size_t first = 0;
  while (first + 1 < last && h.bins[first] == 0) ++first;
  constexpr double width = 48;
  for (std::size_t b = first; b < last; ++b) {
    const std::int64_t low = b == 0 ? 0 : std::int64_t{1} << (b - 1);
    const std::int64_t high = b == 0 ? 0 : 2 * low - 1;
    const double part =
        static_cast<double>(h.bins[b]) / static_cast<double>(std::max<std::int64_t>(1, most));
    const int bar = h.bins[b] == 0 ? 0 : std::max(1, static_cast<int>(std::lround(width * part)));
    std::printf("  %9lld %s %-9lld %10lld  %s\n", wide(low), low == high ? " " : "-", wide(high),
                wide(h.bins[b]), std::string(static_cast<std::size_t>(bar), '#').c_str());
  }
}

void print_pattern(const host_matrix& a) {
  const model::pattern_facts p = model::pattern_of(a.parts.view());
  std::printf("  pattern     bandwidth %lld, %s used, %s\n", wide(p.bandwidth),
              counted(p.diagonals, "diagonal").c_str(),
              !p.square     ? "not square"
              : p.symmetric ? "symmetric"
                            : "not symmetric");
}

/// Schedules from the most even to the least; equal ones share a line.
void print_imbalance(const segments<std::int64_t>& rows, const machine& m) {
  struct line {
    double imbalance;
    std::string names;
  };
  std::vector<line> lines;
  for (const named_schedule& s : all_schedules()) {
    const double x = std::visit(
        [&](const auto& named) { return model::balance_of(named.compose(), rows, m).imbalance(); },
        s.schedule);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const line& l) {
      return std::abs(l.imbalance - x) < 5e-3 * x;
    });
    if (same == lines.end()) {
      lines.push_back({x, s.name});
    } else {
      same->names += ", " + s.name;
    }
  }
  std::sort(lines.begin(), lines.end(),
            [](const line& a, const line& b) { return a.imbalance < b.imbalance; });
  std::printf("  imbalance   steps of the busiest lane over the mean of all lanes, by schedule\n");
  for (const line& l : lines) std::printf("  %9.2f   %s\n", l.imbalance, l.names.c_str());
}

/// What `automatic` would do there, and on what grounds.
template <class Columns>
void print_choice(const segments<std::int64_t>& rows, const Columns& columns, const machine& m,
                  const info_request& request, const device& on) {
  const select::selector& s = schedule::selector_for(m);
  select::facts x =
      schedule::facts_of(rows.tiles(), rows.atoms(), request.value_bytes, request.uses, m);
  x.columns = columns.count;
  const select::decision d = select::decide(s, x, [&] { return statistics_of(rows, columns); });
  std::printf("  suggested   %s\n              (for %s, used %s)\n",
              select::reason_of(s, d).c_str(), on.details().c_str(),
              counted(request.uses, "time").c_str());
  for (const std::string& line : select::explanation_of(s, d))
    std::printf("              %s\n", line.c_str());
}

void print_info(const matrix_source& source, const host_matrix& a, const info_request& request,
                const device& on) {
  const auto view = a.parts.view();
  const segments<std::int64_t> rows = rows_of(view);
  const model::size_histogram h = model::histogram_of(rows);
  const machine m = on.describe(static_cast<std::size_t>(request.value_bytes));
  std::printf("%s\n", printable(source.name).c_str());
  std::printf("  size        %s, %s, %s%s\n", counted(view.rows, "row").c_str(),
              counted(view.cols, "column").c_str(), counted(view.nonzeros, "nonzero").c_str(),
              a.complex() ? ", complex" : "");
  std::printf("  rows        shortest %lld, mean %.2f, longest %lld, %lld empty\n",
              wide(h.shortest), h.mean, wide(h.longest), wide(h.empty()));
  std::printf("  unevenness  coefficient of variation %.3f, Gini %.3f, longest over mean %.2f\n",
              h.variation(), h.gini, h.mean > 0 ? static_cast<double>(h.longest) / h.mean : 0.0);
  print_pattern(a);
  print_histogram(h);
  print_imbalance(rows, m);
  print_choice(rows, columns_in{view.indices, static_cast<std::int64_t>(view.cols)}, m, request,
               on);
}

}  // namespace

int run_info(const info_request& request) {
  const auto on = open_device(request.device.empty() ? default_device() : request.device);
  const auto sources = find_matrices(request.inputs);
  progress shown(sources.size());
  int result = exit_right;
  bool first = true;
  for (const matrix_source& source : sources) {
    try {
      shown.show(source.name + ": reading");
      const host_matrix a = load(source);
      shown.clear();
      if (!first) std::printf("\n");
      first = false;
      print_info(source, a, request, *on);
    } catch (...) {
      const failure why = caught();
      shown.clear();
      say(source.name + ": " + why.message);
      result = std::max<int>(result, why.code());
    }
    shown.advance();
  }
  return result;
}

}  // namespace loops::cli
